"""Gradients computed by operator calls: rules written with operators, and all rules under `create_graph`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.errors import GraphError
from ...core.mode import changed
from ...core.selected_rows import SelectedRows
from ...ops.framework import registry
from ...ops.framework.dispatch import ArraySpec
from ...ops.framework.spec import OpDef
from ..backward import module_of
from ..tape import Node, Port
from ..variable import Variable


def _wrap(array: Any, edge: Any) -> Any:
    """Return a Variable that holds a saved array and is connected to the tape by `edge`."""
    if array is None or isinstance(array, ArraySpec):
        return array
    if edge is not None and not isinstance(edge, (Node, Port)):
        if edge.array is array:
            return edge
        out = registry.get("assign").call(edge)  # the leaf got new values after the call, which used the old ones
        out.array = array
        return out
    out = object.__new__(Variable)
    out.array, out.levels, out.node, out.stopped = array, None, edge, edge is None
    return out


def saved_variables(op: OpDef, node: Node) -> list:
    """Return the values of the forward pass that the gradient of `node` reads, as Variables connected to the tape."""
    grad = op.grad
    assert grad is not None
    lengths = {name: len(array) for name, array in zip(grad.saved, node.saved, strict=True) if isinstance(array, list)}
    edges, position = {}, 0
    for name, slot in ((t, next(s for s in op.inputs if s.name == t)) for t in grad.targets):
        if slot.many:
            end = position + lengths.get(name, len(node.edges) - position)
            edges[name] = list(node.edges[position:end])
            position = end
        else:
            edges[name] = node.edges[position]
            position += 1
    outputs = [s.name for s in op.outputs]
    variables: list[Any] = []
    for name, array in zip(grad.saved, node.saved, strict=True):
        if name in outputs:
            edge: Any = None
            if name in grad.incoming:
                edge = node if op.one_flows else Port(node, grad.incoming.index(name))
            variables.append(_wrap(array, edge))
        elif isinstance(array, list):
            variables.append([_wrap(a, e) for a, e in zip(array, edges.get(name) or [None] * len(array), strict=True)])
        else:
            variables.append(_wrap(array, edges.get(name)))
    return variables


def differentiable(node: Node) -> list:
    """Return the gradients of a tape entry as Variables, computed by operator calls that are recorded.

    Raises:
        GraphError: the entry is a call of a declared function or of `recompute`, or the gradient cannot be differentiated.
    """
    op = getattr(node.run, "op", None)
    if op is None:
        fix = "To differentiate it twice, call ProgramTranslator().enable(False), or the function without recompute."
        raise GraphError(f"grad: create_graph does not go through a declared function, nor through recompute. {fix}")
    return list(call_gradient(op, node, [_as_variable(g) for g in _complete(op, node)]))


def run_composed(op: OpDef, node: Node) -> list:
    """Return the gradients, as arrays, of a tape entry whose gradient rule is written with operators."""
    with changed(grad_enabled=False):
        results = call_gradient(op, node, [_as_variable(g) for g in _complete(op, node)])
    return [None if r is None else r.array for r in results]


def _complete(op: OpDef, node: Node) -> list:
    """Return the gradients of the outputs that the rule reads, with zeros for those that got none."""
    assert node.grads is not None
    if op.one_flows:
        return list(node.grads)
    first = next(g for g in node.grads if g is not None)
    xp = module_of(getattr(first, "array", first))
    return [
        xp.zeros(m.shape, m.dtype) if g is None and m is not None else g
        for g, m in zip(node.grads, node.metas, strict=True)
    ]


def _as_variable(gradient: Any) -> Any:
    if isinstance(gradient, Variable):
        return gradient
    if isinstance(gradient, SelectedRows):
        raise GraphError("grad: create_graph does not go through sparse gradients; use embedding(is_sparse=False).")
    return _wrap(gradient, None)


def call_gradient(op: OpDef, node: Node, incoming: list) -> list:
    """Compute the gradient rule of `op` by operator calls and return one gradient an edge.

    Raises:
        GraphError: the gradient operator has no gradient itself, and `node` has an edge that needs it.
    """
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
    """Return a copy of a gradient that has a LoD."""
    result = registry.get("assign").call(gradient)
    result.levels = lod
    return result


def _call_gradient_op(op: OpDef, arguments: list, attrs: dict, node: Node) -> Any:
    if any(isinstance(a, ArraySpec) for a in arguments):
        arguments = [_zeros_like(a) if isinstance(a, ArraySpec) else a for a in arguments]
    if op.grad is None and any(e is not None for e in node.edges):
        assert op.forward is not None
        raise GraphError(
            f"grad: create_graph needs the gradient of {op.type}, which is not declared; {op.forward.type} cannot be "
            f"differentiated twice. {op.traits.twice}".rstrip()
        )
    if op.wants_need:
        attrs["need"] = tuple(e is not None for e in node.edges)
    return op.call(*arguments, **attrs)


def _zeros_like(spec: ArraySpec) -> Any:
    """Return a Variable with the shape and dtype of an array that was not saved; its values are not read."""
    return _wrap(np.broadcast_to(np.zeros((), spec.dtype), spec.shape), None)
