"""The form of a loop over the steps of sequences of different lengths, as DynamicRNN makes it.

Such a loop counts the steps. A step reads the elements of arrays at the place of the count, one row for each sequence that has the
step, and writes elements of other arrays there. It may read the first rows of what is the same in all steps, too. A state is an array whose element at the place of the count is read, cut to the
sequences that still have a step, and whose next element is written. The other operators of the step see rows only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ....core.dtype import VarType
from ....kernels.codegen.expression import Node, make, name, number
from ....ops.framework.traits import Sum
from ...operators.structural import EMPTY
from ...program.operator import Operator
from ..needed import is_array
from ..passes.changes import algebra_of
from .rounds import Unfit

if TYPE_CHECKING:
    from .loop import Loop

_COUNTED = make("+", name("x0"), number(1))
_GOES_ON = make("<", name("x0"), name("x1"))


class RaggedForm:
    """The steps of a loop, and of its gradient.

    Arguments:
        loop: the compiled loop.

    Attributes:
        counter, limit: the names of the number of the step, and of the number of steps.
        tables: the names of the rank tables.
        sequences: name of the rows of a step -> the array that it is an element of.
        firsts: name of the first rows of what is the same in all steps -> its name.
        reads, news: array of a state -> the name of its rows in a step, and of those for the next step.
        outputs: array -> the name of the rows that become its element.
        ops: the other operators of a step.
        arriving: name of the gradient of rows that are written -> their array.
        back_ops: the operators of the gradient of a step on rows.
        of_sequences, of_states: array -> the name of the gradient of the rows that a step reads.
        of_others: name of a Variable that all steps read -> the names of the terms of its gradient.
        of_firsts: term of such a gradient that belongs to the first rows -> the name of the gradient of these rows.

    Raises:
        Unfit: the loop is no such loop.
    """

    def __init__(self, loop: Loop) -> None:
        self.loop, block = loop, loop.op.attrs["sub_block"]
        self.block = block
        self.tables: list[str] = []
        self.sequences: dict[str, str] = {}
        self.firsts: dict[str, str] = {}
        self.reads: dict[str, str] = {}
        self.news: dict[str, str] = {}
        self.outputs: dict[str, str] = {}
        self.ops: list[Operator] = []
        self.arriving: dict[str, str] = {}
        self.back_ops: list[Operator] = []
        self.of_sequences: dict[str, str] = {}
        self.of_states: dict[str, str] = {}
        self.of_others: dict[str, list[str]] = {}
        self.of_firsts: dict[str, str] = {}
        forward = loop.ops[: loop.own]
        self.counter, self.limit = self._counted(forward)
        self._forward(forward)
        self._check_names(forward)
        if len(loop.gradients) > 1:
            raise Unfit("it has several gradients")
        for gradient in loop.gradients:
            self._backward(loop.ops[loop.own :])
            self._found(gradient)

    def _counted(self, ops: Sequence[Operator]) -> tuple[str, str]:
        """Return the names of the number of the step, and of the number of steps."""
        last = ops[-1] if ops else None
        if last is None or last.output_arg_names != [self.loop.condition] or self._element(last) is not _GOES_ON:
            raise Unfit("it does not count the steps of sequences")
        counter, limit = last.input_arg_names
        counts = [op for op in ops if counter in op.output_arg_names]
        if len(counts) != 1 or counts[0].input_arg_names != [counter] or self._element(counts[0]) is not _COUNTED:
            raise Unfit("it does not count its steps one by one")
        if any(limit in op.output_arg_names for op in ops):
            raise Unfit("the number of its steps changes")
        return counter, limit

    def _element(self, op: Operator) -> Node | None:
        """Return the expression of an operator on integers."""
        element = None if op.declared is None else op.declared.traits.element
        return (
            None if element is None else element.node(op.live_attrs(), [np.dtype(np.int64)] * len(op.input_arg_names))
        )

    # --- forward ------------------------------------------------------------------------------------------------------

    def _forward(self, ops: Sequence[Operator]) -> None:
        """Take the operators of a step apart."""
        written = {op.output("Out")[0] for op in ops if _in_steps(op) == "write"}
        states: dict[str, str] = {}  # element of a state, with the rows of the step before -> its array
        counted = False
        for op in ops[:-1]:
            kind = _in_steps(op)
            if op.output_arg_names == [self.counter]:
                counted = True
            elif not kind:
                if any(is_array(self.block, n) for n in (*op.input_arg_names, *op.output_arg_names)):
                    raise Unfit(f"{op.type} of an array is no part of a step")
                self.ops.append(op)
            elif op.input("I") != [self.counter] or (counted and kind != "write"):
                raise Unfit(f"{op.type} is not at the place of the step")
            elif kind == "read":
                array, rows = op.input("X")[0], op.output("Out")[0]
                (states if array in written else self.sequences)[rows] = array
            elif kind == "first":
                self._cut(op, states)
            else:
                self._written(op, counted)
        if not set(states.values()) == self.reads.keys() == self.news.keys():
            raise Unfit("an array is read and written otherwise than a state")
        if not self.sequences:
            raise Unfit("it reads no steps of sequences")

    def _cut(self, op: Operator, states: dict[str, str]) -> None:
        """Note the rows of a state, or of what is the same in all steps, of the sequences that have the step."""
        [whole], [rows] = op.input("X"), op.output("Out")
        self.tables += op.input("RankTable")
        if whole not in states:
            self.firsts[rows] = whole
        elif states[whole] in self.reads:
            raise Unfit(f"a step reads {states[whole]} twice")
        else:
            self.reads[states[whole]] = rows

    def _written(self, op: Operator, counted: bool) -> None:
        """Note an element that a step writes: the next one of a state, or the one of an output."""
        [array], [rows] = op.output("Out"), op.input("X")
        if array in self.news or array in self.outputs:
            raise Unfit(f"{array} is written twice in a step")
        (self.news if counted else self.outputs)[array] = rows

    def _check_names(self, ops: Sequence[Operator]) -> None:
        """Raise Unfit where a name stands for several values, or what a step reads is neither rows nor the same in all steps."""
        loop = self.loop
        made = [n for op in self.ops for n in op.output_arg_names if n != EMPTY]
        rows = {*self.sequences, *self.reads.values(), *self.firsts}
        if len(set(made)) != len(made) or rows.intersection(made):
            raise Unfit("a Variable has several values in a step")
        known = {*made, *rows}
        self.outer = [n for n in dict.fromkeys(n for op in self.ops for n in op.input_arg_names) if n not in known]
        hidden = {n for op in ops for n in op.output_arg_names} - known
        for each in (*self.outer, *self.firsts.values()):
            variable = self.block.find(each)
            if each in hidden or variable is None or variable.type != VarType.LOD_TENSOR:
                raise Unfit(f"a step reads {each} otherwise than as rows")
        ends = {*self.news.values(), *self.outputs.values()}
        if not ends <= known:
            raise Unfit(f"{', '.join(sorted(ends - known))} is the same in all steps")
        if not {*loop.results} <= {*self.news, *self.outputs, self.counter, loop.condition}:
            raise Unfit("it writes a Variable that is no state")
        behind = [op for op in loop.op.block.ops if op.forward is not loop.op and op is not loop.op]
        place = loop.op.block.ops.index(loop.op)
        later = {
            n for op in loop.op.block.ops[place:] if op in behind and op.forward is None for n in op.input_arg_names
        }
        if later.intersection(self.news):
            raise Unfit("a state is read behind the loop")

    # --- backward -----------------------------------------------------------------------------------------------------

    def _backward(self, ops: Sequence[Operator]) -> None:
        """Take the operators of the gradient of a step apart."""
        elements: dict[str, str] = {}  # array -> the gradient of the element that a step reads
        for op in ops:
            kind, of = _in_steps(op), _in_steps(op.forward)
            if kind == "read" and of == "write" and op.forward is not None:
                self.arriving[op.output("Out")[0]] = op.forward.output("Out")[0]
            elif kind == "rest" or all(is_array(op.block, n) for n in op.output_arg_names if n != EMPTY):
                if of == "read" and not kind:
                    array = op.input("X")[0]
                    if array in elements:
                        raise Unfit(f"a step reads {array} twice")
                    elements[array] = op.input("Out@GRAD")[0]
            elif of == "first" and not kind:
                self.of_firsts[op.output("X@GRAD")[0]] = op.input("Out@GRAD")[0]
            elif kind:
                raise Unfit(f"its gradient has {op.type}")
            else:
                self.back_ops.append(op)
        for array, gradient in elements.items():
            if array not in self.reads:
                self.of_sequences[array] = gradient
            elif gradient in self.of_firsts:
                self.of_states[array] = self.of_firsts[gradient]
            else:
                raise Unfit(f"the gradient of {array} is not that of a state")

    def _found(self, gradient: Operator) -> None:
        """Note the gradients of what all steps read; sums of terms that nobody else reads are left to the terms."""
        arrays = {*self.news, *self.outputs, *self.sequences.values()}
        for of, found in zip(gradient.attr("of"), gradient.attr("found"), strict=True):
            if of not in arrays and found != EMPTY:
                self.of_others[of] = self._terms(found)

    def _terms(self, total: str) -> list[str]:
        """Return the names of the terms of a gradient."""
        makers = [op for op in self.back_ops if total in op.output_arg_names]
        read = any(total in op.input_arg_names for op in self.back_ops)
        if len(makers) != 1 or read or not isinstance(algebra_of(makers[0]), Sum):
            return [total]
        self.back_ops.remove(makers[0])
        return [term for each in makers[0].input("X") for term in self._terms(each)]


def _in_steps(op: Operator | None) -> str:
    """Return what an operator does with arrays in steps."""
    return "" if op is None or op.declared is None else op.declared.traits.in_steps


def reads_first_rows(op: Operator) -> bool:
    """Return whether an operator cuts an array to the sequences that have a step."""
    return _in_steps(op) == "first"
