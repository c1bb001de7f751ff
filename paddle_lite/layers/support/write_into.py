"""Call an operator and write its results into existing Variables, in either mode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.mode import state


def run(
    op: Any,
    *inputs: Any,
    into: Mapping[str, Any] | None = None,
    carry: Mapping[str, Any] | None = None,
    order: str = "",
    key: str | None = None,
    recorded: Mapping[str, Any] | None = None,
    **attrs: Any,
) -> Any:
    """Call an operator, with options for where its results go and how a Program names them.

    Arguments:
        op: the declaration of the operator.
        inputs: the values of its input slots.
        into: for output slots: existing Variables to write the results into. Gradients flow through them.
        carry: for output slots: Variables that keep their value from one run to the next, such as running means. No
            gradient flows through them.
        order: output slots, separated by spaces, whose results a Program names before the others.
        key: the prefix of the names of results in a Program; the current one where it is None.
        recorded: attributes that a Program stores for Paddle, and that have no effect here.
        attrs: the operator's other attributes.

    Returns:
        The results of the operator; those that were written into Variables are included.
    """
    return state.mode.call_into(
        op, inputs, attrs, into=into or {}, carry=carry or {}, order=tuple(order.split()), key=key, recorded=recorded
    )
