"""Images: conversions between channels-first and channels-last ones of any number of dimensions, over either array module; their margins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.errors import ArgumentValueError, ShapeError, message


def channels_last(data_format: str) -> bool:
    return data_format in ("NHWC", "NDHWC")


def to_channels_first(x: Any, data_format: str) -> Any:
    return x.transpose(0, x.ndim - 1, *range(1, x.ndim - 1)) if channels_last(data_format) else x


def from_channels_first(x: Any, data_format: str) -> Any:
    return x.transpose(0, *range(2, x.ndim), 1) if channels_last(data_format) else x


def image_axes(data_format: str) -> tuple[int, int]:
    """Return the axes of height and width."""
    if data_format not in ("NCHW", "NHWC"):
        raise ArgumentValueError(message("pad2d", "attribute 'data_format'", repr(data_format), "NCHW or NHWC"))
    return (2, 3) if data_format == "NCHW" else (1, 2)


def sides(paddings: Sequence[int | None], data_format: str) -> list[tuple]:
    """Return (before, after) for each of the four axes, from [top, bottom, left, right]."""
    if len(paddings) != 4:
        needs = "[top, bottom, left, right]"
        raise ShapeError(message("pad2d", "attribute 'paddings'", list(paddings), needs))
    pairs: list[tuple] = [(0, 0)] * 4
    for axis, pair in zip(image_axes(data_format), (paddings[:2], paddings[2:]), strict=True):
        pairs[axis] = tuple(pair)
    return pairs


def sources(size: int, before: int, after: int, mode: str) -> list[int]:
    """Return, for each position along a padded axis, the position in the array whose element it takes."""
    places = range(-before, size + after)
    if mode == "edge":
        return [min(max(i, 0), size - 1) for i in places]
    found = [size - 1 - abs(size - 1 - abs(i)) for i in places]
    if min(found) < 0:
        needs = f"margins of less than twice the size {size}: the axis is mirrored at its ends"
        raise ShapeError(message("pad2d", "attribute 'paddings'", (before, after), needs))
    return found
