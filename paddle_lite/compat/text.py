"""`paddle.compat`: functions that programs of 1.8 used to run on Python 2 and 3."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from paddle_lite.core.errors import ArgumentTypeError, describe, message

__all__ = ["floor_division", "get_exception_message", "int_type", "long_type", "round", "to_bytes", "to_text"]

int_type = long_type = int


def to_text(obj: Any, encoding: str = "utf-8", inplace: bool = False) -> Any:
    """Decode bytes, in a container too.

    Arguments:
        obj: bytes, or a list, set or dict that holds some; anything else is returned as it is.
        encoding: of the bytes.
        inplace: change the list, set or dict itself.

    Returns:
        The text; a new list, set or dict, or the same one with `inplace`; anything else unchanged.

    >>> to_text([b"a", "b"])
    ['a', 'b']
    """
    return _converted(obj, lambda value: _to_text(value, encoding), inplace)


def to_bytes(obj: Any, encoding: str = "utf-8", inplace: bool = False) -> Any:
    """Encode strings, in a container too.

    Arguments:
        obj: a string, or a list, set or dict that holds some; anything else is returned as it is.
        encoding: of the bytes.
        inplace: change the list, set or dict itself.

    Returns:
        The bytes; a new list, set or dict, or the same one with `inplace`; anything else unchanged.

    >>> to_bytes({"a", b"b"}) == {b"a", b"b"}
    True
    """
    return _converted(obj, lambda value: _to_bytes(value, encoding), inplace)


def _to_text(obj: Any, encoding: str) -> Any:
    """Decode one value, if it is bytes."""
    return obj.decode(encoding) if isinstance(obj, bytes) else obj


def _to_bytes(obj: Any, encoding: str) -> Any:
    """Encode one value, if it is a string."""
    return obj.encode(encoding) if isinstance(obj, str) else obj


def _converted(obj: Any, one: Callable[[Any], Any], inplace: bool) -> Any:
    """Apply `one` to a value, or to all values in a container."""
    result: Any
    if isinstance(obj, (list, set)):
        result = type(obj)(_converted(item, one, inplace) for item in obj)
    elif isinstance(obj, dict):
        result = {_converted(key, one, inplace): _converted(value, one, inplace) for key, value in obj.items()}
    else:
        return one(obj)
    if not inplace:
        return result
    if isinstance(obj, list):
        obj[:] = result
    else:
        obj.clear()
        obj.update(result)
    return obj


def round(x: float, d: int = 0) -> float:
    """Round x to d decimal places, halves away from zero, as Python 2 does.

    Arguments:
        x: a number.
        d: decimal places; negative ones count to the left of the point.

    Returns:
        A float.

    Raises:
        ArgumentTypeError: x is not a number.

    >>> round(2.5), round(-0.5), round(1234.5, -2)
    (3.0, -1.0, 1200.0)
    """
    if not isinstance(x, (int, float)):
        raise ArgumentTypeError(message("round", "x", describe(x), "a number"))
    if not math.isfinite(x):
        return float(x)
    factor = 10.0**d
    return math.copysign(math.floor(abs(x) * factor + 0.5) / factor, x)


def floor_division(x: float, y: float) -> float:
    """Divide and round down: x // y.

    Returns:
        A number.

    >>> floor_division(-7, 2)
    -4
    """
    return x // y


def get_exception_message(exc: BaseException) -> str:
    """Return the message of an exception.

    Returns:
        A string.

    Raises:
        ArgumentTypeError: `exc` is None.

    >>> get_exception_message(ValueError("a reason"))
    'a reason'
    """
    if exc is None:
        raise ArgumentTypeError(message("get_exception_message", "exc", "None", "an exception"))
    return str(exc)
