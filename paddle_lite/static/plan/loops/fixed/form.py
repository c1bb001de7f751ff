"""The form of a loop whose values keep their shapes: a state is a Variable that a round reads and writes.

The shapes are those of a run. What a round makes has the shapes that inference says of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING

from .....core.errors import EnforceNotMet
from .....ops.support.meta import Meta
from ....operators.composed import composed
from ....operators.structural import EMPTY
from ....program.block import Block
from ....program.operator import Operator
from ....program.shape_inference import infer_outputs
from ...needed import all_reads, has_effects, is_array
from ..limits import Unfit
from ..step_form import StepForm
from ..step_kernels import Flat
from .branches import Branches
from .lists import concerns_lists, counts_elements
from .table_rows import table_of

if TYPE_CHECKING:
    from ..loop import Loop

LARGEST = 1 << 20
"""The limit of the elements of a value: on more, operators share their work between threads."""
BRANCHING = 1 << 16
"""The limit of the elements of a value of a branch, which may be computed in vain."""


def given_names(loop: Loop) -> list[str]:
    """Return the names that have a value before a loop: those of its arguments that are not of its block."""
    own = loop.op.attrs["sub_block"].vars
    return [name for name in loop.names if name not in own]


def lists_of(loop: Loop) -> list[str]:
    """Return those of these names that are arrays of tensors."""
    return [name for name in given_names(loop) if is_array(loop.op.attrs["sub_block"], name)]


def lists_set_first(loop: Loop) -> set[str]:
    """Return the arrays of tensors that a round writes before it reads an element: these say which shape the elements have."""
    known: set[str] = set()
    found: set[str] = set()
    for op in loop.ops[: loop.own]:
        known.update(() if counts_elements(op) else op.input_arg_names)
        found.update(name for name in op.output_arg_names if name not in known)
    return found.intersection(lists_of(loop))


def operators_of(loop: Loop) -> Branches:
    """Return the operators of a loop's rounds; raise Unfit for those that cannot be part of a kernel."""
    lists = lists_of(loop)
    for op in loop.ops:
        if any(isinstance(value, Block) for value in op.attrs.values()) and _arrays(op, all_reads(op)):
            raise Unfit(f"{op.type} of arrays of tensors has no form in one kernel")
    for op in loop.ops[: loop.own]:
        if not {*_arrays(op)} <= {*lists}:
            raise Unfit(f"{op.type} makes an array of tensors in a round")
    found = Branches(loop)
    for op in (*found.forward, *found.backward):
        arrays = bool(_arrays(op)) and not concerns_lists(op)
        if any(isinstance(value, Block) for value in op.attrs.values()) or op.declared is None or arrays:
            raise Unfit(f"{op.type} has no form in one kernel")
        if has_effects(op) or (_draws(op) and not _by_key(op)) or op.declared.effects not in ("", "random"):
            raise Unfit(f"{op.type} draws random numbers, or has other effects")
        if _draws(op) and not found.inside.isdisjoint(op.output_arg_names):
            raise Unfit(f"{op.type} draws random numbers in a branch")
    return found


def _draws(op: Operator) -> bool:
    """Return whether an operator draws random numbers; it may do so in training only."""
    definition = op.declared
    if definition is None or definition.effects != "random":
        return False
    return definition.traits.training is None or definition.traits.training(op.live_attrs())


def _by_key(op: Operator) -> bool:
    """Return whether an operator may be fused, so that it draws a key and no more."""
    rule = None if op.declared is None else op.declared.traits.fuses
    return rule is not None and rule.keyed is not None


def _arrays(op: Operator, more: Iterable[str] = ()) -> list[str]:
    """Return the arrays of tensors among the Variables of an operator, and more."""
    names = dict.fromkeys([*op.input_arg_names, *op.output_arg_names, *more])
    return [name for name in names if name != EMPTY and is_array(op.block, name)]


class UnfitSizes(Unfit):
    """Raised if a loop goes round by round because of the sizes of its values."""


class FixedForm(StepForm):
    """The rounds of a loop whose values keep their shapes, and of its gradient.

    Arguments:
        loop: the compiled loop. metas: the shapes and dtypes of what it is given, by name; of an array of tensors those of its elements,
            None if the rounds say these.

    Attributes:
        flat: a block with the Variables of all operators, which have the shapes of a run.

    Raises:
        Unfit: the loop is no such loop.
    """

    def __init__(self, loop: Loop, metas: Mapping[str, Meta | None]) -> None:
        super().__init__(loop)
        if len(loop.gradients) > 1:
            raise Unfit("it has several gradients")
        if loop.condition not in loop.results:
            raise Unfit("its condition is not computed in it")
        self.branches = operators_of(loop)
        forward, behind = self.branches.forward, self.branches.backward
        self.whole, self.own = [*forward, *behind], forward
        self.lists = lists_of(loop)
        self.reads = {name: name for name in loop.results if name not in self.lists}
        self.news = dict(self.reads)
        self.ops = self._apart(forward)
        for gradient in loop.gradients:
            pairs = zip(gradient.attr("seeds"), loop.results, strict=True)
            self.arriving = {seed: name for seed, name in pairs if seed != EMPTY}
            if len(self.arriving) != sum(seed != EMPTY for seed in gradient.attr("seeds")):
                raise Unfit("two of its results have one gradient")
            self.back_ops = self._apart(behind)
        self.flat = self._inferred(metas)
        self.ops = self._taken_out(self.ops)
        for gradient in loop.gradients:
            self.back_ops = self._taken_out(self.back_ops)
            pairs = zip(gradient.attr("of"), gradient.attr("found"), strict=True)
            found = {of: each for of, each in pairs if each != EMPTY}
            self.of_states = {of: each for of, each in found.items() if of in self.reads}
            self.of_lists = {of: each for of, each in found.items() if of in self.lists}
            if any(name in self.lists and name not in found for name in self.arriving.values()):
                raise Unfit("the gradient of an array of tensors is missing")
            self._found(gradient)
        self._check_outer()

    def _apart(self, ops: Sequence[Operator]) -> list[Operator]:
        """Return the operators that operators are composed of."""
        writes = Counter(n for op in self.whole for n in op.output_arg_names)
        found: list[Operator] = []
        for op in ops:
            parts = composed(op)
            if parts != [op] and any(writes[n] > (n not in self.reads) for n in op.input_arg_names):
                raise Unfit(f"{op.type} reads a Variable that has several values in a round")
            found += parts
        return found

    def _inferred(self, metas: Mapping[str, Meta | None]) -> Block:
        """Return a block with the Variables of operators, which have the shapes that follow from these."""
        ops = [*self.ops, *self.back_ops]
        blocks = [self.block, *(gradient.attrs["sub_block"] for gradient in self.loop.gradients)]
        flat = Flat(blocks, ops, [*metas, *self.arriving])
        known = {name: meta._replace(lod_level=0) for name, meta in metas.items() if meta is not None}
        for name, meta in known.items():
            flat.variable(name).set_meta(meta)
        try:
            self._infer_all(self.ops, flat, known)
            for seed, name in self.arriving.items():
                known[seed] = flat.variable(name).meta
                flat.variable(seed).set_meta(known[seed])
            self._infer_all(self.back_ops, flat, known)
        except EnforceNotMet as error:
            raise UnfitSizes(str(error)) from error
        inside = self.branches.inside
        for op in ops:
            if not inside.isdisjoint(op.output_arg_names):
                touched = [n for n in (*op.input_arg_names, *op.output_arg_names) if n != EMPTY]
                if any(prod(flat.variable(n).meta.shape) > BRANCHING for n in touched):
                    raise UnfitSizes(f"{op.type} of a branch is large")
        tables = self._tables()
        large = next((name for name, meta in known.items() if prod(meta.shape) > LARGEST and name not in tables), None)
        if large is not None:
            raise UnfitSizes(f"{large} is large")
        if prod(known[self.loop.condition].shape) != 1:
            raise UnfitSizes("its condition is not one truth value")
        return flat

    def _tables(self) -> set[str]:
        """Return the names of which rounds take or change some rows only: their size does not matter."""
        ops = [*self.ops, *self.back_ops]
        touched = Counter(n for op in ops for n in {*op.input_arg_names, *op.output_arg_names})
        tables = Counter(name for op in ops if (name := table_of(op)) is not None)
        behind = Counter(n for op in self.back_ops if table_of(op) is not None for n in {*op.input_arg_names})
        return {name for name, n in tables.items() if name not in self.reads and touched[name] == n + behind[name]}

    def _infer_all(self, ops: Sequence[Operator], flat: Block, known: dict[str, Meta]) -> None:
        """Set the shapes of what operators make, and add them to those that are known."""
        for op in ops:
            unset = next((n for n in op.input_arg_names if n in self.lists and n not in known), None)
            if not counts_elements(op) and unset is not None:
                raise UnfitSizes(f"{op.type} reads {unset}, which is empty")
            self._infer(op, flat)
            for name in op.output_arg_names:
                if name == EMPTY:
                    continue
                meta = flat.variable(name).meta
                if meta[:2] != known.setdefault(name, meta)[:2]:
                    raise UnfitSizes(f"{name} changes its shape or dtype")

    def _infer(self, op: Operator, flat: Block) -> None:
        """Set the shapes of what an operator makes; a gradient has the shape of its Variable."""
        forward = op.forward
        if op.definition.forward is None:
            infer_outputs(op, flat)
            return
        if forward is None:  # what chooses the gradient of a branch
            flat.variable(op.outputs["X@GRAD"][-1]).set_meta(flat.variable(op.inputs["Out@GRAD"][0]).meta)
            return
        for slot, names in op.outputs.items():
            sources = forward.inputs.get(slot.removesuffix("@GRAD")) or ()
            for name, source in zip(names, sources, strict=False):
                if name != EMPTY:
                    made = flat.variable(name)
                    made.set_meta(made.meta._replace(shape=flat.variable(source).meta.shape))
