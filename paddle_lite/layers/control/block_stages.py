"""Checks of the order of calls that StaticRNN and DynamicRNN share, and calls that append to the enclosing block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...core.errors import ArgumentValueError, message
from ...core.mode import require_program
from ...static.program.block import Block


class Stage:
    """Tracks whether the block of a recurrent layer is not yet open, open or closed, and checks calls against it."""

    def __init__(self, name: str) -> None:
        require_program(f"{name}: builds a block of a Program; in imperative mode write a Python loop.")
        self.name = name
        self.stage = "before"

    def need(self, stage: str, call: str) -> None:
        """Raise unless the block is at this stage."""
        if self.stage != stage:
            where = {"inside": "inside of the block", "behind": "behind the block"}[stage]
            raise ArgumentValueError(
                message(f"{self.name}.{call}", "the call", f"made {self.stage} the block", f"one {where}")
            )


@contextmanager
def outside(block: Block) -> Iterator[None]:
    """Append the operators called inside of the `with` to the enclosing block."""
    program = block.program
    before, program.current_block_idx = program.current_block_idx, block.parent_idx
    try:
        yield
    finally:
        program.current_block_idx = before
