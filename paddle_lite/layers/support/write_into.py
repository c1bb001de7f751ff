"""Calling an operator whose results go into Variables that exist, in every mode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core import result_names
from ...core.mode import in_imperative_mode


def run(
    op: Any,
    *inputs: Any,
    into: Mapping[str, Any] | None = None,
    state: Mapping[str, Any] | None = None,
    order: str = "",
    key: str | None = None,
    carried: Mapping[str, Any] | None = None,
    **attrs: Any,
) -> Any:
    """Call an operator.

    Arguments:
        op: its declaration.
        inputs: what its slots get.
        into: Variables that become what the operator puts into an output slot, by slot.
        state: the same for what is carried from one run to the next, such as running means: gradients do not follow it.
        order: output slots whose results are named before the others in a Program.
        key: of the names of results in a Program; what it is now where it is None.
        carried: attributes that change nothing here; a Program carries them for Paddle.
        attrs: the operator's other attributes.

    Returns:
        The results, those that were written into Variables included.
    """
    into, state = into or {}, state or {}
    if in_imperative_mode():
        results = op.call(*inputs, **attrs)
        by_slot = dict(zip([s.name for s in op.outputs], _listed(op, results), strict=True)) if into or state else {}
        for slot, target in into.items():
            target.take(by_slot[slot])
        for slot, target in state.items():
            target.array = by_slot[slot].array
        return results
    names = {slot: target.name for slot, target in {**into, **state}.items()}
    with result_names.results(key or result_names.current.key, tuple(order.split()), names):
        results = op.call(*inputs, **attrs)
    if carried:
        made = next(v for v in _listed(op, results) if v is not None)
        for name, value in carried.items():
            made.op.set_attr(name, value)
    return results


def _listed(op: Any, results: Any) -> list[Any]:
    return [results] if len(op.outputs) == 1 else list(results)
