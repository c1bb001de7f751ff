"""The form of a loop over the steps of sequences of different lengths, as DynamicRNN makes it.

Such a loop counts the steps. A step reads the elements of arrays at the place of the count, one row for each sequence that has the
step, and writes elements of other arrays there. It may read the first rows of what is the same in all steps, too. A state is an array whose element at the place of the count is read, cut to the
sequences that still have a step, and whose next element is written. The other operators of the step see rows only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .....kernels.codegen.expression import Node, make, name, number
from ....operators.composed import composed
from ....operators.structural import EMPTY
from ....program.operator import Operator
from ...needed import is_array
from ..limits import Unfit
from ..step_form import StepForm

if TYPE_CHECKING:
    from ..loop import Loop

_COUNTED = make("+", name("x0"), number(1))
_GOES_ON = make("<", name("x0"), name("x1"))


class RaggedForm(StepForm):
    """The steps of a loop over sequences, and of its gradient.

    Arguments:
        loop: the compiled loop.

    Attributes:
        counter, limit: the names of the number of the step, and of the number of steps.
        tables: the names of the rank tables.

    Raises:
        Unfit: the loop is no such loop.
    """

    def __init__(self, loop: Loop) -> None:
        super().__init__(loop)
        self.tables: list[str] = []
        forward = loop.ops[: loop.own]
        self.counter, self.limit = self._counted(forward)
        self._forward(forward)
        self.ops = [each for op in self.ops for each in composed(op)]
        self.ops = self._taken_out(self.ops)
        self._check_names(forward)
        if len(loop.gradients) > 1:
            raise Unfit("it has several gradients")
        for gradient in loop.gradients:
            self._backward(loop.ops[loop.own :])
            self.back_ops = self._taken_out([each for op in self.back_ops for each in composed(op)])
            self._found(gradient)
        self._check_outer()

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
            elif kind in ("", "length"):
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
        taken = {n for op in self.before for n in op.output_arg_names}
        made = [n for op in (*self.before, *self.ops) for n in op.output_arg_names if n != EMPTY]
        rows = {*self.sequences, *self.reads.values(), *self.firsts}
        if len(set(made)) != len(made) or rows.intersection(made):
            raise Unfit("a Variable has several values in a step")
        known = {*made, *rows}
        self.hidden = {n for op in ops for n in op.output_arg_names} - known
        ends = {*self.news.values(), *self.outputs.values()}
        if not ends <= known - taken:
            raise Unfit(f"{', '.join(sorted(ends - (known - taken)))} is the same in all steps")
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
            elif of == "first" and not kind and op.forward is not None:
                self.of_firsts[op.output("X@GRAD")[0]] = op.input("Out@GRAD")[0]
                self.wholes[op.output("X@GRAD")[0]] = op.forward.input("X")[0]
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


def _in_steps(op: Operator | None) -> str:
    """Return what an operator does with arrays in steps."""
    return "" if op is None or op.declared is None else op.declared.traits.in_steps


def reads_first_rows(op: Operator) -> bool:
    """Return whether an operator cuts an array to the sequences that have a step."""
    return _in_steps(op) == "first"
