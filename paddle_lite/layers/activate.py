"""Applying an activation by its name: the `act` argument of layers."""

from __future__ import annotations

from typing import Any

from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..ops import registry

ACTIVATIONS = frozenset(
    [
        "relu",
        "leaky_relu",
        "sigmoid",
        "logsigmoid",
        "tanh",
        "tanh_shrink",
        "softplus",
        "softsign",
        "softshrink",
        "hard_shrink",
        "thresholded_relu",
        "exp",
        "log",
        "sqrt",
        "rsqrt",
        "square",
        "reciprocal",
        "abs",
        "ceil",
        "floor",
        "round",
        "sin",
        "cos",
        "asin",
        "acos",
        "atan",
        "erf",
        "gelu",
        "softmax",
        "relu6",
        "elu",
        "selu",
        "swish",
        "hard_sigmoid",
        "hard_swish",
        "brelu",
        "soft_relu",
        "stanh",
        "pow",
        "mish",
        "prelu",
    ]
)


def activate(variable: Any, act: str | dict[str, Any] | None) -> Any:
    """`variable` through the activation called `act`; as it is where `act` is None.

    Arguments:
        act: the name of an operator, or a dict {"type": name, attribute: value, ...}.
    """
    if act is None:
        return variable
    attrs = dict(act) if isinstance(act, dict) else {"type": act}
    name = attrs.pop("type", None)
    if not isinstance(name, str):
        raise ArgumentTypeError(message("act", "act", describe(act), "the name of an activation, or None"))
    if name not in ACTIVATIONS:
        raise ArgumentValueError(message("act", "act", repr(name), f"one of {', '.join(sorted(ACTIVATIONS))}"))
    return registry.get(name)(variable, **attrs) if attrs else registry.get(name).call(variable)
