"""Weight normalisation in Layers: weights kept as a length and a direction, for WeightNormParamAttr."""

from __future__ import annotations

import math
from typing import Any

from ..core import unique_name
from ..core.errors import ArgumentValueError, message
from ..ops.framework import registry
from ..params.attr import WeightNormParamAttr
from ..params.create import create_parameter


class NormalizedWeight:
    """A weight as two parameters, returned by a Layer's `create_parameter` for a WeightNormParamAttr.

    Assigning it to an attribute of a Layer registers the parameters `<name>_g` and `<name>_v`. Reading the attribute
    computes the weight g * v / ||v||.

    Arguments:
        g: the lengths, of v's shape with size 1 in every dimension except `dim`.
        v: the direction.
        dim: the dimension that has one length for each index; None for a single length.
    """

    def __init__(self, g: Any, v: Any, dim: int | None) -> None:
        self.g, self.v, self.dim = g, v, dim

    def weight(self) -> Any:
        """Return g * v / ||v||."""
        call = {name: registry.get(name).call for name in ("elementwise_div", "elementwise_mul", "reshape2")}
        share = call["elementwise_div"](self.g, _lengths(self.v, self.dim))
        flat, _ = call["reshape2"](share, None, None, shape=[math.prod(share.shape)])
        return call["elementwise_mul"](self.v, flat, axis=-1 if self.dim is None else self.dim)


def _lengths(v: Any, dim: int | None) -> Any:
    """Return the Euclidean length of v for each index of `dim`, in the shape of g."""
    others = [axis for axis in range(len(v.shape)) if axis != dim]
    squares = registry.get("square").call(v)
    sums = registry.get("reduce_sum").call(squares, dim=others, keep_dim=True, reduce_all=dim is None)
    return registry.get("sqrt").call(sums)


def normalized_weight(
    shape: list[int], dtype: Any, attr: WeightNormParamAttr, is_bias: bool, default_initializer: Any, prefix: str
) -> NormalizedWeight:
    """Return a new NormalizedWeight of this shape; the arguments are those of `create_parameter`.

    Raises:
        ArgumentValueError: the weight has no dimension `attr.dim`.
    """
    if attr.dim is not None and not 0 <= attr.dim < len(shape):
        needs = f"0 to {len(shape) - 1}, or None, for a weight of shape {list(shape)}"
        raise ArgumentValueError(message("WeightNormParamAttr", "dim", attr.dim, needs))
    name = attr.name or unique_name.generate(f"{prefix}.{'b' if is_bias else 'w'}")
    v = create_parameter(shape, dtype, attr.part(f"{name}_v"), is_bias, default_initializer)
    sizes = [n if axis == attr.dim else 1 for axis, n in enumerate(shape)]
    g = create_parameter(sizes, dtype, attr.part(f"{name}_g"), is_bias, default_initializer)
    g.set_value(_lengths(v, attr.dim))
    return NormalizedWeight(g, v, attr.dim)
