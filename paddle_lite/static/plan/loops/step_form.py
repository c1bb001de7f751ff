"""The form of a loop that runs as one kernel: the operators of a round, and of its gradient, and those that run once.

What computes the same in all rounds runs before the loop. What computes gradients from sums over all rounds runs behind it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence, Set
from typing import TYPE_CHECKING

from ....core.dtype import VarType
from ....ops.framework.spec import OpDef
from ....ops.framework.traits import Concat, Fill, Reshape, Sum, Transpose
from ...operators.structural import EMPTY
from ...program.operator import Operator
from ..ir import shape_only
from ..passes.changes import algebra_of
from .limits import Unfit

if TYPE_CHECKING:
    from .loop import Loop


class StepForm:
    """The rounds of a loop, and of its gradient.

    Arguments:
        loop: the compiled loop.

    Attributes:
        whole, own: the operators of the loop and its gradients, and those of the loop.
        outer, given: the names of what all rounds read, and of what the loop is given for that.
        sequences: name of what a round reads of an array -> the array that it is an element of.
        firsts: name of the first rows of what is the same in all rounds -> its name.
        reads, news: state -> the name of its value in a round, and of that for the next round.
        outputs: array -> the name of the value that becomes its element.
        lists: the names of arrays of tensors of which rounds read and write elements at places that they compute. of_lists: such a name
            -> that of its gradient.
        ops: the operators of a round. before: those that compute the same in all rounds, which run before the loop.
        arriving: name of the gradient of what a round hands on or writes -> its state or array.
        back_ops: the operators of the gradient of a round.
        of_sequences, of_states: array or state -> the name of the gradient of what a round reads of it.
        of_others: name of a Variable that all rounds read -> the name of its gradient.
        sums: the names of gradients that the rounds add up. behind: the operators that compute those in `of_others` from these sums.
        of_firsts: such a sum that belongs to the first rows -> the name of the gradient of these rows. wholes: the same -> the name of
            what these are the first rows of.
    """

    def __init__(self, loop: Loop) -> None:
        self.loop, self.block = loop, loop.op.attrs["sub_block"]
        self.whole, self.own = list(loop.ops), loop.ops[: loop.own]
        self.sequences: dict[str, str] = {}
        self.firsts: dict[str, str] = {}
        self.reads: dict[str, str] = {}
        self.news: dict[str, str] = {}
        self.outputs: dict[str, str] = {}
        self.lists: list[str] = []
        self.of_lists: dict[str, str] = {}
        self.ops: list[Operator] = []
        self.arriving: dict[str, str] = {}
        self.back_ops: list[Operator] = []
        self.of_sequences: dict[str, str] = {}
        self.of_states: dict[str, str] = {}
        self.of_others: dict[str, str] = {}
        self.sums: list[str] = []
        self.before: list[Operator] = []
        self.behind: list[Operator] = []
        self.of_firsts: dict[str, str] = {}
        self.wholes: dict[str, str] = {}
        self.hidden: set[str] = set()

    def _taken_out(self, ops: Sequence[Operator]) -> list[Operator]:
        """Take out the operators that compute the same in all steps; return the others.

        A constant is taken out only where such operators read it: in a step it is a number in an expression.
        """
        changing = {*self.sequences, *self.reads.values(), *self.firsts, *self.lists, *self.arriving}
        changing.update(n for op in self.own for n in op.output_arg_names)
        changing -= {n for op in self.before for n in op.output_arg_names}
        writes = _writes(self.whole) | _writes(ops)
        ends, out = {*self.news.values(), *self.outputs.values()}, []
        for op in ops:
            reads = {n for n in op.input_arg_names if n != EMPTY}
            made = {n for n in op.output_arg_names if n != EMPTY}
            plain = op.declared is not None and not op.declared.effects and not op.declared.forward
            once = all(writes[n] == 1 for n in made)
            constant = isinstance(algebra_of(op), Fill)
            if plain and once and (reads or constant) and not reads & changing and not ends & made:
                out.append(op)
                changing -= made
            else:
                changing |= made
        read = {n for op in out for n in op.input_arg_names}
        out = [op for op in out if op.input_arg_names or read.intersection(op.output_arg_names)]
        self.before += out
        taken = {*map(id, out)}
        return [op for op in ops if id(op) not in taken]

    def _check_outer(self) -> None:
        """Note what all steps read; raise Unfit if it is not the same in all of them."""
        taken = {n for op in self.before for n in op.output_arg_names}
        made = {n for op in (*self.ops, *self.back_ops) for n in op.output_arg_names}
        made |= {*self.sequences, *self.reads.values(), *self.firsts, *self.lists, *self.arriving, EMPTY}
        reads = dict.fromkeys(n for op in (*self.ops, *self.back_ops) for n in op.input_arg_names)
        self.outer = [n for n in reads if n not in made]
        given = dict.fromkeys(n for op in (*self.before, *self.behind) for n in op.input_arg_names)
        late = {*self.sums, *(n for op in self.behind for n in op.output_arg_names), *taken, EMPTY}
        self.given = [n for n in dict.fromkeys([*self.outer, *given]) if n not in late]
        for each in (*self.given, *self.firsts.values()):
            variable = self.block.find(each)
            if each in self.hidden or variable is None or variable.type != VarType.LOD_TENSOR:
                raise Unfit(f"a step reads {each} otherwise than as rows")

    def _found(self, gradient: Operator) -> None:
        """Note the gradients of what all steps read, and take out what computes them from sums over all steps."""
        arrays = {*self.news, *self.outputs, *self.sequences.values(), *self.lists}
        for of, found in zip(gradient.attr("of"), gradient.attr("found"), strict=True):
            if of not in arrays and found != EMPTY:
                self.of_others[of] = found
        readers = Counter(n for op in self.back_ops for n in {*op.input_arg_names})
        late, left = {*self.of_others.values()}, list[Operator]()
        made = {n for op in self.back_ops for n in op.output_arg_names} | {*self.of_firsts, *self.arriving}
        changing = {*made, *self.sequences, *self.reads.values(), *self.firsts}
        changing.update(n for op in self.ops for n in op.output_arg_names)
        writes = _writes(self.back_ops)
        for op in reversed(self.back_ops):
            outs = {n for n in op.output_arg_names if n != EMPTY}
            terms = self._terms(op, changing, made) if all(writes[n] == 1 for n in outs) else set()
            if terms and outs & late and not any(readers[n] for n in outs):
                self.behind.insert(0, op)
                readers.subtract({*op.input_arg_names})
                late |= terms
            else:
                left.insert(0, op)
        self.back_ops = left
        computed = {n for op in self.behind for n in op.output_arg_names}
        read = [n for op in self.behind for n in op.input_arg_names if n in late]
        self.sums = [n for n in dict.fromkeys([*self.of_others.values(), *read]) if n not in computed]

    def _terms(self, op: Operator, changing: Set[str], made: Collection[str]) -> set[str]:
        """Return the gradients in which the result of an operator is linear, if all else that it reads is the same in all steps."""
        algebra, definition = algebra_of(op), op.declared
        reads = {n for n in op.input_arg_names if n != EMPTY}
        if isinstance(algebra, Sum):
            return reads
        if definition is None or not (definition.forward or isinstance(algebra, Concat) or _moves(definition)):
            return set()
        shaped, terms = shape_only(definition), set()
        for slot, names in op.inputs.items():
            arriving = slot.endswith("@GRAD") or not definition.forward
            terms |= {n for n in names if arriving and n in made}
            if not arriving and slot not in shaped and not changing.isdisjoint(names):
                return set()
        sizes = [v.shape for n in (*terms, *op.output_arg_names) if (v := op.block.find(n)) is not None]
        return set() if any(-1 in shape for shape in sizes) else terms


def _moves(definition: OpDef) -> bool:
    """Return whether an operator gives its input another shape, or other strides."""
    return isinstance(definition.traits.view, Reshape | Transpose)


def _writes(ops: Iterable[Operator]) -> Counter[str]:
    """Return name -> how many of some operators write it."""
    return Counter(n for op in ops for n in {*op.output_arg_names} if n != EMPTY)
