"""Check and convert the arguments of layer functions: Variables, numbers, lists of ints, shapes, `out` Variables."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any

import numpy as np

from ...core.dtype import VarType
from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...ops.support.attributes import of_kind

_INT = {int}
_PLAIN = {int, float, bool, str, list, tuple, type(None)}
_variables: set[type] = set()  # classes whose objects have the attributes of a Variable


def is_variable(value: Any) -> bool:
    """Return whether a value is a Variable of any mode, so that operators accept it as an input."""
    kind = value.__class__
    if kind in _variables or kind in _PLAIN:  # the common cases first: each eager call runs this
        return kind not in _PLAIN
    if hasattr(kind, "stop_gradient") and hasattr(kind, "persistable"):
        _variables.add(kind)
        return True
    return hasattr(value, "stop_gradient") and hasattr(value, "persistable")


def is_array(value: Any) -> bool:
    """Return whether a value is a Variable of a Program that holds an array of tensors (LOD_TENSOR_ARRAY)."""
    return is_variable(value) and getattr(value, "type", None) == VarType.LOD_TENSOR_ARRAY


def is_int(value: Any) -> bool:
    """Return whether a value is a Python or NumPy integer; a bool does not count as one."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_))


def as_int(value: Any) -> int | None:
    """Return the int that an attribute of 1.8.5 holds for a value; None where 1.8.5 refuses the value.

    Bools, scalars of NumPy and arrays of one element are accepted; their fractions are cut off. A Python float is refused, and float64 with it.

    >>> as_int(True), as_int(np.array([3])), as_int(np.float32(2.5)), as_int(2.0)
    (1, 3, 2, None)
    """
    if value.__class__ is int:  # the common case first: each eager call runs this
        return value
    number = None if isinstance(value, Enum) else of_kind("INT", value)
    return number if isinstance(number, int) else None


def as_ints(values: Iterable[Any]) -> list[int] | None:
    """Return `as_int` of each value, as a list; None if it refuses one of them."""
    found = []
    for value in values:
        number = as_int(value)
        if number is None:
            return None
        found.append(number)
    return found


def flag(where: str, name: str, value: Any) -> bool:
    """Return whether a value is true; raise for a text or a list, whose truth is not what it says: "False" would be true."""
    if isinstance(value, (str, bytes, list, tuple, dict)):
        raise ArgumentTypeError(message(where, name, describe(value), "True or False"))
    return bool(value)


def check_variable(where: str, name: str, value: Any) -> Any:
    """Return `value` if it is a Variable; raise an ArgumentTypeError otherwise."""
    if not is_variable(value):
        fix = "Convert it with to_variable(), or in a Program with fluid.layers.assign()."
        raise ArgumentTypeError(message(where, name, describe(value), "a Variable", fix))
    return value


def variable_list(where: str, name: str, value: Any) -> list[Any]:
    """Return a list of Variables from one Variable, or from a list or tuple of them; raise if it is empty."""
    if not isinstance(value, (list, tuple)):
        return [check_variable(where, name, value)]
    if not value:
        raise ArgumentValueError(message(where, name, "an empty list", "at least one Variable"))
    if value.__class__ is list and set(map(type, value)) <= _variables:  # the common case first
        return value[:]
    return [check_variable(where, f"{name}[{i}]", v) for i, v in enumerate(value)]


def int_input(where: str, name: str, value: Any) -> tuple[int, Any]:
    """Split an argument such as `axis` or `k`, an int or an int Variable, into (attribute, tensor input)."""
    if value.__class__ is int:  # the common case first: each eager call runs this
        return value, None
    if is_variable(value):
        return 0, value
    number = as_int(value)
    if number is not None:
        return number, None
    raise ArgumentTypeError(message(where, name, describe(value), "an int, or an int Variable of one element"))


def check_name(where: str, name: Any) -> None:
    """Raise unless an argument `name` is a string or None."""
    if name is not None and not isinstance(name, str):
        raise ArgumentTypeError(message(where, "name", describe(name), "a string, or None"))


def check_number(where: str, name: str, value: Any) -> float:
    """Convert a number, a bool or an array of one element to a float; raise for anything else, a dtype (`VarType`) included."""
    if value.__class__ is float:  # the common case first: each eager call runs this
        return value
    number = None if isinstance(value, Enum) else of_kind("FLOAT", value)
    if isinstance(number, float):
        return number
    if isinstance(number, int):  # of_kind converts every other int
        raise ArgumentValueError(message(where, name, describe(value), "a number below 2**1024"))
    raise ArgumentTypeError(message(where, name, describe(value), "a number"))


def parsed_number(where: str, name: str, value: Any) -> float:
    """Convert what `check_number` takes, or the text of a number, to a float; raise for anything else.

    It is for the arguments of which 1.8.5 takes `float(...)`.

    >>> parsed_number("scale", "scale", "2"), parsed_number("scale", "scale", 2)
    (2.0, 2.0)
    """
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            raise ArgumentTypeError(message(where, name, describe(value), "a number")) from None
    return check_number(where, name, value)


def check_int(where: str, name: str, value: Any) -> int:
    """Convert a value to an int, as `as_int` does; raise where it refuses the value."""
    if value.__class__ is int:  # the common case first: each eager call runs this
        return value
    number = as_int(value)
    if number is not None:
        return number
    raise ArgumentTypeError(message(where, name, describe(value), "an int"))


def int_list(where: str, name: str, value: Any) -> list[int]:
    """Return a list of ints from one int, a list of them, a range, or an array with one axis or one element."""
    if value.__class__ in (list, tuple) and set(map(type, value)) <= _INT:  # the common case first
        return list(value)
    if not isinstance(value, np.ndarray) or value.size == 1:
        number = as_int(value)
        if number is not None:
            return [number]
    value = listed(value)
    numbers = as_ints(value) if isinstance(value, (list, tuple)) else None
    if numbers is not None:
        return numbers
    raise ArgumentTypeError(message(where, name, describe(value), "an int or a list of ints"))


def listed(value: Any) -> Any:
    """Return a list in the place of a range or an array with one axis, such as a shape; other values as they are.

    >>> listed(np.array([2, 3])), listed(range(2)), listed((2, 3))
    ([2, 3], [0, 1], (2, 3))
    """
    if isinstance(value, np.ndarray) and value.ndim == 1:
        return value.tolist() if value.dtype.kind in "iu" else list(value)
    return list(value) if isinstance(value, range) else value


def float_list(where: str, name: str, value: Any) -> list[float]:
    """Return a list of floats from one number or a list of them."""
    if isinstance(value, (list, tuple)):
        return [check_number(where, f"{name}[{i}]", v) for i, v in enumerate(value)]
    return [check_number(where, name, value)]


def truncated(shape: Any) -> Any:
    """Return a shape whose floats are truncated: what some functions of 1.8.5 accept, as sizes that `/` computed.

    >>> truncated([2.0, 7.5, 3])
    [2, 7, 3]
    """
    if not isinstance(shape, (list, tuple)) or set(map(type, shape)) <= _INT:
        return shape
    if not any(isinstance(n, (float, np.floating)) for n in shape):
        return shape
    return [int(n) if isinstance(n, (float, np.floating)) and np.isfinite(n) else n for n in shape]


def shape_inputs(where: str, shape: Any, name: str = "shape") -> tuple[list[int], Any, list[Any] | None]:
    """Split a shape into (attribute, ShapeTensor, ShapeTensorList): the forms in which operators accept it.

    The shape is a list of ints and Variables of one element, or one int Variable. In the attribute, -1 stands for a
    size that a Variable holds.
    """
    # the common case first: each eager call runs this
    if type(shape) is list and set(map(type, shape)) <= _INT:
        return shape, None, None
    if is_variable(shape):
        return [], shape, None
    several = isinstance(shape, (list, tuple))
    sizes = as_ints(-1 if is_variable(n) else n for n in shape) if several else None
    if sizes is not None:
        if not any(map(is_variable, shape)):
            return sizes, None, None
        return sizes, None, [n if is_variable(n) else _constant(size) for n, size in zip(shape, sizes, strict=True)]
    needs = "a list of ints and Variables, or an int Variable"
    raise ArgumentTypeError(message(where, name, describe(shape), needs))


def _constant(n: int) -> Any:
    """Make an int32 Variable [1] that holds `n`."""
    from ...core.dtype import VarType
    from ...ops.shape.fill import fill_constant

    return fill_constant.call(shape=[1], dtype=int(VarType.INT32), value=float(n))


def write_to_out(result: Any, out: Any, where: str) -> Any:
    """Return `result`; where `out` is a Variable, write `result` into it and return it instead."""
    if out is None:
        return result
    check_variable(where, "out", out)
    out.take(result)
    return out
