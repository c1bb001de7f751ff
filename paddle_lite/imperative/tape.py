"""The tape: one entry (Node) for each operator call whose result needs a gradient."""

from __future__ import annotations

import itertools
from typing import Any

next_order = itertools.count().__next__
"""Return the next number for a call or a backward pass; numbers increase with time."""


def _nothing(node: Any) -> tuple:
    return ()


class Node:
    """A tape entry: one recorded call of an operator.

    run: `run(node)` returns the gradients of the inputs in the order of `edges`.
    edges: the destination of each gradient: a Node, a Port, a leaf Variable, or None if the gradient is not needed. It
        is None instead of a tuple after the entry was freed.
    saved: the arrays that the gradient reads.
    attrs: the attributes that the gradient reads.
    order: the number of the call; calls with larger numbers are differentiated first.
    grads: the gradients of the outputs, written by the latest backward pass.
    metas: shapes and dtypes of the outputs, if there are several.
    stamp: the number of the backward pass that wrote `grads`.
    owned: for each of `grads` whether it may be added to in place; None if none may.
    before_cut: `run` and `edges` from before `stop_gradient` was set after the call.
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
        """Stop gradients at this entry, or undo that if `stop` is False."""
        if stop and self.run is not _nothing:
            self.before_cut = (self.run, self.edges)
            self.run, self.edges = _nothing, ()
        elif not stop and self.run is _nothing and self.edges is not None:  # None if it was freed since the cut
            self.run, self.edges = self.before_cut


class Port:
    """One output of a tape entry that has several: the entry and the index of the output."""

    __slots__ = ("node", "slot")

    def __init__(self, node: Node, slot: int) -> None:
        self.node = node
        self.slot = slot
