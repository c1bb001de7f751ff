"""Consistency checks of Programs, which tests run after each step that builds or changes a Program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...core.dtype import VarType
from ..operators.structural import EMPTY

if TYPE_CHECKING:
    from .block import Block
    from .operator import Operator
    from .program import Program


def lint(program: Program) -> list[str]:
    """Return one sentence for each problem; [] if there is none.

    The checks find names that no block has; Variables that are read before they are written, except data, persistable
    Variables and tensor arrays; undeclared operators, slots and attributes; slots that are missing or have too many
    Variables; Variables with a wrong reference to their block; blocks that precede their parent.
    """
    problems: list[str] = []
    for block in program.blocks:
        problems += _block(block)
    return problems


def faults_of(op: Operator) -> list[str]:
    """Return what `lint` says of one operator of a block; [] if nothing."""
    places = [place for place, each in enumerate(op.block.ops) if each is op]
    starts = tuple(_of_operator(op.block, place) for place in places)
    return [problem for problem in _block(op.block) if starts and problem.startswith(starts)]


def _of_operator(block: Block, place: int) -> str:
    return f"block {block.idx}, operator {place} ({block.ops[place].type})"


def _block(block: Block) -> Iterator[str]:
    where = f"block {block.idx}"
    if block.idx > 0 and not 0 <= block.parent_idx < block.idx:
        yield f"{where}: its parent is block {block.parent_idx}, which does not come before it."
    if block.forward_block_idx >= len(block.program.blocks):
        yield f"{where}: it belongs to block {block.forward_block_idx}, which is not there."
    for name, own in block.vars.items():
        if own.name != name:
            yield f"{where}: the Variable {own.name} is kept under the name {name}."
        if own.block is not block:
            yield f"{where}: the Variable {name} says that it belongs to another block."
    written: set[str] = set()
    for place, op in enumerate(block.ops):
        text = _of_operator(block, place)
        if op.block is not block:
            yield f"{text}: says that it belongs to another block."
        for name in op.input_arg_names:
            variable = block.find(name)
            if name == EMPTY:
                continue
            if variable is None:
                yield f"{text}: reads {name}, which no Variable is called."
            elif (
                name in block.vars and name not in written and variable.op is not None
                and not (variable.is_data or variable.persistable or variable.type == VarType.LOD_TENSOR_ARRAY)
            ):  # fmt: skip
                yield f"{text}: reads {name} before anything writes it."
        for name in op.output_arg_names:
            if name != EMPTY and block.find(name) is None:
                yield f"{text}: writes {name}, which no Variable is called."
        written.update(op.output_arg_names)
        for sentence in _declared(op):
            yield f"{text}: {sentence}"


def _declared(op: Operator) -> Iterator[str]:
    definition = op.declared
    if definition is None:
        yield "this version declares no such operator."
        return
    for which, slots, declared in (
        ("input", op.inputs, definition.inputs), ("output", op.outputs, definition.outputs)
    ):  # fmt: skip
        known = {slot.name: slot for slot in declared}
        for name, names in slots.items():
            if name not in known:
                if definition.forward is None:  # PaddlePaddle's gradient operators may have more inputs than ours
                    yield f"has no {which} slot {name}."
            elif len(names) > 1 and not known[name].many:
                yield f"its {which} slot {name} holds {len(names)} Variables, but takes one."
        if which == "input":
            for slot in declared:
                if not slot.optional and not slots.get(slot.name):
                    yield f"its input slot {slot.name} is empty."
