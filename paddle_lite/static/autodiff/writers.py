"""Which operators of a Program write its Variables first, found without a search of all operators for each question."""

from __future__ import annotations

from ..program.block import Block
from ..program.operator import Operator
from ..program.program import Program


class Writers:
    """The first writers of Variables in the blocks of a Program.

    Operators that are appended later, and outputs that an operator loses, change no answer; after other changes call `forget`.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._of_block: dict[int, tuple[dict[int, int], dict[str, tuple[int, Operator]]]] = {}
        self._owners: dict[int, Operator] = {}

    def forget(self) -> None:
        """Look at the operators anew."""
        self._of_block.clear()
        self._owners.clear()

    def written_before(self, op: Operator) -> list[str]:
        """Return the outputs of an operator that have a value before it runs."""
        return [name for name in op.output("Out") if self._writes(op.block, op, name) or _has_value(op.block, name)]

    def is_written(self, op: Operator, name: str) -> bool:
        """Return whether an operator that runs before this one, in its block or an enclosing one, writes a Variable."""
        before: Operator | None = op
        for block in op.block.chain():
            if self._writes(block, before, name):
                return True
            before = self._owner(block)
        return _has_value(op.block, name)

    def _writes(self, block: Block, before: Operator | None, name: str) -> bool:
        """Return whether an operator of a block before the given one, or any if that is not in it, writes a Variable."""
        places, first = self._known(block)
        place, writer = first.get(name, (len(places), None))
        end = places.get(id(before), len(places))
        if writer is None or place >= end:
            return False
        return name in writer.output_arg_names or any(name in op.output_arg_names for op in block.ops[place:end])

    def _known(self, block: Block) -> tuple[dict[int, int], dict[str, tuple[int, Operator]]]:
        """Return id of an operator of a block -> its place, and Variable name -> place and operator of its first writer."""
        known = self._of_block.get(block.idx)
        if known is None:
            first: dict[str, tuple[int, Operator]] = {}
            for place, op in enumerate(block.ops):
                for name in op.output_arg_names:
                    first.setdefault(name, (place, op))
            known = self._of_block[block.idx] = ({id(op): place for place, op in enumerate(block.ops)}, first)
        return known

    def _owner(self, block: Block) -> Operator | None:
        """Return the operator that runs a block; None for the main block."""
        if not self._owners:
            owned = (
                (op.attrs.get("sub_block"), op) for each in reversed(self._program.blocks) for op in reversed(each.ops)
            )
            self._owners = {inner.idx: op for inner, op in owned if isinstance(inner, Block)}
        return self._owners.get(block.idx)


def _has_value(block: Block, name: str) -> bool:
    """Return whether a Variable has a value before the Program runs."""
    variable = block.find(name)
    return variable is not None and (variable.is_data or variable.persistable)
