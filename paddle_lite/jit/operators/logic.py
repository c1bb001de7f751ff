"""`and`, `or`, `not` and comparison chains."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ...ops.math import compare as ops_compare
from ...ops.shape import shape as shape_ops
from ...static.program import nested_blocks
from .branches import chosen
from .sizes import truth
from .values import condition, constant, is_variable

Later = Callable[[], Any]

COMPARE = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


def _later(x: Any, later: Later, run_where: bool) -> tuple[Any, Any]:
    """Evaluate later() for where x equals `run_where`. Return (its value, None), or (None, the combined value)."""
    with nested_blocks.nested_block() as block:
        y = truth(later())
    simple = all(op.definition.traits.speculatable or _slices_sizes(op, block) for op in block.ops)
    if simple:
        nested_blocks.merge_into_parent(block)
        return y, None
    return None, chosen(x, block, y if is_variable(y) else bool(y), run_where)


def _slices_sizes(op: Any, block: Any) -> bool:
    """Tell whether an operator slices the sizes of a Variable, as `sizes.size` does, which cannot fail."""
    source = block.find(op.input("Input")[0]) if op.type == shape_ops.slice.type else None
    return source is not None and source.op is not None and source.op.type == shape_ops.shape.type


def _joined(op: Any, x: Any, y: Any) -> Any:
    sides = [condition(v if is_variable(v) else constant(bool(v))) for v in (x, y)]
    return op.call(*sides)


def and_(x: Any, later: Later) -> Any:
    """Return `x and later()`. Of a Variable x, later() runs only where x is true, unless it has no effects and cannot fail."""
    x = truth(x)
    if not is_variable(x):
        return x and later()
    y, both = _later(x, later, True)
    if both is not None:
        return both
    if not is_variable(y) and isinstance(y, (bool, int, float)):
        return x if y else False
    return _joined(ops_compare.logical_and, x, y)


def or_(x: Any, later: Later) -> Any:
    """Return `x or later()`. Of a Variable x, later() runs only where x is false, unless it has no effects and cannot fail."""
    x = truth(x)
    if not is_variable(x):
        return x or later()
    y, both = _later(x, later, False)
    if both is not None:
        return both
    if not is_variable(y) and isinstance(y, (bool, int, float)):
        return True if y else x
    return _joined(ops_compare.logical_or, x, y)


def not_(x: Any) -> Any:
    """Return `not x`."""
    x = truth(x)
    return ops_compare.logical_not.call(condition(x)) if is_variable(x) else not x


def compare(first: Any, symbols: tuple[str, ...], *others: Later) -> Any:
    """Return `first < others[0]() <= others[1]() ...`; each operand is computed once, and only where it is needed."""
    right = others[0]()
    one = COMPARE[symbols[0]](first, right)
    if len(symbols) == 1:
        return one
    return and_(one, lambda: compare(right, symbols[1:], *others[1:]))
