"""The backward engine: walks the tape from the latest entry to the earliest and adds gradients up.

`run` serves `Variable.backward` (gradients are left on the leaves) and `grad(...)`. It holds gradients as arrays; with
`differentiable` (see composed_gradients.py) it holds them as Variables, whose computation is recorded in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from heapq import heappop, heappush
from typing import Any

import numpy as np

from ..core.errors import GraphError
from ..core.mode import state
from ..core.selected_rows import SelectedRows
from ..kernels.registry import array_module
from .tape import Node, Port, next_order


class Passes:
    """Counts calls of `backward()`, so that "no pass has run" and "nothing flowed" can be told apart.

    latest: when the latest one began, on the clock that numbers tape entries.
    observers: what is told of each tape entry: `started(node)`, and `finished(node, gradients)`, None after an error.
    """

    count = 0
    latest = -1
    observers: tuple[Any, ...] = ()

    @classmethod
    def begin(cls) -> None:
        cls.count += 1
        cls.latest = next_order()


FREED = (
    "backward: the recorded computation was freed by an earlier backward(). Run the forward computation again, or keep it "
    "with backward(retain_graph=True)."
)


def add(a: Any, b: Any, owned: bool) -> Any:
    """The sum of two gradients; into `a` itself when we own it."""
    if owned and type(a) is type(b) is np.ndarray:
        a += b
        return a
    if isinstance(a, SelectedRows):
        if isinstance(b, SelectedRows):
            return a.concat(b, module_of(a.values))
        return a.added_to(b.copy(), module_of(b))
    if isinstance(b, SelectedRows):
        return b.added_to(a if owned else a.copy(), module_of(a))
    if owned:
        a += b
        return a
    return a + b


def module_of(array: Any) -> Any:
    """Return the array module of a gradient."""
    return array_module("gpu" if type(array).__module__.split(".")[0] == "cupy" else "cpu")


def target(edge: Any) -> Any:
    """The tape entry or leaf that an edge leads to."""
    return edge.node if type(edge) is Port else edge


def push(edge: Any, gradient: Any, stamp: int, heap: list, leaves: dict, own: bool = True) -> None:
    """Send a gradient along an edge: to a tape entry, which is queued at its first gradient, or to a leaf."""
    kind = type(edge)
    if kind is Node:
        slot = 0
    elif kind is Port:
        slot, edge = edge.slot, edge.node
    else:
        known = leaves.get(edge)
        if known is None:
            leaves[edge] = [gradient, False]
        else:
            known[0] = add(known[0], gradient, known[1])
            known[1] = own
        return
    if edge.grads is None or edge.stamp != stamp:
        if kind is Node:
            edge.grads = [gradient]
        else:
            edge.grads = [None] * len(edge.metas)
            edge.grads[slot] = gradient
        edge.owned = None
        edge.stamp = stamp
        heappush(heap, (-edge.order, edge))
    elif edge.grads[slot] is None:
        edge.grads[slot] = gradient
    else:
        if edge.owned is None:
            edge.owned = [False] * len(edge.grads)
        edge.grads[slot] = add(edge.grads[slot], gradient, edge.owned[slot])
        edge.owned[slot] = own


def run(
    roots: Sequence[Any],
    seeds: Sequence[Any],
    *,
    retain_graph: bool,
    differentiable: Callable[[Node], list] | None = None,
    allowed: Container[int] | None = None,
) -> dict:
    """Differentiate from `roots` with the given output gradients; leaf Variables with [gradient, owned] are returned.

    Gradients of inner tape entries stay in their `grads`. Only entries and leaves whose id is in `allowed` are visited;
    None visits all.
    """
    stamp = next_order()
    heap: list = []
    leaves: dict = {}
    own = differentiable is None  # sums of recorded gradients are never made in place
    observed = Passes.observers
    for root, seed in zip(roots, seeds, strict=True):
        push(root.node or root, seed, stamp, heap, leaves, own)
    before, state.retaining = state.retaining, retain_graph
    try:
        while heap:
            node = heappop(heap)[1]
            edges = node.edges
            if edges is None:
                raise GraphError(FREED)
            if allowed is not None:
                edges = tuple(e if e is not None and id(target(e)) in allowed else None for e in edges)
                if edges.count(None) == len(edges):  # its gradient is what is asked for, nothing behind it is
                    continue
            if observed:
                results = _observed(node, differentiable)
            else:
                results = node.run(node) if differentiable is None else differentiable(node)
            if not retain_graph:
                node.saved = node.edges = None
            for edge, gradient in zip(edges, results, strict=True):
                if edge is None or gradient is None:
                    continue
                kind = type(edge)
                if kind is Node and (edge.grads is None or edge.stamp != stamp):  # the common case: its first gradient
                    edge.grads = [gradient]
                    edge.owned = None
                    edge.stamp = stamp
                    heappush(heap, (-edge.order, edge))
                else:
                    push(edge, gradient, stamp, heap, leaves, own)
    finally:
        state.retaining = before
    return leaves


def _observed(node: Node, differentiable: Callable[[Node], list] | None) -> Any:
    """The gradients of a tape entry, with all observers told."""
    for observer in Passes.observers:
        observer.started(node)
    results = None
    try:
        results = node.run(node) if differentiable is None else differentiable(node)
    finally:
        for observer in reversed(Passes.observers):
            observer.finished(node, results)
    return results
