"""Generate the backward function of an operator: from a tape entry to the gradients of its inputs."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ...core.generated import define
from ...kernels.registry import array_module
from . import gradient_places
from .dispatch import kernel_of, tuple_source
from .spec import Grad, OpDef, Slot


def targets_of(op: OpDef) -> list[Slot]:
    """Return the input slots whose gradients are computed."""
    assert op.grad is not None
    by_name = {s.name: s for s in op.inputs}
    return [by_name[t] for t in op.grad.targets]


def backward_attrs(op: OpDef) -> tuple[str, ...]:
    """Return the attributes of a call that its gradient needs."""
    grad = op.grad
    assert grad is not None
    return op.live if grad.op is None else tuple(a for a in grad.op.live if a in op.live)


def compile_backward(op: OpDef, device: str, run_composed: Callable[[OpDef, Any], list]) -> Callable:
    """Compile `backward(node)`, which returns the gradients of one tape entry in the order of its edges.

    Arguments:
        run_composed: `run_composed(op, node)` computes the gradients of an operator whose gradient is composed.
    """
    grad = op.grad
    assert grad is not None
    if grad.compose is not None:
        return _backward_by_calls(op, run_composed)
    runs = _gradient_op(op)
    slots = {s.name: s for s in (*op.inputs, *op.outputs)}
    lines = ["def backward(node):"]
    if op.one_flows:
        incoming = ["node.grads[0]"]
    else:
        lines += ["    g = filled(node, xp)"]
        incoming, position = [], 0
        for name in grad.incoming:
            if slots[name].many:
                incoming.append(f"g[{position}:]")  # a list output stands last among those with gradients
            else:
                incoming.append(f"g[{position}]")
                position += 1
    if grad.via is None:
        count = len(grad.saved)
        arguments = [*(f"s[{i}]" for i in range(count)), *incoming]
        lines += ["    s = node.saved"] if count else []
    else:
        arguments = _in_order(grad, incoming, runs)
    targets = targets_of(op)
    many = any(s.many for s in targets)
    kernel = kernel_of(runs, device)
    if runs.wants_need:
        if many:
            arguments.append("need=need_of(node, targets)")
        else:
            edges = [f"e{i}" for i in range(len(targets))]
            lines += [f"    {', '.join(edges)}, = node.edges"]
            arguments.append("need=" + tuple_source([f"{edge} is not None" for edge in edges]))
            if "into" in inspect.signature(kernel).parameters:
                arguments.append(f"into={tuple_source([f'take({edge})' for edge in edges])} if places else None")
    if grad.via is not None:
        arguments += ["lod=node.attrs['lod']"] if runs.needs_lod else []
        arguments += ["**{**defaults, **attrs_of(node.attrs)}" if grad.attrs else "**defaults"]
    else:
        keys = [*backward_attrs(op), *(["lod"] if runs.needs_lod else [])]
        lines += ["    a = node.attrs"] if keys else []
        arguments += [f"{key}=a[{key!r}]" for key in keys]
    call = f"kernel({', '.join(arguments)})"
    if many and grad.via is not None:
        lines += [f"    return ({call},) * len(node.edges)"]
    elif many:
        lines += [f"    r = {call}", "    return flat(r, targets)"]
    else:
        lines += [f"    return ({call},)" if len(targets) == 1 else f"    return {call}"]
    scope: dict[str, Any] = {
        "kernel": kernel, "take": gradient_places.take, "places": gradient_places.places, "filled": _filled, "flat": _flat, "targets": targets, "need_of": _need_of,
        "xp": array_module(device), "__name__": __name__,
        "defaults": runs.defaults(), "attrs_of": grad.attrs,
    }  # fmt: skip
    function = define(f"{op.type} backward on {device}", "backward", "\n".join(lines) + "\n", scope)
    function.op = op  # type: ignore[attr-defined]
    return function


def _in_order(grad: Grad, incoming: list[str], runs: OpDef) -> list[str]:
    """Return the arguments for an operator named by `via`: the values of `reads`, in the order of its inputs."""
    saved = {name: f"node.saved[{i}]" for i, name in enumerate(grad.saved)}
    arrived = iter(incoming)
    arguments = [saved[r] if r in saved else next(arrived) for r in grad.reads]
    return arguments + ["None"] * (len(runs.inputs) - len(arguments))


def _gradient_op(op: OpDef) -> OpDef:
    """Return the operator that computes the gradient of `op`: its gradient operator, or the one named by `via`."""
    from .registry import get

    assert op.grad is not None
    return op.grad.op if op.grad.op is not None else get(op.grad.via)  # type: ignore[arg-type]


def _filled(node: Any, xp: Any) -> list:
    """Return the gradients of a tape entry's outputs, with zeros for outputs that received none."""
    return [
        xp.zeros(m.shape, m.dtype) if g is None and m is not None else g
        for g, m in zip(node.grads, node.metas, strict=True)
    ]


def _need_of(node: Any, targets: list[Slot]) -> tuple:
    """Return which gradients are needed, as a tuple for a list slot (which stands last or alone)."""
    wanted = [e is not None for e in node.edges]
    need: list[Any] = []
    for slot in targets:
        need.append(tuple(wanted[len(need) :]) if slot.many else wanted[len(need)])
    return tuple(need)


def _flat(result: Any, targets: list[Slot]) -> list:
    results = (result,) if len(targets) == 1 else result
    flat: list[Any] = []
    for value, slot in zip(results, targets, strict=True):
        if slot.many:
            flat.extend(value)
        else:
            flat.append(value)
    return flat


def _backward_by_calls(op: OpDef, run_composed: Callable[[OpDef, Any], list]) -> Callable:
    """Return the backward function of an operator whose gradient is computed by calling other operators."""

    def backward(node: Any) -> Any:
        return run_composed(op, node)

    backward.op = op  # type: ignore[attr-defined]
    return backward
