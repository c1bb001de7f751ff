"""Checks that indices, labels and counts are within their range."""

from __future__ import annotations

from functools import partial
from typing import Any

from .errors import ArgumentValueError, DtypeError, IndexRangeError, message
from .indexed import checked_later


def require_integers(where: str, argument: str, index: Any) -> None:
    """Raise unless the array is int32 or int64."""
    if index.dtype.kind != "i" or index.dtype.itemsize < 4:
        raise DtypeError(message(where, argument, f"dtype {index.dtype}", "int64 or int32", "Convert it with cast()."))


def require_range(where: str, argument: str, index: Any, size: int) -> None:
    """Raise unless the array is int32 or int64 and every element lies in [0, size); negative indices are outside."""
    require_integers(where, argument, index)
    if checked_later(f"{where} {argument}", index, size, partial(_outside, where, argument)):
        return
    # negative numbers are huge as unsigned
    if index.size and int(index.view(f"u{index.dtype.itemsize}").max()) >= size:
        lowest, highest = int(index.min()), int(index.max())
        raise IndexRangeError(out_of_range_text(where, argument, lowest if lowest < 0 else highest, size))


def _outside(where: str, argument: str, worst: int, size: int) -> IndexRangeError:
    return IndexRangeError(out_of_range_text(where, argument, worst, size))


def out_of_range_text(where: str, argument: str, worst: int, size: int) -> str:
    """Return the error text for an index outside of [0, size)."""
    return message(where, argument, worst, f"indices from 0 to {size - 1}")


def require_count(where: str, argument: str, count: int, shape: tuple[int, ...]) -> None:
    """Raise unless `count` is at least 1 and at most the length of the last axis of this shape (-1: unknown)."""
    columns = shape[-1] if shape else 0
    if count < 1 or (columns != -1 and count > columns):
        needs = f"1 to {columns}, the length of the last axis of shape {list(shape)}"
        raise ArgumentValueError(message(where, argument, count, needs))


def require_probabilities(where: str, X: Any) -> None:
    """Raise unless every element lies in [0, 1]."""
    if X.size and not (X.min() >= 0 and X.max() <= 1):
        worst = float(X.min()) if not X.min() >= 0 else float(X.max())
        fix = "Apply sigmoid() first, or use sigmoid_cross_entropy_with_logits()."
        raise ArgumentValueError(message(where, "Input(X)", worst, "probabilities from 0 to 1", fix))
