"""Creation of parameters, for Layers and for functions with parameters, in every mode."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ..core.dtype import name_of
from ..core.errors import ArgumentTypeError, DtypeError, ShapeError, TooLargeError, describe, message
from ..core.mode import state
from ..ops.support.attributes import of_kind
from .attr import Global, to_attr
from .attr import default_initializer as default_for
from .initializer import Initializer

LARGEST = 2**60 - 1
"""The most elements of a parameter: their bytes have addresses."""


def create_parameter(
    shape: Sequence[int],
    dtype: Any = "float32",
    attr: Any = None,
    is_bias: bool = False,
    default_initializer: Initializer | None = None,
    prefix: str = "create_parameter",
) -> Any:
    """Create and initialise a parameter in the current mode.

    Arguments:
        shape: a list of positive ints.
        dtype: a dtype: its name, a NumPy dtype or a VarType.
        attr: an argument of `params.attr.to_attr`.
        is_bias: whether it is a bias; this selects the default initializer (0 rather than Xavier) and the name ("b"
            rather than "w").
        default_initializer: the initializer where `attr` has none.
        prefix: the prefix of its name where `attr` has none.

    Returns:
        A parameter; None where `attr` is False.

    Raises:
        ArgumentTypeError: shape or attr has another form, or what is given as an initializer is none.
        ShapeError: a size is unknown or not positive, or no array can have so many elements.
        TooLargeError: it does not fit in memory.
        DtypeError: the parameter is not floating-point and no initializer is given.
        ArgumentValueError: another parameter of this `guard` has the name.
        ModeError: `attr` is a WeightNormParamAttr in imperative mode; only Layers accept it there.
    """
    attr = to_attr(attr)
    if attr is None:
        return None
    sizes, dtype = _sizes(shape), name_of(dtype)
    everywhere = Global.bias if is_bias else Global.weight
    initializer = attr.initializer or everywhere or default_initializer
    if initializer is not None and not isinstance(initializer, Initializer):
        where, needs = "create_parameter", "an Initializer, such as fluid.initializer.Constant(0.), or None"
        raise ArgumentTypeError(message(where, "default_initializer", describe(initializer), needs))
    if initializer is None:
        if not dtype.startswith("float"):
            raise DtypeError(
                message("create_parameter", "dtype", dtype, "a float, where no initializer is given",
                        "Name one: ParamAttr(initializer=Constant(0)).")
            )  # fmt: skip
        initializer = default_for(is_bias)
    key = f"{prefix}.{'b' if is_bias else 'w'}"
    try:
        return state.mode.parameter(sizes, dtype, attr.name, attr, initializer, prefix, key)
    except MemoryError:
        raise TooLargeError(message("create_parameter", "shape", sizes, "sizes that fit in memory")) from None


def _sizes(shape: Any) -> list[int]:
    """Return a shape as a list of ints; raise unless each is positive."""
    if not (isinstance(shape, (list, tuple)) or (isinstance(shape, np.ndarray) and shape.ndim == 1)):
        raise ArgumentTypeError(message("create_parameter", "shape", describe(shape), "a list of sizes"))
    sizes = [of_kind("INT", n) for n in shape]
    if not all(isinstance(n, int) for n in sizes):
        raise ShapeError(message("create_parameter", "shape", list(shape), "whole numbers"))
    if not sizes or min(sizes) < 1:
        raise ShapeError(message("create_parameter", "shape", sizes, "at least one size, each of 1 or more"))
    if prod(sizes) > LARGEST:
        raise ShapeError(
            message("create_parameter", "shape", sizes, f"at most {LARGEST} elements, as many as an array can have")
        )
    return sizes
