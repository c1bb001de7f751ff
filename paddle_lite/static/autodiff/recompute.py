"""Recomputation: gradients with less memory, by computing values between checkpoints again during the backward pass.

Forward values that no gradient operator reads are freed as the Program runs. This module appends copies of the forward
operators of a segment, whose results the gradient operators of that segment read, so that the originals can be freed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from ..program.block import Block
from ..program.operator import Operator
from ..program.roles import OpRole
from ..program.variable import Variable
from .backward import seed
from .checkpoints import choose, read_by_gradient
from .gradient_ops import NOT_COPIED, GradientBuilder, gradient_of


def append_recomputed(
    block: Block, forward: Sequence[Operator], loss: Variable, sources: set[str], stopped: set[str], names: set[str]
) -> dict[str, Variable]:
    """Append the gradients of `loss`, recomputing values between checkpoints.

    Arguments:
        block: the block.
        forward: its operators up to the loss.
        loss: the Variable to differentiate.
        sources: the names of the Variables to differentiate by.
        stopped: the names of the Variables through which no gradient flows.
        names: the names of the checkpoints.

    Returns:
        Variable name -> its gradient.

    Raises:
        MissingVariableError: the block has no Variable with such a name.
    """
    for name in names:
        block.variable(name)
    builder = GradientBuilder(block, forward, sources, stopped, ())
    Recomputing(builder, names)
    return builder.run({loss.name: seed(block, loss, OpRole.Backward | OpRole.Loss)})


def recompute_what_pays(builder: GradientBuilder) -> None:
    """Let a builder recompute values between the checkpoints that need the least memory, if any save some."""
    names = choose(builder.block, builder.forward)
    if names:
        Recomputing(builder, names)


class Recomputing:
    """Appends the operators of a segment again before the first of them is differentiated.

    Arguments:
        builder: the builder that appends the gradients.
        checkpoints: the names of the Variables that end segments.
    """

    def __init__(self, builder: GradientBuilder, checkpoints: set[str]) -> None:
        self.builder = builder
        self.block = builder.block
        self.forward = builder.forward
        self.read_as: dict[str, str] = {}
        builder.read_as = self.read_as
        builder.before = self._before
        self.segments = _segments(builder.forward, checkpoints)
        self.segment_of = {id(op): k for k, ops in enumerate(self.segments) for op in ops}
        self.done: set[int] = set()
        self.writes = Counter(name for op in self.forward for name in op.output_arg_names)
        self.kept = checkpoints | self._crossing()

    def _crossing(self) -> set[str]:
        """Return the names that one segment writes and another reads, whose values stay alive anyway."""
        home = {name: self.segment_of.get(id(op)) for op in self.forward for name in op.output_arg_names}
        return {n for op in self.forward for n in op.input_arg_names if home.get(n) != self.segment_of.get(id(op))}

    def _before(self, op: Operator) -> None:
        k = self.segment_of.get(id(op))
        if k is not None and k not in self.done:
            self.done.add(k)
            self._again(k)

    def _again(self, k: int) -> None:
        """Append the operators that recompute the values which the gradients of segment k read and which are not kept."""
        ops = self.segments[k]
        made = {name for op in ops if self._repeatable(op) for name in _made_again(op)} - self.kept
        wanted = {name for op in ops for name in read_by_gradient(op, shapes=True)} & made
        chosen = []
        for op in reversed(ops):
            if self._repeatable(op) and wanted.intersection(op.output_arg_names):
                chosen.append(op)
                wanted.update(made.intersection(op.input_arg_names))
        names: dict[str, str] = {}
        for op in reversed(chosen):
            self._repeat(op, names, k)
        self.read_as.update({old: new for old, new in names.items() if old in made})

    def _repeatable(self, op: Operator) -> bool:
        """Return whether an operator computes the same result if it runs again after all others."""
        if op.definition.effects and not _draws_from_mask(op):
            return False
        if any(isinstance(value, Block) for value in op.attrs.values()):  # a loop or a branch writes further Variables
            return False
        if op.definition.traits.repeatable:
            return True
        written_once = all(self.writes[name] == 1 for name in op.output_arg_names)
        return written_once and not any(self._changes(name) for name in op.input_arg_names)

    def _changes(self, name: str) -> bool:
        """Return whether a Variable is written again, so that a later reader gets another value."""
        variable = self.block.find(name)
        lasting = variable is not None and (variable.persistable or variable.is_data)
        return self.writes[name] > (0 if lasting else 1)

    def _repeat(self, op: Operator, names: dict[str, str], k: int) -> None:
        """Append a copy of an operator whose results have new names."""
        inputs = {slot: [names.get(n, n) for n in of_slot] for slot, of_slot in op.inputs.items()}
        if _draws_from_mask(op):
            self._draw_again(op, inputs["X"], names, k)
            return
        outputs = {slot: [self._named(n, names, k) for n in of_slot] for slot, of_slot in op.outputs.items()}
        self._place(op, Operator(self.block, op.type, inputs, outputs, _attrs(op), op.line, op.definition))

    def _draw_again(self, op: Operator, x: list[str], names: dict[str, str], k: int) -> None:
        """Append the operator with its former draw: its gradient operator computes that, applied to x."""
        out = [self._named(op.outputs["Out"][0], names, k)]
        grad = gradient_of(op)
        assert grad is not None and grad.op is not None
        inputs = {"Out@GRAD": x, **{slot: list(op.outputs[slot]) for slot in grad.saved}}
        self._place(op, Operator(self.block, grad.op.type, inputs, {"X@GRAD": out}, _attrs(op), op.line, grad.op))

    def _place(self, op: Operator, again: Operator) -> None:
        again.attrs["op_role"] = int(OpRole.Backward)
        self.block.place(again)

    def _named(self, name: str, names: dict[str, str], k: int) -> str:
        """Create a Variable for a recomputed value, like the original, and return its name."""
        like = self.block.variable(name)
        new = self.block.declare_var(name=self.block.program_name(f"{name}.subprog_{k}"), type=like.type)
        new.set_meta(like.meta)
        new.stop_gradient = like.stop_gradient
        names[name] = new.name
        return new.name


def _segments(forward: Sequence[Operator], checkpoints: Iterable[str]) -> list[list[Operator]]:
    """Return the operators up to each checkpoint; those after the last one belong to no segment."""
    ends = {name: place + 1 for place, op in enumerate(forward) for name in op.output_arg_names if name in checkpoints}
    bounds = [0, *sorted(set(ends.values()))]
    return [list(forward[a:b]) for a, b in pairwise(bounds)]


def _draws_from_mask(op: Operator) -> bool:
    """Return whether an operator draws a mask in training that its gradient operator can apply again."""
    grad, traits = gradient_of(op), op.definition.traits
    if grad is None or not traits.self_adjoint or traits.training is None or not traits.training(op.live_attrs()):
        return False
    return all(op.outputs.get(slot) for slot in grad.saved) and op.block.variable(op.outputs["Out"][0]).lod_level == 0


def _made_again(op: Operator) -> list[str]:
    """Return the results that repeating an operator computes again, which do not include the mask of a dropout."""
    return op.outputs["Out"] if _draws_from_mask(op) else op.output_arg_names


def _attrs(op: Operator) -> dict:
    return {name: value for name, value in op.attrs.items() if name not in NOT_COPIED}
