"""tree_conv: convolution over the nodes of trees."""

from __future__ import annotations

from math import prod
from typing import Any

from ...core.errors import ArgumentValueError, IndexRangeError, ShapeError, message
from ..framework.spec import Declaration, Grad, op
from ..support.meta import Meta
from ..support.require import require_dtype, require_floats, require_shape
from ..support.shape_rules import UNKNOWN


def _check(NodesVector: Any, EdgeSet: Any, Filter: Any, max_depth: int) -> None:
    require_floats("tree_conv", NodesVector=NodesVector, Filter=Filter)
    require_dtype("tree_conv", "EdgeSet", EdgeSet, "int32")
    for slot, meta, rank, needs in (
        ("NodesVector", NodesVector, 3, "shape [N, nodes, features]"),
        ("EdgeSet", EdgeSet, 3, "shape [N, edges, 2]"),
        ("Filter", Filter, 4, "shape [features, 3, outputs, filters]"),
    ):
        if len(meta.shape) != rank:
            raise ShapeError(message("tree_conv", f"Input({slot})", f"shape {list(meta.shape)}", needs))
    require_shape("tree_conv", "EdgeSet", EdgeSet, (NodesVector.shape[0], UNKNOWN, 2))
    require_shape("tree_conv", "Filter", Filter, (NodesVector.shape[2], 3, UNKNOWN, UNKNOWN))
    if max_depth < 2:
        raise ArgumentValueError(message("tree_conv", "attribute 'max_depth'", max_depth, "2 or more"))


def _children(edges: list, nodes: int) -> tuple[list[list[int]], int]:
    """Return the children of each node, counted from 0, and how many nodes the tree has.

    An edge [parent, child] counts nodes from 1; those behind one with a 0 are left out.
    """
    whole = [(u, v) for u, v in edges if u and v]
    used = len(whole) + 1
    if used > nodes:
        needs = f"at most {nodes - 1} edges, for NodesVector holds {nodes} nodes"
        raise ShapeError(message("tree_conv", "Input(EdgeSet)", f"{len(whole)} edges", needs))
    children: list[list[int]] = [[] for _ in range(nodes)]
    for u, v in edges:
        if not (u and v):
            break
        if not (1 <= u <= used and 1 <= v <= used):
            needs = f"nodes from 1 to {used}, for a tree of {len(whole)} edges, or 0 behind the last edge"
            raise IndexRangeError(message("tree_conv", "Input(EdgeSet)", f"edge {[u, v]}", needs))
        children[u - 1].append(v - 1)
    return children, used


def _shares(children: list[list[int]], root: int, max_depth: int) -> list[tuple[int, list[float]]]:
    """Return the nodes within `max_depth` of a root, each with its weights for the left, right and top filter."""
    found = [(root, [0.0, 0.0, 1.0])]
    seen, stack = {root}, [(root, 1)]
    while stack:
        node, depth = stack.pop()
        if depth == max_depth:
            continue
        top = (max_depth - depth) / max_depth
        for place, child in enumerate(children[node]):
            if child in seen:
                continue
            seen.add(child)
            several = len(children[node]) - 1
            left = (1 - top) * (place / several if several else 0.5)
            found.append((child, [left, (1 - top) * (1 - left), top]))
            stack.append((child, depth + 1))
    return found


def _windows(xp: Any, EdgeSet: Any, nodes: int, max_depth: int, dtype: Any) -> Any:
    """Return [N, nodes, 3, nodes]: the weights of each node (last axis) in the windows of the others, by filter."""
    places, shares = [], []
    for image, edges in enumerate(EdgeSet.tolist()):
        children, used = _children(edges, nodes)
        for root in range(used):
            for node, share in _shares(children, root, max_depth):
                places.append((image * nodes + root) * nodes + node)
                shares.append(share)
    windows = xp.zeros((len(EdgeSet) * nodes * nodes, 3), dtype)
    windows[xp.asarray(places, dtype="int64")] = xp.asarray(shares, dtype=dtype).reshape(-1, 3)
    return windows.reshape(-1, nodes, nodes, 3).transpose(0, 1, 3, 2)


def _patches(xp: Any, windows: Any, X: Any) -> Any:
    """Return the inputs of the filters, [N, nodes, features * 3]."""
    n, nodes, features = X.shape
    mixed = xp.matmul(windows.reshape(n, nodes * 3, nodes), X).reshape(n, nodes, 3, features)
    return mixed.transpose(0, 1, 3, 2).reshape(n, nodes, features * 3)


@op("tree_conv", inputs="NodesVector EdgeSet Filter", outputs="Out", attrs={"max_depth": 2}, lod=None, fed_as="EdgeSet")
class tree_conv(Declaration):
    """Convolve each node of a tree with its descendants up to max_depth, with filters for left, right and top.

    Source: Mou et al., "Convolutional Neural Networks over Tree Structures for Programming Language Processing", 2016.
    """

    def infer(NodesVector, EdgeSet, Filter, *, max_depth):
        _check(NodesVector, EdgeSet, Filter, max_depth)
        n = EdgeSet.shape[0] if NodesVector.shape[0] == UNKNOWN else NodesVector.shape[0]
        return Meta((n, NodesVector.shape[1], *Filter.shape[2:]), NodesVector.dtype)

    def reference(xp, NodesVector, EdgeSet, Filter, *, max_depth):
        n, nodes, features = NodesVector.shape
        windows = _windows(xp, EdgeSet, nodes, max_depth, NodesVector.dtype)
        patches = _patches(xp, windows, NodesVector)
        return xp.matmul(patches, Filter.reshape(features * 3, -1)).reshape(n, nodes, *Filter.shape[2:])

    def gradient(xp, NodesVector, EdgeSet, Filter, dOut, *, max_depth, need=(True, True)):
        n, nodes, features = NodesVector.shape
        windows = _windows(xp, EdgeSet, nodes, max_depth, NodesVector.dtype)
        dout = dOut.reshape(n, nodes, prod(dOut.shape[2:]))
        dx = dfilter = None
        if need[0]:
            dpatches = xp.matmul(dout, Filter.reshape(features * 3, -1).T)
            mixed = dpatches.reshape(n, nodes, features, 3).transpose(0, 1, 3, 2).reshape(n, nodes * 3, features)
            dx = xp.matmul(windows.reshape(n, nodes * 3, nodes).transpose(0, 2, 1), mixed)
        if need[1]:
            patches = _patches(xp, windows, NodesVector).reshape(n * nodes, features * 3)
            dfilter = (patches.T @ dout.reshape(n * nodes, dout.shape[2])).reshape(Filter.shape)
        return dx, dfilter

    grad = Grad("NodesVector EdgeSet Filter Out@GRAD", "NodesVector@GRAD Filter@GRAD", gradient)
