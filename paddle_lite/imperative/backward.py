"""The backward engine: walks the tape from the latest entry to the earliest and adds gradients up.

`run` serves `Variable.backward` (gradients are left on the leaves) and `grad(...)`. It holds gradients as arrays; with
`create_graph` it holds them as Variables and calls the gradient operators, so that they are recorded in turn.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from heapq import heappop, heappush
from typing import Any

import numpy as np

from ..core.errors import GraphError
from ..core.mode import state
from ..core.selected_rows import SelectedRows
from ..kernels.registry import array_module
from ..ops.framework import registry
from ..ops.framework.emit import Like, engine, tick
from ..ops.framework.spec import OpDef
from .tape import Node, Port


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
        cls.latest = tick()


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
            return a.concat(b, _module(a.values))
        return a.added_to(b.copy(), _module(b))
    if isinstance(b, SelectedRows):
        return b.added_to(a if owned else a.copy(), _module(a))
    if owned:
        a += b
        return a
    return a + b


def _module(array: Any) -> Any:
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
    create_graph: bool = False,
    allowed: Container[int] | None = None,
) -> dict:
    """Differentiate from `roots` with the given output gradients; leaf Variables with [gradient, owned] are returned.

    Gradients of inner tape entries stay in their `grads`. Only entries and leaves whose id is in `allowed` are visited;
    None visits all.
    """
    stamp = tick()
    heap: list = []
    leaves: dict = {}
    own = not create_graph  # sums of recorded gradients are never made in place
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
                results = _observed(node, create_graph)
            else:
                results = node.run(node) if not create_graph else differentiable(node)
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


def _observed(node: Node, create_graph: bool) -> Any:
    """The gradients of a tape entry, with all observers told."""
    for observer in Passes.observers:
        observer.started(node)
    results = None
    try:
        results = node.run(node) if not create_graph else differentiable(node)
    finally:
        for observer in reversed(Passes.observers):
            observer.finished(node, results)
    return results


# --- gradients made by calling operators: composed gradients, and every gradient under create_graph ----------------------


def _wrap(array: Any, edge: Any) -> Any:
    """A Variable over a saved array that is connected to where its gradient goes."""
    if array is None or isinstance(array, Like):
        return array
    if edge is not None and not isinstance(edge, (Node, Port)):
        if edge.array is array:
            return edge
        out = registry.get("assign").call(edge)  # its values were set since: those of the call count
        out.array = array
        return out
    out = object.__new__(engine.Variable)
    out.array, out.levels, out.node, out.stopped = array, None, edge, edge is None
    return out


def saved_variables(op: OpDef, node: Node) -> list:
    """What the gradient of `node` reads of the forward pass, as Variables still connected to the tape."""
    grad = op.grad
    assert grad is not None
    edges, position = {}, 0
    for name, slot in ((t, next(s for s in op.inputs if s.name == t)) for t in grad.targets):
        if slot.many:
            edges[name] = list(node.edges[position:])
            position = len(node.edges)
        else:
            edges[name] = node.edges[position]
            position += 1
    outputs = [s.name for s in op.outputs]
    single = len(outputs) == 1 and not op.outputs[0].many
    variables: list[Any] = []
    for name, array in zip(grad.saved, node.saved, strict=True):
        if name in outputs:
            edge: Any = node if single else Port(node, grad.incoming.index(name)) if name in grad.incoming else None
            variables.append(_wrap(array, edge))
        elif isinstance(array, list):
            variables.append([_wrap(a, e) for a, e in zip(array, edges.get(name) or [None] * len(array), strict=True)])
        else:
            variables.append(_wrap(array, edges.get(name)))
    return variables


def differentiable(node: Node) -> list:
    """The gradients of a tape entry as Variables, made by operator calls that are themselves recorded."""
    op = getattr(node.run, "op", None)
    if op is None:
        fix = "Call ProgramTranslator().enable(False) to differentiate it twice."
        raise GraphError(f"grad: create_graph does not go through a declared function. {fix}")
    return list(call_gradient(op, node, [_as_variable(g) for g in _complete(op, node)]))


def run_composed(op: OpDef, node: Node) -> list:
    """The gradients of a tape entry whose rule is written with operators, as arrays."""
    enabled, state.grad_enabled = state.grad_enabled, False
    try:
        results = call_gradient(op, node, [_as_variable(g) for g in _complete(op, node)])
    finally:
        state.grad_enabled = enabled
    return [None if r is None else r.array for r in results]


def _complete(op: OpDef, node: Node) -> list:
    """The gradients of the outputs that the rule reads; zeros where an output of several got none."""
    assert node.grads is not None
    if len(op.outputs) == 1 and not op.outputs[0].many:
        return list(node.grads)
    first = next(g for g in node.grads if g is not None)
    xp = _module(getattr(first, "array", first))
    return [
        xp.zeros(m.shape, m.dtype) if g is None and m is not None else g
        for g, m in zip(node.grads, node.metas, strict=True)
    ]


def _as_variable(gradient: Any) -> Any:
    if isinstance(gradient, engine.Variable):
        return gradient
    if isinstance(gradient, SelectedRows):
        raise GraphError("grad: create_graph does not go through sparse gradients; use embedding(is_sparse=False).")
    return _wrap(gradient, None)


def call_gradient(op: OpDef, node: Node, incoming: list) -> list:
    """Run the gradient rule of `op` by operator calls, one result per edge."""
    grad = op.grad
    assert grad is not None
    by_name = {s.name: s for s in (*op.inputs, *op.outputs)}
    arguments: list[Any] = saved_variables(op, node)
    if any(by_name[name].many for name in grad.incoming):
        arguments.append(incoming)
    else:
        arguments.extend(incoming)
    attrs = dict(getattr(node, "attrs", None) or {})
    lod = attrs.pop("lod", None)
    if grad.compose is not None:
        results = grad.compose(*arguments, **attrs)
    elif grad.via is not None:
        saved, arrived = iter(arguments[: len(grad.saved)]), iter(arguments[len(grad.saved) :])
        ordered = [next(saved if r in grad.saved else arrived) for r in grad.reads]
        runs = registry.get(grad.via)
        if runs.needs_lod:  # a gradient has no LoD of its own
            ordered[0] = _grouped(ordered[0], lod)
        results = runs.call(*ordered, **(grad.attrs(attrs) if grad.attrs else {}))
        if by_name[grad.targets[0]].many:
            return [results] * len(node.edges)
    else:
        assert grad.op is not None
        results = _call_gradient_op(grad.op, arguments, attrs, node)
    flat: list[Any] = []
    for result, target in zip(results if len(grad.gives) > 1 else (results,), grad.targets, strict=True):
        flat.extend(result) if by_name[target].many else flat.append(result)
    return flat


def _grouped(gradient: Any, lod: Any) -> Any:
    """The same gradient with a LoD."""
    result = registry.get("assign").call(gradient)
    result.levels = lod
    return result


def _call_gradient_op(op: OpDef, arguments: list, attrs: dict, node: Node) -> Any:
    if any(isinstance(a, Like) for a in arguments):
        arguments = [_zeros_like(a) if isinstance(a, Like) else a for a in arguments]
    if op.grad is None and any(e is not None for e in node.edges):
        assert op.forward is not None
        raise GraphError(
            f"grad: create_graph needs the gradient of {op.type}, which is not declared; {op.forward.type} cannot be "
            "differentiated twice."
        )
    if op.wants_need:
        attrs["need"] = tuple(e is not None for e in node.edges)
    return op.call(*arguments, **attrs)


def _zeros_like(like: Like) -> Any:
    """A Variable of the shape of an array that was not kept (its values are not read)."""
    return _wrap(np.broadcast_to(np.zeros((), like.dtype), like.shape), None)


engine.run_composed = run_composed
