"""The backward engine: visits tape entries from the latest to the earliest and accumulates gradients.

`Variable.backward` and `grad(...)` call `run`. It represents gradients as arrays. With `differentiable` (see
entries/composed_gradients.py) it represents them as Variables, whose computation is recorded on the tape.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from contextvars import ContextVar
from heapq import heappop, heappush
from typing import Any

import numpy as np

from ..core.errors import GraphError
from ..core.mode import changed, now
from ..core.selected_rows import SelectedRows
from ..kernels.registry import array_module
from .tape import Node, Port, next_order


class Passes:
    """What backward passes share.

    latest: the number that the latest call of `backward()` in this context took from `next_order`, as tape entries do.
    observers: objects whose `started(node)` and `finished(node, gradients)` are called for each visited tape entry;
        `gradients` is None after an error.
    """

    latest: ContextVar[int] = ContextVar("paddle_lite latest backward pass", default=-1)
    observers: tuple[Any, ...] = ()

    @classmethod
    def begin(cls) -> None:
        """Note that a pass begins."""
        cls.latest.set(next_order())


FREED = (
    "backward: the recorded computation was freed by an earlier backward(). Run the forward computation again, or keep it "
    "with backward(retain_graph=True)."
)


def add(a: Any, b: Any, owned: bool) -> Any:
    """Return the sum of two gradients, computed in place in `a` if it is owned."""
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
    """Return the tape entry or leaf that an edge leads to."""
    return edge.node if type(edge) is Port else edge


def push(edge: Any, gradient: Any, stamp: int, heap: list, leaves: dict, own: bool = True) -> None:
    """Add a gradient to the tape entry or leaf that an edge leads to.

    A tape entry is put into `heap` at its first gradient of the pass `stamp`. A leaf is a key of `leaves`, with
    [gradient, owned]. `own` says whether a sum that is computed here may be added to in place.
    """
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
    """Run a backward pass and return {leaf Variable: [gradient, owned]}.

    Gradients of inner tape entries are stored in their `grads`.

    Arguments:
        roots: the Variables to differentiate.
        seeds: the gradient of each root.
        retain_graph: keep saved arrays and edges of visited entries.
        differentiable: returns the gradients of an entry as recorded Variables; None computes arrays.
        allowed: the ids of the entries and leaves to visit; None visits all.

    Raises:
        GraphError: an earlier pass freed an entry.
    """
    if now().retaining != retain_graph:
        with changed(retaining=retain_graph):
            return _run(roots, seeds, retain_graph, differentiable, allowed)
    return _run(roots, seeds, retain_graph, differentiable, allowed)


def _run(
    roots: Sequence[Any],
    seeds: Sequence[Any],
    retain_graph: bool,
    differentiable: Callable[[Node], list] | None,
    allowed: Container[int] | None,
) -> dict:
    stamp = next_order()
    heap: list = []
    leaves: dict = {}
    own = differentiable is None  # recorded gradients are never added to in place
    observed = Passes.observers
    for root, seed in zip(roots, seeds, strict=True):
        push(root.node or root, seed, stamp, heap, leaves, own)
    while heap:
        node = heappop(heap)[1]
        edges = node.edges
        if edges is None:
            raise GraphError(FREED)
        if allowed is not None:
            edges = tuple(e if e is not None and id(target(e)) in allowed else None for e in edges)
            if edges.count(None) == len(edges):  # its own gradient is wanted, but none of its inputs'
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
    return leaves


def _observed(node: Node, differentiable: Callable[[Node], list] | None) -> Any:
    """Return the gradients of a tape entry; call all observers before and after."""
    for observer in Passes.observers:
        observer.started(node)
    results = None
    try:
        results = node.run(node) if differentiable is None else differentiable(node)
    finally:
        for observer in reversed(Passes.observers):
            observer.finished(node, results)
    return results
