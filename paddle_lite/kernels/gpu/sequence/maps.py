"""Where rows of sequences come from and go to, as arrays on the device; kept for LoDs that come again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ....ops.support.sequence_rows import Span
from ...registry import array_module
from ..device.kernel import launch
from ..support.caches import kept_on_device
from ..support.shape import MOST_THREADS, blocks_for, current_device
from .rows import copied_rows, placed_rows, summed_copies


def _ints(values: Any) -> Any:
    return array_module("gpu").asarray(np.asarray(values, np.int64))


@kept_on_device(128)
def _offsets(starts: tuple[int, ...], device: int) -> Any:
    return _ints(starts)


def device_offsets(starts: Sequence[int]) -> Any:
    """Return the offsets of sequences on the device."""
    return _offsets(tuple(starts), current_device())


@kept_on_device(128)
def _sequence_of_rows(starts: tuple[int, ...], device: int) -> Any:
    return _ints(np.repeat(np.arange(len(starts) - 1), np.diff(starts)))


def sequence_of_rows(starts: Sequence[int]) -> Any:
    """Return the number of the sequence that each row belongs to, on the device."""
    return _sequence_of_rows(tuple(starts), current_device())


def _pairs(spans: Sequence[Span]) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows that spans copy, and where they go."""
    source, target, count = np.asarray(spans, np.int64).reshape(-1, 3).T
    inner = np.arange(count.sum()) - np.repeat(count.cumsum() - count, count)
    return np.repeat(source, count) + inner, np.repeat(target, count) + inner


@kept_on_device(128)
def _sources(spans: tuple[Span, ...], rows: int, device: int) -> Any:
    source, target = _pairs(spans)
    found = np.full(rows, -1)
    found[target] = source
    return _ints(found)


@kept_on_device(128)
def _targets(spans: tuple[Span, ...], rows: int, device: int) -> Any:
    source, target = _pairs(spans)
    found = np.empty(rows, np.int64)
    found[source] = target
    return _ints(found)


@kept_on_device(128)
def _repetitions(starts: tuple[int, ...], times: tuple[int, ...], device: int) -> tuple[Any, Any, Any]:
    lengths = np.diff(starts)
    begins = np.cumsum(lengths * times) - lengths * times
    first = np.repeat(begins - np.asarray(starts[:-1], np.int64), lengths) + np.arange(starts[-1])
    return _ints(first), _ints(np.repeat(lengths, lengths)), _ints(np.repeat(times, lengths))


@kept_on_device(128)
def _reversals(starts: tuple[int, ...], device: int) -> Any:
    mirror = np.asarray(starts[:-1], np.int64) + starts[1:] - 1
    return _ints(np.repeat(mirror, np.diff(starts)) - np.arange(starts[-1]))


def _copied(x: Any, source: Any, shape: tuple[int, ...], fill: Any = None) -> Any:
    xp = array_module("gpu")
    x, out, width = xp.ascontiguousarray(x), xp.empty(shape, x.dtype), math.prod(shape[1:])
    filled = (x, 0) if fill is None else (xp.ascontiguousarray(fill), fill.size)
    launch(copied_rows, blocks_for(out.size), MOST_THREADS, x, source, filled[0], out, width, out.size, filled[1])
    return out


def spans_copied(x: Any, spans: Sequence[Span], shape: tuple[int, ...], fill: Any = None) -> Any:
    """Return an array of a shape with rows of x by spans (source, target, count); other rows are `fill`, or zeros."""
    return _copied(x, _sources(tuple(spans), shape[0], current_device()), shape, fill)


def sequences_reversed(x: Any, starts: Sequence[int]) -> Any:
    """Return the rows of each sequence in reverse order."""
    return _copied(x, _reversals(tuple(starts), current_device()), x.shape)


def spans_placed(x: Any, spans: Sequence[Span], out: Any) -> None:
    """Write all rows of x into `out`, by spans (source, target, count)."""
    xp, width = array_module("gpu"), math.prod(x.shape[1:])
    target = _targets(tuple(spans), len(x), current_device())
    launch(placed_rows, blocks_for(x.size), MOST_THREADS, xp.ascontiguousarray(x), target, out, width, x.size)


def repetitions_summed(d_out: Any, starts: Sequence[int], times: Sequence[int], shape: tuple[int, ...]) -> Any:
    """Return the gradient of an array of a shape, of which each sequence was repeated: the sums over its copies."""
    xp = array_module("gpu")
    d, dx = xp.ascontiguousarray(d_out), xp.empty(shape, d_out.dtype)
    copies = _repetitions(tuple(starts), tuple(times), current_device())
    launch(summed_copies, blocks_for(dx.size), MOST_THREADS, d, *copies, dx, math.prod(shape[1:]), dx.size)
    return dx


__all__ = [
    "device_offsets",
    "repetitions_summed",
    "sequence_of_rows",
    "sequences_reversed",
    "spans_copied",
    "spans_placed",
]


@kept_on_device(128)
def _spans(spans: tuple[tuple[int, int], ...], device: int) -> tuple[Any, Any]:
    return tuple(_ints([span[end] for span in spans]) for end in (0, 1))


def device_spans(spans: Sequence[tuple[int, int]]) -> tuple[Any, Any]:
    """Return the first rows of sequences, and the ends of their rows, on the device."""
    return _spans(tuple(spans), current_device())
