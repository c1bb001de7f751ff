"""Copies of values that a Program of a file would overwrite before its gradient operators read them.

Here a gradient operator reads the value that its forward operator has read. An operator of PaddlePaddle reads what the
Variable holds at that time. So where the Variable is written in between, a file holds a copy of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...core import unique_name
from ...core.dtype import VarType
from ..operators.structural import EMPTY
from ..program.block import Block
from ..program.operator import Operator
from ..program.program import Program

COPIED = frozenset({VarType.LOD_TENSOR, VarType.LOD_TENSOR_ARRAY})


def copy_overwritten(program: Program) -> None:
    """Insert copies of the values that gradient operators read and that are overwritten before, and let them read these."""
    copies = _Copies(program)
    for block in program.blocks:
        for op in block.ops:
            if op.forward is not None:
                copies.read_by(op, op.forward)
    copies.insert()


def fresh_name(program: Program, name: str) -> str:
    """Return a name, made of this one, that no block of a Program has."""
    while True:
        made = unique_name.generate(name)
        if not any(block.has_var(made) for block in program.blocks):
            return made


class _Copies:
    """The copies to insert into a Program.

    Attributes:
        owners: index of a block -> the operator that runs it.
        writers: name -> the operators that write it.
        made: (index of a block, name, place of the write that made the value) -> the name of the copy.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.owners: dict[int, Operator] = {}
        self.writers: dict[str, list[Operator]] = {}
        self.places: dict[int, int] = {}
        self.made: dict[tuple[int, str, int], str] = {}
        for block in program.blocks:
            for place, op in enumerate(block.ops):
                self.places[id(op)] = place
                if isinstance(inner := op.attrs.get("sub_block"), Block):
                    self.owners[inner.idx] = op
                for name in op.output_arg_names:
                    self.writers.setdefault(name, []).append(op)

    def read_by(self, op: Operator, forward: Operator) -> None:
        """Let a gradient operator read copies of those values that are overwritten since its forward operator ran."""
        if isinstance(op.attrs.get("sub_block"), Block):
            return
        for slot, names in op.inputs.items():
            before = slot in forward.inputs and names == forward.inputs[slot]
            if op.type == "read_from_array_grad" and slot == "X":
                continue  # only the length of that array is read
            if before or names == forward.outputs.get(slot):
                op.inputs[slot] = [self._copy(op, forward, name, before) for name in names]

    def _copy(self, op: Operator, forward: Operator, name: str, before: bool) -> str:
        """Return the name of a copy of a value; its own name if it is not overwritten."""
        variable = forward.block.find(name) if name != EMPTY else None
        if variable is None or variable.type not in COPIED or not self._is_overwritten(op, forward, name, before):
            return name
        block, place = forward.block, self.places[id(forward)]
        writes = [p for each in self.writers.get(name, []) if (p := self._place_in(each, block)) is not None]
        last = max((p for p in writes if p < place or (p == place and not before)), default=-1)
        key = (block.idx, name, last)
        if key not in self.made:
            self.made[key] = fresh_name(self.program, f"{name}@COPY")
            copy = block.declare_var(name=self.made[key], type=variable.type)
            copy.set_meta(variable.meta)
        return self.made[key]

    def _is_overwritten(self, op: Operator, forward: Operator, name: str, before: bool) -> bool:
        """Return whether an operator that runs after the forward operator and before the gradient operator writes a name."""
        at, own = forward, True
        for block in forward.block.chain():
            place, end = self.places[id(at)], self._place_in(op, block)
            again = (
                name not in block.vars and (owner := self.owners.get(block.idx)) is not None and owner.type == "while"
            )
            for each in self.writers.get(name, []):
                written = self._place_in(each, block)
                if written is None or (end is not None and written >= end):
                    continue
                if again or written > place or (own and written == place and before):
                    return True
            if name in block.vars or block.parent is None:
                return False
            at, own = self.owners[block.idx], False
        return False

    def _place_in(self, op: Operator, block: Block) -> int | None:
        """Return the place in a block of an operator, or of the operator around it; None if it is in another block."""
        for each in self._outwards(op):
            if each.block is block:
                return self.places[id(each)]
        return None

    def _outwards(self, op: Operator) -> Iterator[Operator]:
        """Yield an operator and those whose blocks it is in."""
        each: Operator | None = op
        while each is not None:
            yield each
            each = self.owners.get(each.block.idx)

    def insert(self) -> None:
        """Insert the operators that copy, each after the write that made the value."""
        for (index, name, after), copy in sorted(self.made.items(), key=lambda item: -item[0][2]):
            block = self.program.blocks[index]
            made = Operator(block, "assign", {"X": [name]}, {"Out": [copy]}, {})
            block.place(made, after + 1)
