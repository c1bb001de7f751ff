"""Which operators of a block have to run, and when a value is read for the last time."""

from __future__ import annotations

from collections.abc import Iterable

from ..block import Block
from ..operator import Operator

PASSED_BY = frozenset({"feed", "fetch"})
"""Operators that stand in saved models only: the Executor itself feeds and fetches."""


def needed_operators(block: Block, fetches: Iterable[str]) -> list[Operator]:
    """The operators whose results somebody can observe, in their order.

    Those are fetched Variables, persistable ones, and effects such as printing; what they are computed from follows.
    """
    needed = set(fetches)
    kept = []
    for op in reversed(block.ops):
        if op.type in PASSED_BY:
            continue
        outputs = op.output_arg_names
        if has_effects(op) or any(n in needed or _persists(block, n) for n in outputs):
            kept.append(op)
            needed.difference_update(n for n in outputs if n not in op.input_arg_names)
            needed.update(op.input_arg_names)
    return kept[::-1]


def has_effects(op: Operator) -> bool:
    """Whether running it does something that its outputs do not show; a type we do not know is kept, to be named."""
    definition = op.declared
    return definition is None or definition.effects == "io"


def _persists(block: Block, name: str) -> bool:
    variable = block.find(name)
    return variable is not None and variable.persistable


def read_first(ops: Iterable[Operator], fetches: Iterable[str]) -> list[str]:
    """The names that are read before any of the operators has written them."""
    written: set[str] = set()
    first: dict[str, None] = {}
    for op in ops:
        for name in op.input_arg_names:
            if name not in written:
                first[name] = None
        written.update(op.output_arg_names)
    for name in fetches:
        if name not in written:
            first[name] = None
    return list(first)
