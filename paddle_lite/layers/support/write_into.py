"""Call an operator and write its results into existing Variables, in either mode."""

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
    """Call an operator, with options for where its results go and how a Program names them.

    Arguments:
        op: the declaration of the operator.
        inputs: the values of its input slots.
        into: for output slots: existing Variables to write the results into. Gradients flow through them.
        state: for output slots: Variables that keep their value from one run to the next, such as running means. No
            gradient flows through them.
        order: output slots, separated by spaces, whose results a Program names before the others.
        key: the prefix of the names of results in a Program; the current one where it is None.
        carried: attributes that a Program stores for Paddle, and that have no effect here.
        attrs: the operator's other attributes.

    Returns:
        The results of the operator; those that were written into Variables are included.
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
    """Return the results of an operator call as a list, one entry for each output slot."""
    return [results] if len(op.outputs) == 1 else list(results)
