"""Python's operators in every mode: the operator that each calls, and the conversion of numbers beside Variables."""

from __future__ import annotations

import math
from typing import Any

from ...core.errors import ArgumentValueError, message
from ..math import compare, elementwise

ARITHMETIC: dict[str, Any] = {
    "add": elementwise.elementwise_add, "sub": elementwise.elementwise_sub, "mul": elementwise.elementwise_mul,
    "truediv": elementwise.elementwise_div, "pow": elementwise.elementwise_pow, "mod": elementwise.elementwise_mod,
    "floordiv": elementwise.elementwise_floordiv,
}  # fmt: skip
COMPARISONS: dict[str, Any] = {
    "lt": compare.less_than, "le": compare.less_equal, "gt": compare.greater_than, "ge": compare.greater_equal,
    "eq": compare.equal, "ne": compare.not_equal,
}  # fmt: skip
OF_NONE = {"eq": False, "ne": True}
"""What a comparison with None says, without an operator."""
SYMBOLS = {
    "elementwise_add": "+", "elementwise_sub": "-", "elementwise_mul": "*", "elementwise_div": "/", "elementwise_pow": "**",
    "elementwise_mod": "%", "elementwise_floordiv": "//", "less_than": "<", "less_equal": "<=", "greater_than": ">",
    "greater_equal": ">=", "equal": "==", "not_equal": "!=",
}  # fmt: skip
CONVERT = "Convert first: x.astype('float32')."


def without_fraction(number: float, symbol: str) -> int:
    """Return the number truncated towards zero, as operators on integer Variables read it."""
    if not math.isfinite(number):
        raise ArgumentValueError(message(f"integer Variable {symbol}", "operand", number, "a finite number", CONVERT))
    return int(number)


def whole(number: float, symbol: str) -> int:
    """Return the number as an integer; raise if it has a fraction."""
    if without_fraction(number, symbol) != number:
        raise ArgumentValueError(message(f"integer Variable {symbol}", "operand", number, "a whole number", CONVERT))
    return int(number)


def scaling(op: str, number: float, reflected: bool, integer: bool) -> dict[str, Any] | None:
    """Return the attributes of the `scale` that computes x (op) number, where Paddle uses it; else None.

    Arguments:
        op: the operator's type.
        reflected: whether number (op) x is computed.
        integer: whether x holds integers; the number must then be a whole one.
    """
    if op in ("elementwise_add", "elementwise_sub", "elementwise_mul"):
        number = whole(number, SYMBOLS[op]) if integer else float(number)
    if op == "elementwise_add":
        return {"scale": 1.0, "bias": number}
    if op == "elementwise_sub":
        return {"scale": -1.0 if reflected else 1.0, "bias": number if reflected else -number}
    if op == "elementwise_mul":
        return {"scale": number, "bias": 0.0}
    if op == "elementwise_div" and not reflected and not integer and number != 0:
        return {"scale": 1.0 / number, "bias": 0.0}
    return None
