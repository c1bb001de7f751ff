"""Frames: the dimensions that the loops of a fused kernel run over, and the layouts of arrays in them.

A frame is a shape, with -1 for sizes known at run time only. With an axis, the dimensions from there on form one row.
Along the axis an array may be several times as long as the frame: it is then a concatenation of that many parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

import numpy as np

from ...core.errors import ShapeError
from ..support.broadcasting import aligned_shapes


class Unfit(Exception):
    """Raised if operators cannot be fused.

    at: the index of the first operator that does not fit those before it; None if no single operator is the cause.
    """

    at: int | None = None


@dataclass(frozen=True)
class Frame:
    """The iteration space of a fused group.

    shape: of a part. axis: where rows begin; None if no operator depends on it. dtype: of all numbers in the loops.
    rows: whether operators reduce over rows, which then must not be split.
    """

    shape: tuple[int, ...]
    dtype: np.dtype
    axis: int | None = None
    rows: bool = False

    def joined(self, other: Frame) -> Frame | None:
        """Return a frame for the operators of both frames; None if there is none."""
        if self.dtype != other.dtype or len(self.shape) != len(other.shape):
            return None
        if None not in (self.axis, other.axis) and self.axis != other.axis:
            return None
        axis = self.axis if self.axis is not None else other.axis
        rows = self.rows or other.rows
        differ = [
            d for d, (m, n) in enumerate(zip(self.shape, other.shape, strict=True)) if m != n and -1 not in (m, n)
        ]
        shape = [max(m, n) for m, n in zip(self.shape, other.shape, strict=True)]
        if not differ:
            return Frame(tuple(shape), self.dtype, axis, rows)
        if axis is None or rows or differ != [axis]:
            return None
        a, b = self.shape[axis], other.shape[axis]
        if min(a, b) < 2 or max(a, b) % min(a, b):
            return None
        shape[axis] = min(a, b)
        return Frame(tuple(shape), self.dtype, axis, rows)


class Dim(NamedTuple):
    """The size of a dimension of an array: `factor` times the product of some dimensions of the frame."""

    of: tuple[int, ...]
    factor: int = 1

    def size(self, frame: Sequence[int]) -> int:
        """Return the size, given the shape of the frame."""
        return self.factor * prod(frame[d] for d in self.of)


class Layout(NamedTuple):
    """The layout of an array in a frame.

    dims: those of the array. varies: whether it varies along each dimension of the frame. parts: their number.
    """

    dims: tuple[Dim, ...]
    varies: tuple[bool, ...]
    parts: int = 1

    def shape(self, frame: Sequence[int]) -> tuple[int, ...]:
        """Return the shape of the array, given the shape of the frame."""
        return tuple([dim.size(frame) for dim in self.dims])


def placed(frame: Frame, shape: tuple[int, ...], wide: tuple[int, ...], axis: int = -1) -> Layout:
    """Return the layout of an operand of this shape, where the result has the shape `wide`; raise Unfit without one.

    Arguments:
        axis: as of the elementwise operators.
    """
    try:
        at = aligned_shapes("fused", shape, wide, axis)[0]
    except ShapeError as error:
        raise Unfit(str(error)) from None
    rank = len(frame.shape)
    if len(at) > rank:
        raise Unfit(f"shape {list(shape)} in a frame {list(frame.shape)}")
    full = (1,) * (rank - len(at)) + tuple(at)
    result = (1,) * (rank - len(wide)) + tuple(wide)
    full = tuple(r if n < 0 else n for n, r in zip(full, result, strict=True))  # an unknown size is the result's
    varies, dims, parts = [], [], 1
    for d, size in enumerate(full):
        whole, factor = frame.shape[d], 1
        here = size != 1 or whole == 1
        if here and size != whole and -1 not in (size, whole):
            if d != frame.axis or size % whole:
                raise Unfit(f"shape {list(shape)} in a frame {list(frame.shape)}")
            factor = parts = size // whole
        varies.append(here)
        dims.append(Dim((d,), factor) if here else Dim(()))
    _check_row(frame, varies)
    first = rank - len(at) + (0 if at == shape else axis)
    own = [dims[first + j] if first + j < rank else Dim(()) for j in range(len(shape))]
    return Layout(tuple(own), tuple(varies), parts)


def rows_of(frame: Frame, kept: int) -> Layout:
    """Return the layout of an array with one number for each row, followed by `kept` dimensions of size 1."""
    assert frame.axis is not None
    outer = range(frame.axis)
    dims = (*(Dim((d,)) for d in outer), *(Dim(()) for _ in range(kept)))
    return Layout(dims, tuple(d in outer for d in range(len(frame.shape))))


def flat_rows(frame: Frame) -> Layout:
    """Return the layout of a 1-D array with one number for each row."""
    assert frame.axis is not None
    return Layout((Dim(tuple(range(frame.axis))),), tuple(d < frame.axis for d in range(len(frame.shape))))


def flat_row(frame: Frame) -> Layout:
    """Return the layout of a 1-D array with one number for each element of a row."""
    assert frame.axis is not None
    rank = len(frame.shape)
    return Layout((Dim(tuple(range(frame.axis, rank))),), tuple(d >= frame.axis for d in range(rank)))


def along(frame: Frame, d: int) -> Layout:
    """Return the layout of a 1-D array that varies along one dimension; raise Unfit if that is a part of a row."""
    varies = tuple(k == d for k in range(len(frame.shape)))
    _check_row(frame, varies)
    return Layout((Dim((d,)),), varies)


def _check_row(frame: Frame, varies: Sequence[bool]) -> None:
    """Raise Unfit if a layout varies along some dimensions of a row but not along all."""
    if frame.axis is not None and len(set(varies[frame.axis :])) > 1:
        raise Unfit("an operand varies along a part of a row")


def collapsed(frame: Frame, masks: Sequence[tuple[bool, ...]]) -> list[tuple[int, ...]]:
    """Return groups of the frame's dimensions: neighbours along which all arrays vary alike, never across the axis."""
    rank = len(frame.shape)
    groups: list[list[int]] = []
    for d in range(rank):
        alike = groups and all(mask[d] == mask[d - 1] for mask in masks)
        if alike and not (frame.axis is not None and d == frame.axis):
            groups[-1].append(d)
        else:
            groups.append([d])
    return [tuple(group) for group in groups]
