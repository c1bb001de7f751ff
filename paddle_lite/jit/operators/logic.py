"""`and`, `or`, `not` and comparison chains."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ...ops import compare as ops_compare
from .values import condition, constant, is_variable

Later = Callable[[], Any]

COMPARE = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


def _joined(op: Any, x: Any, y: Any) -> Any:
    sides = [condition(v if is_variable(v) else constant(bool(v))) for v in (x, y)]
    return op.call(*sides)


def and_(x: Any, later: Later) -> Any:
    """x and later(): of Variables both are computed."""
    if not is_variable(x):
        return x and later()
    y = later()
    if not is_variable(y) and isinstance(y, (bool, int, float)):
        return x if y else False
    return _joined(ops_compare.logical_and, x, y)


def or_(x: Any, later: Later) -> Any:
    """x or later(): of Variables both are computed."""
    if not is_variable(x):
        return x or later()
    y = later()
    if not is_variable(y) and isinstance(y, (bool, int, float)):
        return True if y else x
    return _joined(ops_compare.logical_or, x, y)


def not_(x: Any) -> Any:
    """not x"""
    return ops_compare.logical_not.call(condition(x)) if is_variable(x) else not x


def compare(first: Any, symbols: tuple[str, ...], *others: Later) -> Any:
    """first < others[0]() <= ..., each value computed once, those of Python only as far as they are needed."""
    left, result = first, None
    for symbol, later in zip(symbols, others, strict=True):
        right = later()
        one = COMPARE[symbol](left, right)
        result = (
            one if result is None else _joined(ops_compare.logical_and, result, one) if is_variable(result) else one
        )
        if not is_variable(result) and not result:
            return result
        left = right
    return result
