"""Links from gradient operators to their forward operators, which files of Programs do not hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..program.block import Block
from ..program.operator import Operator
from ..program.program import Program

_SCOPES = {"while_grad": "StepScopes", "conditional_block_grad": "Scope", "recurrent_grad": "step_scopes"}
"""Gradient operator with blocks -> the slot that it shares with its forward operator."""


class _Forward:
    """The operators of one type, in order, found by the Variables of a slot."""

    def __init__(self) -> None:
        self._ops: list[Operator] = []
        self._having: dict[str, int] = {}  # slot -> how many operators have it
        self._by_names: dict[tuple[str, tuple[str, ...]], list[Operator]] = {}

    def add(self, op: Operator) -> None:
        self._ops.append(op)
        for slot, names in {**op.inputs, **op.outputs}.items():
            self._having[slot] = self._having.get(slot, 0) + 1
            self._by_names.setdefault((slot, tuple(names)), []).append(op)

    def candidates(self, slots: dict[str, list[str]]) -> Sequence[Operator]:
        """Return the operators that may have these Variables: those with the same ones in the slot that most tells them apart."""
        sure = [
            self._by_names.get((slot, tuple(names)), ())
            for slot, names in slots.items()
            if self._having.get(slot) == len(self._ops)
        ]
        return min(sure, key=len, default=self._ops)


class _Operators:
    """The operators of a block so far, by type."""

    def __init__(self, ops: Sequence[Operator] = ()) -> None:
        self._by_type: dict[str, _Forward] = {}
        for op in ops:
            self.add(op)

    def add(self, op: Operator) -> None:
        self._by_type.setdefault(op.type, _Forward()).add(op)

    def forward_of(self, op: Operator) -> Operator | None:
        """Return the last operator whose gradient `op` computes."""
        kind = _forward_type(op)
        if kind not in self._by_type:
            return None
        candidates = self._by_type[kind].candidates(_common_slots(op, kind))
        return next((each for each in reversed(candidates) if _reads_of(op, each)), None)


def link_gradients(program: Program) -> None:
    """Link gradient operators that have no link to their forward operators: the type and the Variables read must match.

    A forward operator stands before in the same block, else in the block whose gradient this one is, else in an enclosing block.
    """
    whole: dict[int, _Operators] = {}

    def others(block: Block) -> Iterator[_Operators]:
        ahead = [program.blocks[block.forward_block_idx]] if block.forward_block_idx >= 0 else []
        for each in (*ahead, *block.chain()[1:]):
            if each.idx not in whole:
                whole[each.idx] = _Operators(each.ops)
            yield whole[each.idx]

    for block in program.blocks:
        before = _Operators()
        for op in block.ops:
            if op.forward is None and _forward_type(op):
                found = (operators.forward_of(op) for operators in (before, *others(block)))
                op.forward = next((each for each in found if each is not None), None)
            before.add(op)


def _forward_type(op: Operator) -> str:
    """Return the type of the forward operator of a gradient operator; "" for another operator."""
    if op.type in _SCOPES:
        return op.type.removesuffix("_grad")
    if op.type == "without_element" or (op.type == "read_from_array" and "X_W" in op.inputs):
        return "write_to_array"
    if op.type == "write_to_array" and any("@GRAD" in name for name in op.inputs.get("X", ())[:1]):
        return "read_from_array"
    definition = op.declared
    return definition.forward.type if definition is not None and definition.forward is not None else ""


def _common_slots(op: Operator, kind: str) -> dict[str, list[str]]:
    """Return the slots of a gradient operator in which its forward operator, of this type, has the same Variables if it has them."""
    if op.type in _SCOPES:
        chosen = {_SCOPES[op.type]}
    elif "write_to_array" in (op.type, kind):
        chosen = {"I"}
    else:
        return op.inputs
    return {slot: names for slot, names in op.inputs.items() if slot in chosen}


def _reads_of(op: Operator, candidate: Operator) -> bool:
    """Return whether the Variables that a gradient operator reads are those of a forward operator."""
    slots: dict[str, Any] = {**candidate.inputs, **candidate.outputs}
    if op.type in _SCOPES:
        slots = {_SCOPES[op.type]: slots.get(_SCOPES[op.type])}
    elif candidate.type == "write_to_array":
        slots = {"I": slots.get("I"), "X_W": slots.get("X")}
        if slots["I"] is None or candidate.outputs.get("Out") != _of_gradients(op.inputs.get("X")):
            return False
    elif op.type == "write_to_array":
        made = [_of_gradients(op.inputs.get("X")), _of_gradients(op.outputs.get("Out")), op.inputs.get("I")]
        return made == [slots.get("Out"), slots.get("X"), slots.get("I")]
    return all(slots[slot] == names for slot, names in op.inputs.items() if slot in slots)


def _of_gradients(names: list[str] | None) -> list[str] | None:
    """Return the names of the Variables that gradients belong to."""
    return None if names is None else [name.partition("@GRAD")[0] for name in names]
