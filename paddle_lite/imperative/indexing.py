"""Indexing of Variables: integers, slices with steps, None, Ellipsis, and arrays or Variables of indices or of bools.

Everything is lowered to operators that have gradients: slice, strided_slice, reshape2, transpose2, gather.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.errors import ArgumentTypeError, IndexRangeError, ShapeError, describe, message
from ..ops import index as index_ops
from ..ops import shape as shape_ops
from .variable import Variable, to_host

WHERE = "Variable[...]"


def getitem(x: Variable, key: Any) -> Variable:
    """x[key]; the result of taking every axis with integers has shape [1], as Paddle has no rank 0."""
    items = _expand(x, key)
    x, items = _basic(x, items)
    arrays = [
        (axis, item) for axis, item in enumerate(i for i in items if i is not None) if isinstance(item, np.ndarray)
    ]
    if arrays:
        return _advanced(x, items)
    if any(item is None for item in items):
        return _insert(x, items)
    return x


def _expand(x: Variable, key: Any) -> list:
    """One item for each axis of x: int, slice or array; None where a new axis goes."""
    keys = list(key) if isinstance(key, tuple) else [key]
    items: list[Any] = []
    ellipsis = None
    for k in keys:
        if k is Ellipsis:
            if ellipsis is not None:
                raise IndexRangeError(message(WHERE, "index", "two Ellipses", "at most one"))
            ellipsis = len(items)
            continue
        items.append(_item(k))
    taken = sum(i.ndim if isinstance(i, np.ndarray) and i.dtype == bool else i is not None for i in items)
    rank = x.array.ndim
    if taken > rank:
        raise IndexRangeError(message(WHERE, "index", f"{taken} indices", f"at most {rank}, for shape {x.shape}"))
    at = len(items) if ellipsis is None else ellipsis
    items[at:at] = [slice(None)] * (rank - taken)
    return items


def _item(k: Any) -> Any:
    if k is None or isinstance(k, slice):
        return slice(_bound(k.start), _bound(k.stop), _bound(k.step)) if isinstance(k, slice) else None
    if isinstance(k, (bool, np.bool_)):
        return np.array([bool(k)])
    if isinstance(k, (int, np.integer)):
        return int(k)
    array = (
        to_host(k.array) if isinstance(k, Variable) else np.asarray(k) if isinstance(k, (list, np.ndarray)) else None
    )
    if array is None or array.dtype.kind not in "iub":
        raise ArgumentTypeError(
            message(WHERE, "index", describe(k), "integers, slices, None, Ellipsis, or arrays of integers or bools")
        )
    return array


def _bound(value: Any) -> int | None:
    if value is None or isinstance(value, int):
        return value
    try:
        return value.__index__()
    except (AttributeError, TypeError):
        raise ArgumentTypeError(message(WHERE, "bound of a slice", describe(value), "an integer or None")) from None


def _basic(x: Variable, items: list) -> tuple[Variable, list]:
    """Take the integers and slices; what remains are arrays, full slices, and None."""
    axes: list[int] = []
    starts: list[int] = []
    ends: list[int] = []
    steps: list[int] = []
    drop: list[int] = []
    left: list[Any] = []
    axis = 0
    for item in items:
        if item is None:
            left.append(None)
            continue
        if isinstance(item, np.ndarray):
            left.append(item)
            axis += item.ndim if item.dtype == bool else 1
            continue
        n = x.array.shape[axis]
        if isinstance(item, int):
            if not -n <= item < n:
                raise IndexRangeError(
                    message(WHERE, f"index of axis {axis}", item, f"{-n} to {n - 1}, for shape {x.shape}")
                )
            start, stop, step = item % n, item % n + 1, 1
            drop.append(axis)
        else:
            if item.step == 0:
                raise IndexRangeError(message(WHERE, f"slice of axis {axis}", "step 0", "a step other than 0"))
            start, stop, step = item.indices(n)
            if len(range(start, stop, step)) == 0:
                raise IndexRangeError(
                    message(
                        WHERE,
                        f"slice of axis {axis}",
                        f"{item.start}:{item.stop}:{item.step}",
                        f"at least one of {n} rows",
                    )
                )
            left.append(slice(None))
        if (start, stop, step) != (0, n, 1):
            axes.append(axis)
            starts.append(start)
            ends.append(stop if stop >= 0 else -n - 1)
            steps.append(step)
        axis += 1
    if axes and all(s == 1 for s in steps):
        x = shape_ops.slice.call(x, axes=axes, starts=starts, ends=ends, decrease_axis=[])
    elif axes:
        x = shape_ops.strided_slice.call(x, axes=axes, starts=starts, ends=ends, strides=steps)
    if drop:
        kept = [n for i, n in enumerate(x.array.shape) if i not in drop]
        x = reshape(x, kept or [1])
        if not kept:
            left = [i for i in left if i is None]
            left.append(slice(None)) if not left else None
    return x, left


def reshape(x: Variable, shape: list[int]) -> Variable:
    return shape_ops.reshape2.call(x, shape=shape)[0]


def _insert(x: Variable, items: list) -> Variable:
    """New axes of size 1 where the items are None."""
    sizes = iter(x.array.shape)
    if not any(isinstance(i, slice) for i in items):  # every axis was taken by an integer
        return reshape(x, [1] * len(items))
    return reshape(x, [1 if item is None else next(sizes) for item in items])


def _advanced(x: Variable, items: list) -> Variable:
    """Take the arrays, as NumPy does: they are broadcast together and read as one index."""
    source = [item for item in items if item is not None]
    arrays, axes, axis = [], [], 0
    for item in source:
        if not isinstance(item, np.ndarray):
            axis += 1
            continue
        sizes = x.array.shape[axis : axis + (item.ndim if item.dtype == bool else 1)]
        parts = _mask(item, sizes, axis) if item.dtype == bool else [_checked(item, sizes[0], axis)]
        arrays += parts
        axes += range(axis, axis + len(parts))
        axis += len(parts)
    try:
        arrays = list(np.broadcast_arrays(*arrays))
    except ValueError:
        raise ShapeError(
            message(
                WHERE, "index arrays", f"shapes {[list(a.shape) for a in arrays]}", "shapes that broadcast together"
            )
        ) from None
    sizes = [x.array.shape[a] for a in axes]
    flat = np.ravel_multi_index([a.reshape(-1) for a in arrays], sizes).astype("int64")
    rest = [a for a in range(x.array.ndim) if a not in axes]
    moved = shape_ops.transpose2.call(x, axis=axes + rest)[0] if axes + rest != list(range(x.array.ndim)) else x
    tail = [x.array.shape[a] for a in rest]
    taken = index_ops.gather.call(reshape(moved, [int(np.prod(sizes)), *tail]), Variable(flat), overwrite=False)
    picked = list(arrays[0].shape)
    out = reshape(taken, [*picked, *tail])
    together = axes == list(range(axes[0], axes[0] + len(axes)))
    if together and axes[0] > 0:
        front = list(range(len(picked), len(picked) + axes[0]))
        order = front + list(range(len(picked))) + list(range(len(picked) + axes[0], len(picked) + len(tail)))
        out = shape_ops.transpose2.call(out, axis=order)[0]
    if any(item is None for item in items):
        raise ArgumentTypeError(
            message(WHERE, "index", "None beside an index array", "one of the two", "Add the axis with unsqueeze().")
        )
    return out


def _checked(index: np.ndarray, size: int, axis: int) -> np.ndarray:
    if index.size and (index.min() < -size or index.max() >= size):
        worst = index.max() if index.max() >= size else index.min()
        raise IndexRangeError(message(WHERE, f"index array of axis {axis}", int(worst), f"{-size} to {size - 1}"))
    return np.where(index < 0, index + size, index)


def _mask(mask: np.ndarray, sizes: tuple, axis: int) -> list[np.ndarray]:
    if mask.shape != tuple(sizes):
        raise ShapeError(message(WHERE, f"mask of axis {axis}", f"shape {list(mask.shape)}", f"shape {list(sizes)}"))
    return list(np.nonzero(mask))
