"""Frames: the dimensions that the loops of a fused kernel run over, and how arrays lie in them.

A frame is a shape, with -1 for what is known at run time only, perhaps with an axis from which on its dimensions are one row.
Along the axis an array may be several times as long as the frame: then it consists of that many parts side by side.
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
    """Operators cannot be joined.

    at: the number of the first of them that does not fit those before it; None where that says nothing.
    """

    at: int | None = None


@dataclass(frozen=True)
class Frame:
    """What the loops of a group run over.

    shape: of a part. axis: where rows begin; None where nothing depends on it. dtype: of all numbers in the loops.
    rows: whether sums over rows are taken, which have to be whole.
    """

    shape: tuple[int, ...]
    dtype: np.dtype
    axis: int | None = None
    rows: bool = False

    def joined(self, other: Frame) -> Frame | None:
        """The frame of operators of both; None where they do not fit."""
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
    """The size of a dimension of an array: `factor` times the sizes of some dimensions of the frame."""

    of: tuple[int, ...]
    factor: int = 1

    def size(self, frame: Sequence[int]) -> int:
        """The size, given that of the frame."""
        return self.factor * prod(frame[d] for d in self.of)


class Layout(NamedTuple):
    """How an array lies in a frame.

    dims: of the array. varies: along which dimensions of the frame. parts: how many lie side by side.
    """

    dims: tuple[Dim, ...]
    varies: tuple[bool, ...]
    parts: int = 1

    def shape(self, frame: Sequence[int]) -> tuple[int, ...]:
        """The shape of the array, given that of the frame."""
        return tuple([dim.size(frame) for dim in self.dims])


def placed(frame: Frame, shape: tuple[int, ...], wide: tuple[int, ...], axis: int = -1) -> Layout:
    """How an operand of this shape lies in the frame, where the result has the shape `wide`; raises Unfit.

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
    full = tuple(r if n < 0 else n for n, r in zip(full, result, strict=True))  # an unknown size is that of the result
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
    """How an array with one number for each row lies in the frame; `kept` dimensions of size 1 follow."""
    assert frame.axis is not None
    outer = range(frame.axis)
    dims = (*(Dim((d,)) for d in outer), *(Dim(()) for _ in range(kept)))
    return Layout(dims, tuple(d in outer for d in range(len(frame.shape))))


def flat_rows(frame: Frame) -> Layout:
    """How an array with one number for each row, in one dimension, lies in the frame."""
    assert frame.axis is not None
    return Layout((Dim(tuple(range(frame.axis))),), tuple(d < frame.axis for d in range(len(frame.shape))))


def flat_row(frame: Frame) -> Layout:
    """How an array with one number for each element of a row, in one dimension, lies in the frame."""
    assert frame.axis is not None
    rank = len(frame.shape)
    return Layout((Dim(tuple(range(frame.axis, rank))),), tuple(d >= frame.axis for d in range(rank)))


def _check_row(frame: Frame, varies: Sequence[bool]) -> None:
    """Refuse what varies along a part of a row only."""
    if frame.axis is not None and len(set(varies[frame.axis :])) > 1:
        raise Unfit("an operand varies along a part of a row")


def collapsed(frame: Frame, masks: Sequence[tuple[bool, ...]]) -> list[tuple[int, ...]]:
    """The dimensions of the frame, neighbours joined along which all arrays vary alike."""
    rank = len(frame.shape)
    groups: list[list[int]] = []
    for d in range(rank):
        alike = groups and all(mask[d] == mask[d - 1] for mask in masks)
        if alike and not (frame.axis is not None and d == frame.axis):
            groups[-1].append(d)
        else:
            groups.append([d])
    return [tuple(group) for group in groups]
