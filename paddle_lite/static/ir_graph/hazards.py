"""Which operators a Graph has to order because one overwrites what another one reads or has written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from .node import Node


def hazards(versions: Mapping[str, Sequence[Node]]) -> Iterator[tuple[Node, Node]]:
    """Yield (operator, operator that has to run after it) for the values that Variables have in turn.

    An operator that writes a value runs after the one that wrote the value before, and after those that read that value.
    Readers that are linked to it by another Variable need nothing more.
    """
    for name in sorted(versions):
        nodes = versions[name]
        for before, after in reversed(list(pairwise(nodes))):
            if not after._inputs:
                continue
            writer = after._inputs[0]
            if before._inputs:
                yield before._inputs[0], writer
            for reader in before.outputs:
                if reader is not writer and not _linked(reader, writer):
                    yield reader, writer


def _linked(first: Node, second: Node) -> bool:
    return any(second in between._outputs for between in first._outputs)
