"""Making parameters: the one way for Layers and for functions that own parameters, in every mode."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any

from ..core.dtype import name_of
from ..core.errors import ArgumentTypeError, DtypeError, ShapeError, describe, message
from ..core.mode import state
from .attr import Global, to_attr
from .attr import default_initializer as default_for
from .initializer import Initializer


def create_parameter(
    shape: Sequence[int],
    dtype: Any = "float32",
    attr: Any = None,
    is_bias: bool = False,
    default_initializer: Initializer | None = None,
    prefix: str = "create_parameter",
) -> Any:
    """A new, initialised parameter in the current mode; None where `attr` is False.

    Arguments:
        shape: its shape, known sizes only.
        dtype: its dtype.
        attr: what `params.attr.to_attr` takes.
        is_bias: decides the default initializer (0 rather than Xavier) and the name ("b" rather than "w").
        default_initializer: used where `attr` names none.
        prefix: what its name starts with where `attr` has none.

    Raises:
        ShapeError: a size is not known, or not positive.
        DtypeError: there is no initializer for a parameter of integers or bools.
        ArgumentValueError: another parameter of this `guard` has the name.
        ModeError: `attr` is a WeightNormParamAttr in imperative mode, which `imperative.weight_norm` is for.
    """
    attr = to_attr(attr)
    if attr is None:
        return None
    sizes, dtype = _sizes(shape), name_of(dtype)
    everywhere = Global.bias if is_bias else Global.weight
    initializer = attr.initializer or everywhere or default_initializer
    if initializer is None:
        if not dtype.startswith("float"):
            raise DtypeError(
                message("create_parameter", "dtype", dtype, "a float, where no initializer is given",
                        "Name one: ParamAttr(initializer=Constant(0)).")
            )  # fmt: skip
        initializer = default_for(is_bias)
    key = f"{prefix}.{'b' if is_bias else 'w'}"
    return state.mode.parameter(sizes, dtype, attr.name, attr, initializer, prefix, key)


def _sizes(shape: Any) -> list[int]:
    if not isinstance(shape, (list, tuple)):
        raise ArgumentTypeError(message("create_parameter", "shape", describe(shape), "a list of sizes"))
    try:
        sizes = [index(n) for n in shape]
    except TypeError:
        raise ShapeError(message("create_parameter", "shape", list(shape), "whole numbers")) from None
    if not sizes or min(sizes) < 1:
        raise ShapeError(message("create_parameter", "shape", sizes, "at least one size, each of 1 or more"))
    return sizes
