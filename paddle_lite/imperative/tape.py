"""The tape: one entry for each operator call whose result needs a gradient."""

from __future__ import annotations

import itertools
from typing import Any

next_order = itertools.count().__next__
"""Returns the number of a call or of a backward pass: later ones have larger numbers."""


def _nothing(node: Any) -> tuple:
    return ()


class Node:
    """A tape entry.

    run: `run(node)` returns the gradients of the inputs in the order of `edges`.
    edges: where each gradient goes: another Node, a Port of one, a leaf Variable, or None where it is not needed; None
        in all once the entry was freed.
    saved: the arrays that the gradient reads; attrs: the attributes that it reads.
    order: the number of the call, so that later calls are differentiated first.
    grads: the gradients of the outputs, filled by the latest backward pass; metas: shapes of several outputs.
    stamp: the backward pass that `grads` belongs to; owned: which of them may be added to in place, None: none.
    before_cut: run and edges, where `stop_gradient` was set after the call.
    """

    __slots__ = (
        "__weakref__",
        "attrs",
        "before_cut",
        "edges",
        "grads",
        "metas",
        "order",
        "owned",
        "run",
        "saved",
        "stamp",
    )

    run: Any
    edges: tuple
    saved: Any
    attrs: dict[str, Any]
    order: int
    grads: list | None
    metas: tuple
    stamp: int
    owned: list[bool] | None
    before_cut: tuple

    def cut(self, stop: bool) -> None:
        """Let no gradient flow further back than this entry; or let it flow again."""
        if stop and self.run is not _nothing:
            self.before_cut = (self.run, self.edges)
            self.run, self.edges = _nothing, ()
        elif not stop and self.run is _nothing and self.edges is not None:  # None: freed in between
            self.run, self.edges = self.before_cut


class Port:
    """One output of an operator that has several."""

    __slots__ = ("node", "slot")

    def __init__(self, node: Node, slot: int) -> None:
        self.node = node
        self.slot = slot
