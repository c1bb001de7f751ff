"""Names of Layers as Fluid 1.3 to 1.6 made them, which the files of their state dicts have: `mnist/MNIST_0/Conv2D_0.w_0`."""

from __future__ import annotations

import copy
from typing import Any

from ...core import unique_name
from ...params.attr import ParamAttr

_WEIGHT = {"_filter_param", "_img_filter", "_w", "_scale", "_scale_w", "_weight", "_alpha", "W"}
_BIAS = {"_bias_param", "_b", "_bias", "_bias_w"}
INCOMPLETE = (
    "{0}.parameters(): those of {1} are not among them, for the first call makes them. Call the Layer once before."
)
NOT_BUILT = (
    "{0} has no {1} before its first call, which tells it the sizes of its input, for it was made with a name scope."
)


class ScopedName(str):
    """The name of a Layer that was made with a name scope. It is the name of 1.8, and keeps the one of 1.6 beside it."""

    before_1_7: str


def name_before_1_7(scope: str, kind: str) -> str:
    """Return a new name as Fluid 1.6 made it.

    Arguments:
        scope: the name scope; where it is the name of a Layer, that Layer's name of 1.6 counts.
        kind: the name of the class.

    >>> name_before_1_7('net', 'Conv2D')
    'net/Conv2D_0'
    """
    return unique_name.generate(f"{getattr(scope, 'before_1_7', scope)}/{kind}")


def scoped_name(scope: str, kind: str) -> ScopedName:
    """Return a new name of a user's Layer: the scope with a number, as in 1.8."""
    name = ScopedName(unique_name.generate(scope))
    name.before_1_7 = name_before_1_7(scope, kind)
    return name


def parameter_before_1_7(name: str, layer: str) -> str:
    """Return the name that Fluid 1.6 gave a parameter.

    Arguments:
        name: the name that it has here.
        layer: the name of its Layer.
    """
    former = getattr(layer, "before_1_7", layer)
    return former + name[len(layer) :] if name.startswith(f"{layer}.") else f"{former}.{name}"


def attr_before_1_7(attr: Any, layer: str) -> Any:
    """Return what stands for a ParamAttr with the Layer's name in front of the name, as Fluid 1.6 named parameters."""
    if isinstance(attr, str):
        return f"{layer}.{attr}"
    if isinstance(attr, ParamAttr) and attr.name is not None:
        attr = copy.copy(attr)
        attr.name = f"{layer}.{attr.name}"
    return attr


def attribute_before_1_7(name: str) -> str | None:
    """Return what an attribute of layers of Fluid 1.3 to 1.6 is called today: `weight`, `bias`, or None for another."""
    return "weight" if name in _WEIGHT else "bias" if name in _BIAS else None
