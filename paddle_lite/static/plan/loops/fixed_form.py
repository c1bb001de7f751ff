"""The form of a loop whose values keep their shapes: a state is a Variable that a round reads and writes.

The shapes are those of a run. What a round makes has the shapes that inference says of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING

from ....core.errors import EnforceNotMet
from ....ops.support.meta import Meta
from ...operators.composed import composed
from ...operators.structural import EMPTY
from ...program.block import Block
from ...program.operator import Operator
from ...program.shape_inference import infer_outputs
from ..needed import has_effects, is_array
from .branches import Branches
from .rounds import Unfit
from .step_form import StepForm
from .step_kernels import Flat

if TYPE_CHECKING:
    from .loop import Loop

LARGEST = 1 << 20
"""The limit of the elements of a value: on more, operators share their work between threads."""


BRANCHING = 1 << 16
"""The limit of the elements of a value of a branch, which may be computed in vain."""


def given_names(loop: Loop) -> list[str]:
    """Return the names that have a value before a loop: those of its arguments that are not of its block."""
    own = loop.op.attrs["sub_block"].vars
    return [name for name in loop.names if name not in own]


def operators_of(loop: Loop) -> Branches:
    """Return the operators of a loop's rounds; raise Unfit for those that cannot be part of a kernel."""
    found = Branches(loop)
    for op in (*found.forward, *found.backward):
        arrays = any(is_array(op.block, n) for n in (*op.input_arg_names, *op.output_arg_names) if n != EMPTY)
        if any(isinstance(value, Block) for value in op.attrs.values()) or op.declared is None or arrays:
            raise Unfit(f"{op.type} has no form in one kernel")
        if op.declared.effects or has_effects(op):
            raise Unfit(f"{op.type} draws random numbers, or has other effects")
    return found


class UnfitSizes(Unfit):
    """Raised if a loop goes round by round because of the sizes of its values."""


class FixedForm(StepForm):
    """The rounds of a loop whose values keep their shapes, and of its gradient.

    Arguments:
        loop: the compiled loop. metas: the shapes and dtypes of what it is given, by name.

    Attributes:
        flat: a block with the Variables of all operators, which have the shapes of a run.

    Raises:
        Unfit: the loop is no such loop.
    """

    def __init__(self, loop: Loop, metas: Mapping[str, Meta]) -> None:
        super().__init__(loop)
        if len(loop.gradients) > 1:
            raise Unfit("it has several gradients")
        if loop.condition not in loop.results:
            raise Unfit("its condition is not computed in it")
        self.branches = operators_of(loop)
        forward, behind = self.branches.forward, self.branches.backward
        self.whole, self.own = [*forward, *behind], forward
        self.reads = {name: name for name in loop.results}
        self.news = dict(self.reads)
        self.ops = self._apart(forward)
        ops = self.ops
        for gradient in loop.gradients:
            pairs = zip(gradient.attr("seeds"), loop.results, strict=True)
            self.arriving = {seed: name for seed, name in pairs if seed != EMPTY}
            if len(self.arriving) != sum(seed != EMPTY for seed in gradient.attr("seeds")):
                raise Unfit("two of its results have one gradient")
            self.back_ops = self._apart(behind)
            ops = [*self.ops, *self.back_ops]
        self.flat = self._inferred(ops, metas)
        self.ops = self._taken_out(self.ops)
        for gradient in loop.gradients:
            self.back_ops = self._taken_out(self.back_ops)
            pairs = zip(gradient.attr("of"), gradient.attr("found"), strict=True)
            self.of_states = {of: found for of, found in pairs if of in self.reads and found != EMPTY}
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

    def _inferred(self, ops: Sequence[Operator], metas: Mapping[str, Meta]) -> Block:
        """Return a block with the Variables of operators, which have the shapes that follow from these."""
        blocks = [self.block, *(gradient.attrs["sub_block"] for gradient in self.loop.gradients)]
        flat = Flat(blocks, ops, [*metas, *self.arriving])
        for name, meta in metas.items():
            flat.variable(name).set_meta(meta._replace(lod_level=0))
        for seed, name in self.arriving.items():
            flat.variable(seed).set_meta(flat.variable(name).meta)
        known = {name: flat.variable(name).meta for name in (*metas, *self.arriving)}
        try:
            for op in ops:
                self._infer(op, flat)
                for name in op.output_arg_names:
                    if (
                        name != EMPTY
                        and flat.variable(name).meta[:2] != known.setdefault(name, flat.variable(name).meta)[:2]
                    ):
                        raise UnfitSizes(f"{name} changes its shape or dtype")
        except EnforceNotMet as error:
            raise UnfitSizes(str(error)) from error
        inside = self.branches.inside
        for op in ops:
            if not inside.isdisjoint(op.output_arg_names):
                touched = [n for n in (*op.input_arg_names, *op.output_arg_names) if n != EMPTY]
                if any(prod(flat.variable(n).meta.shape) > BRANCHING for n in touched):
                    raise UnfitSizes(f"{op.type} of a branch is large")
        large = next((name for name, meta in known.items() if prod(meta.shape) > LARGEST), None)
        if large is not None:
            raise UnfitSizes(f"{large} is large")
        if prod(known[self.loop.condition].shape) != 1:
            raise UnfitSizes("its condition is not one truth value")
        return flat

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
