"""Indexing of Variables as NumPy does it: integers, slices with steps, None, Ellipsis, arrays of indices or of bools.

Keys are lowered to operators that have gradients: slice, strided_slice, reshape2, transpose2, gather. There are two
differences from NumPy: a result without axes has shape [1], since Paddle's operators have no rank 0, and a slice that
selects no entries is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from operator import index as whole
from typing import Any, NamedTuple

import numpy as np

from ..core.errors import ArgumentTypeError, IndexRangeError, ShapeError, describe, message
from ..core.host import to_host
from ..core.mode import now, state
from ..ops.shape import index as index_ops
from ..ops.shape import shape as shape_ops

WHERE = "Variable[...]"
NEEDS = "integers, slices, None, Ellipsis, or arrays of integers or bools"
ALL = slice(None)


def getitem(x: Any, key: Any) -> Any:
    """Return x[key].

    Raises:
        ArgumentTypeError: an item of the key has a type that cannot index.
        IndexRangeError: an index is out of range, a slice is empty, or there are too many indices.
        ShapeError: index arrays do not broadcast together, or a mask does not have the shape of its axes.
    """
    if now().entered.redirect is not None:
        stand_in = state.mode.operand(x)
        if stand_in is not x:  # this code builds a Program
            return stand_in[key]
    plain = _plain(key)
    if plain is not None:
        known = (x.array.shape, plain)
        cut = _cuts.get(known)
        if cut is None:
            items, _ = _items(x, key if isinstance(key, tuple) else (key,))
            cut = _cuts.remember(known, _cut_of(x.array.shape, items))
        return _apply(cut, x)
    items, dots = _items(x, key if isinstance(key, tuple) else (key,))
    if any(isinstance(item, np.ndarray) for item in items):
        return _pick(x, items, dots)
    return _cut(x, items)


_BOUNDS = {int, type(None)}


def _plain(key: Any) -> Any:
    """Return what stands for a key of ints, slices of ints, None and Ellipsis in a dict; None for any other key."""
    parts: list[Any] = []
    for k in key if key.__class__ is tuple else (key,):
        kind = k.__class__
        if kind is slice:
            bounds = (k.start, k.stop, k.step)
            if not set(map(type, bounds)) <= _BOUNDS:
                return None
            parts.append(bounds)
        elif kind is int or k is None or k is Ellipsis:
            parts.append(k)
        else:
            return None
    return tuple(parts)


# --- reading the key --------------------------------------------------------------------------------------------------


def _items(x: Any, key: tuple) -> tuple[list, int | None]:
    """Return the key without Ellipsis, and the position of the Ellipsis or None.

    The ints, slices and arrays of the key index all axes of x; None stands for a new axis.
    """
    rank, dots = x.array.ndim, None
    items: list[Any] = []
    for k in key:
        if k is Ellipsis:
            if dots is not None:
                raise IndexRangeError(message(WHERE, "index", "two Ellipses", "at most one"))
            dots = len(items)
        else:
            items.append(_item(k))
    taken = sum(map(_axes_of, items))
    if taken > rank:
        raise IndexRangeError(message(WHERE, "index", f"{taken} indices", f"at most {rank}, for shape {x.shape}"))
    at = len(items) if dots is None else dots
    return [*items[:at], *[ALL] * (rank - taken), *items[at:]], dots


def _axes_of(item: Any) -> int:
    """Return the number of axes that an item indexes: the rank of a mask, 0 for None, 1 for others."""
    if isinstance(item, np.ndarray) and item.dtype == bool:
        return item.ndim
    return int(item is not None)


def _item(k: Any) -> Any:
    """Return one item of the key as None, an int, a slice of ints, or an array of integers or bools."""
    if k is None:
        return None
    if isinstance(k, slice):
        return slice(_bound(k.start), _bound(k.stop), _bound(k.step))
    if isinstance(k, (int, np.integer)) and not isinstance(k, bool):
        return int(k)
    array: Any = k
    if hasattr(k, "stop_gradient"):
        array = to_host(k.array)
    elif isinstance(k, list):
        array = np.asarray(k) if k else np.zeros(0, np.int64)
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "iub" or (array.dtype == bool and not array.ndim):
        raise ArgumentTypeError(message(WHERE, "index", describe(k), NEEDS))
    if array.dtype == bool:
        return array
    return array.astype(np.int64) if array.ndim else int(array)


def _bound(value: Any) -> int | None:
    try:
        return None if value is None else whole(value)
    except TypeError:
        raise ArgumentTypeError(message(WHERE, "bound of a slice", describe(value), "an integer or None")) from None


def _span(axis: int, item: Any, shape: Sequence[int]) -> tuple[int, int, int]:
    """Return start, end and step of the entries that an int or a slice selects of an axis.

    Raises:
        IndexRangeError: the int is out of range, the step is 0, or the slice is empty.
    """
    n = shape[axis]
    if isinstance(item, int):
        if not -n <= item < n:
            raise IndexRangeError(
                message(WHERE, f"index of axis {axis}", item, f"{-n} to {n - 1}, for shape {list(shape)}")
            )
        return item % n, item % n + 1, 1
    if item.step == 0:
        raise IndexRangeError(message(WHERE, f"slice of axis {axis}", "step 0", "a step other than 0"))
    start, end, step = item.indices(n)
    if (start, end, step) != (0, n, 1) and not range(start, end, step):
        shown = ":".join("" if b is None else str(b) for b in (item.start, item.stop, item.step))
        raise IndexRangeError(message(WHERE, f"slice of axis {axis}", shown, f"one that takes some of the {n} entries"))
    return start, end if end >= 0 else -n - 1, step


def _reaches_over(item: Any, n: int) -> bool:
    """Return whether a slice that takes all of n > 0 entries names others: PaddlePaddle copies x[0:100], and x[0:n] is x."""
    return isinstance(item, slice) and n > 0 and (item.start not in (None, 0) or item.stop not in (None, n))


# --- integers, slices, None -------------------------------------------------------------------------------------------


class Cut(NamedTuple):
    """How integers and slices index arrays of one shape.

    slices: the attributes of slice, or of strided_slice if it has "strides"; None if nothing is cut off.
    shape: the shape of the result, where axes of size 1 were inserted; else None.
    """

    slices: dict[str, Any] | None
    shape: list[int] | None


class _Cuts(dict):
    """The Cut of each (shape, key) of the latest calls."""

    MOST = 1024

    def remember(self, known: tuple, cut: Cut) -> Cut:
        """Add a Cut and return it."""
        if len(self) >= self.MOST:
            self.clear()
        self[known] = cut
        return cut


_cuts = _Cuts()


def _cut_of(dims: Sequence[int], items: list) -> Cut:
    """Return how integers and slices index an array of these dimensions; each None inserts an axis of size 1."""
    axes, spans, dropped, shape = [], [], [], []
    taken = iter(range(len(dims)))
    for item in items:
        if item is None:
            shape.append(1)
            continue
        axis = next(taken)
        span = _span(axis, item, dims)
        whole = isinstance(item, int)
        if whole or span != (0, dims[axis], 1) or _reaches_over(item, dims[axis]):
            axes.append(axis)
            spans.append(span)
        if whole:
            dropped.append(axis)
        else:
            shape.append(len(range(*item.indices(dims[axis]))))
    new = (shape or [1]) if None in items else None
    if not axes:
        return Cut(None, new)
    starts, ends, steps = map(list, zip(*spans, strict=True))
    attrs = {"axes": axes, "starts": starts, "ends": ends, "decrease_axis": dropped}
    return Cut(attrs if steps == [1] * len(steps) else {**attrs, "strides": steps}, new)


def _apply(cut: Cut, x: Any) -> Any:
    """Index x as a Cut of its shape says."""
    if cut.slices is not None:
        x = (shape_ops.strided_slice if "strides" in cut.slices else shape_ops.slice).call(x, **cut.slices)
    return x if cut.shape is None else _reshape(x, cut.shape)


def _cut(x: Any, items: list) -> Any:
    """Index x by integers and slices, and insert an axis of size 1 for each None."""
    return _apply(_cut_of(x.array.shape, items), x)


def _reshape(x: Any, shape: list[int]) -> Any:
    if shape == list(x.array.shape):
        return x
    if 0 in shape:  # reshape2 reads a 0 as the size of the input
        return state.mode.constant(x.array.reshape(shape))
    return shape_ops.reshape2.call(x, shape=shape)[0]


# --- arrays of indices ------------------------------------------------------------------------------------------------


def _pick(x: Any, items: list, dots: int | None) -> Any:
    """Index x by arrays of indices, which are broadcast together. Integers in the key count as arrays.

    The axes of the broadcast arrays come first in the result. If the arrays are neighbours in the key, they take the
    place of the axes that the arrays index.
    """
    places = [i for i, item in enumerate(items) if isinstance(item, (int, np.ndarray))]
    first, last = places[0], places[-1]
    neighbours = len(places) == last - first + 1 and not (dots is not None and first < dots <= last)
    picks: list[np.ndarray] = []
    axes: list[int] = []  # the axes that `picks` index, after the slices and None were applied
    rest: list[Any] = []
    axis = source = 0
    for item in items:
        if isinstance(item, (int, np.ndarray)):
            parts = _indices(item, x.array.shape, source)
            picks += parts
            axes += range(axis, axis + len(parts))
            axis += len(parts)
            source += len(parts)
            rest += [ALL] * len(parts)
        else:
            rest.append(item)
            axis += 1
            source += item is not None
    x = _cut(x, rest)
    try:
        arrays = np.broadcast_arrays(*picks)
    except ValueError:
        shapes = [list(np.shape(p)) for p in picks]
        raise ShapeError(message(WHERE, "index arrays", f"shapes {shapes}", "shapes that broadcast together")) from None
    out = _gathered(x, axes, arrays)
    if not neighbours:
        return out
    front, picked = axes[0], arrays[0].ndim
    return _transpose(out, [*range(picked, picked + front), *range(picked), *range(picked + front, out.array.ndim)])


def _gathered(x: Any, axes: list[int], arrays: Sequence[np.ndarray]) -> Any:
    """Return the entries of x at these indices of these axes; the axes of the index arrays come first."""
    dims = x.array.shape
    others = [a for a in range(len(dims)) if a not in axes]
    flat = np.zeros(arrays[0].shape, np.int64)
    for a, indices in zip(axes, arrays, strict=True):
        flat = flat * dims[a] + indices
    tail = [dims[a] for a in others]
    rows = _reshape(_transpose(x, axes + others), [prod(dims[a] for a in axes), *tail])
    taken = index_ops.gather.call(rows, state.mode.constant(flat.reshape(-1)), overwrite=False)
    return _reshape(taken, [*flat.shape, *tail])


def _transpose(x: Any, order: list[int]) -> Any:
    return x if order == sorted(order) else shape_ops.transpose2.call(x, axis=order)[0]


def _indices(item: Any, shape: Sequence[int], axis: int) -> list:
    """Return an int or array as non-negative indices of one axis; a mask as one array for each of its axes."""
    if isinstance(item, np.ndarray) and item.dtype == bool:
        sizes = list(shape[axis : axis + item.ndim])
        if list(item.shape) != sizes:
            raise ShapeError(message(WHERE, f"mask of axis {axis}", f"shape {list(item.shape)}", f"shape {sizes}"))
        return list(np.nonzero(item))
    size, indices = shape[axis], np.asarray(item)
    if indices.size and (indices.min() < -size or indices.max() >= size):
        worst = indices.max() if indices.max() >= size else indices.min()
        raise IndexRangeError(message(WHERE, f"index of axis {axis}", int(worst), f"{-size} to {size - 1}"))
    return [np.where(indices < 0, indices + size, indices)]
