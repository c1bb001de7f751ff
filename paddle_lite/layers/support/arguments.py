"""Arguments as users write them: shapes and axes of ints and Variables, and Variables that take a result."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.dtype import VarType
from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message


def is_variable(value: Any) -> bool:
    """Whether it is a Variable of some mode: anything that operators take as an input."""
    return hasattr(value, "stop_gradient") and hasattr(value, "persistable")


def is_array(value: Any) -> bool:
    """Whether it is a Program's array of tensors."""
    return is_variable(value) and getattr(value, "type", None) == VarType.LOD_TENSOR_ARRAY


def is_int(value: Any) -> bool:
    """Whether it is a whole number (a bool is none)."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_))


def check_variable(where: str, name: str, value: Any) -> Any:
    """`value` if it is a Variable, else an error."""
    if not is_variable(value):
        raise ArgumentTypeError(message(where, name, describe(value), "a Variable", "Convert it with to_variable()."))
    return value


def variables(where: str, name: str, value: Any) -> list[Any]:
    """A list of Variables from a list or tuple of them, or from one."""
    if not isinstance(value, (list, tuple)):
        return [check_variable(where, name, value)]
    if not value:
        raise ArgumentValueError(message(where, name, "an empty list", "at least one Variable"))
    return [check_variable(where, f"{name}[{i}]", v) for i, v in enumerate(value)]


def int_input(where: str, name: str, value: Any) -> tuple[int, Any]:
    """(attribute, tensor) from a number like `axis` or `k`: an int, or a Variable that holds it."""
    if is_variable(value):
        return 0, value
    if is_int(value):
        return int(value), None
    raise ArgumentTypeError(message(where, name, describe(value), "an int, or an int Variable of one element"))


def number(where: str, name: str, value: Any) -> float:
    """A float from a Python or NumPy number (a bool is none)."""
    if isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool):
        return float(value)
    raise ArgumentTypeError(message(where, name, describe(value), "a number"))


def whole(where: str, name: str, value: Any) -> int:
    """An int from a Python or NumPy one, or an error."""
    if is_int(value):
        return int(value)
    raise ArgumentTypeError(message(where, name, describe(value), "an int"))


def ints(where: str, name: str, value: Any) -> list[int]:
    """A list of ints from one int or a list of them."""
    if is_int(value):
        return [int(value)]
    if isinstance(value, (list, tuple)) and all(is_int(v) for v in value):
        return [int(v) for v in value]
    raise ArgumentTypeError(message(where, name, describe(value), "an int or a list of ints"))


def floats(where: str, name: str, value: Any) -> list[float]:
    """A list of floats from one number or a list of them."""
    if isinstance(value, (list, tuple)):
        return [number(where, f"{name}[{i}]", v) for i, v in enumerate(value)]
    return [number(where, name, value)]


_INT = {int}


def shape_inputs(where: str, shape: Any, name: str = "shape") -> tuple[list[int], Any, list[Any] | None]:
    """(attribute, ShapeTensor, ShapeTensorList) from a shape: a list of ints and [1] Variables, or one Variable.

    Sizes that Variables give stand as -1 in the attribute.
    """
    if type(shape) is list and set(map(type, shape)) <= _INT:  # the usual case, quickly
        return shape, None, None
    if is_variable(shape):
        return [], shape, None
    if isinstance(shape, (list, tuple)) and all(is_int(n) or is_variable(n) for n in shape):
        sizes = [-1 if is_variable(n) else int(n) for n in shape]
        if not any(is_variable(n) for n in shape):
            return sizes, None, None
        return sizes, None, [n if is_variable(n) else _constant(int(n)) for n in shape]
    needs = "a list of ints and Variables, or an int Variable"
    raise ArgumentTypeError(message(where, name, describe(shape), needs))


def _constant(n: int) -> Any:
    from ...core.dtype import VarType
    from ...ops.shape.fill import fill_constant

    return fill_constant.call(shape=[1], dtype=int(VarType.INT32), value=float(n))


def deliver(result: Any, out: Any, where: str) -> Any:
    """`result`, or the Variable `out` after it has taken the result."""
    if out is None:
        return result
    check_variable(where, "out", out)
    out.take(result)
    return out
