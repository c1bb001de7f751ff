"""Convert the sizes, strides and paddings of windows from the forms that users write."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from .arguments import as_ints


def pair(where: str, name: str, value: Any, n: int = 2) -> list[int]:
    """Return a list of `n` ints from one int (repeated) or from `n` of them."""
    several = isinstance(value, (list, tuple))
    numbers = as_ints(value if several else [value] * n)
    if numbers is not None and len(numbers) == n:
        return numbers
    raise ArgumentTypeError(message(where, name, describe(value), f"an int or {n} ints"))


def padding_attrs(where: str, value: Any, channels_last: bool = False, n: int = 2) -> tuple[list[int], str]:
    """Return (paddings, padding_algorithm) from a padding argument.

    The argument is one number; one number a dimension; two numbers (before, after) a dimension in a flat list; a list
    of [before, after] pairs for the batch, the channels and each spatial dimension, where batch and channels have [0,
    0]; or "SAME" or "VALID".
    """
    if isinstance(value, str):
        algorithm = value.upper()
        if algorithm not in ("SAME", "VALID"):
            raise ArgumentValueError(message(where, "padding", repr(value), '"SAME", "VALID" or numbers'))
        return [0] * n, algorithm
    if isinstance(value, (list, tuple)) and value and all(isinstance(v, (list, tuple)) for v in value):
        return _pairs(where, value, channels_last, n), "EXPLICIT"
    if isinstance(value, (list, tuple)) and len(value) == 2 * n:
        paddings = pair(where, "padding", value, 2 * n)
        return _short(paddings, n), "EXPLICIT"
    return pair(where, "padding", value, n), "EXPLICIT"


def _short(paddings: list[int], n: int) -> list[int]:
    """Merge (before, after) into one number a dimension if they are equal in each dimension."""
    if all(paddings[2 * i] == paddings[2 * i + 1] for i in range(n)):
        return paddings[::2]
    return paddings


def _pairs(where: str, value: Any, channels_last: bool, n: int) -> list[int]:
    """Return the paddings of the spatial dimensions from a list of [before, after] pairs for all dimensions."""
    outer, inner = ([value[0], value[-1]], value[1:-1]) if channels_last else (value[:2], value[2:])
    if len(value) != n + 2 or any(len(v) != 2 for v in value) or any(list(v) != [0, 0] for v in outer):
        raise ArgumentValueError(
            message(
                where, "padding", value, f"{n + 2} pairs, [0, 0] for batch and channels", "Pad these with layers.pad."
            )
        )
    return _short([int(p) for side in inner for p in side], n)
