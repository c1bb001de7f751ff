"""Conversions of LoDTensors to and from nested lists, lists of arrays, padded arrays and Awkward Arrays.

A LoDTensor holds the concatenated rows of all sequences, and offsets. Every function here that takes one also takes a
Variable of imperative mode; `to_variable` converts the results into such Variables.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from .core import lod as lods
from .core.dtype import to_numpy
from .core.errors import ArgumentTypeError, ArgumentValueError, LoDError, ShapeError, describe, message
from .core.host import to_host
from .core.tensor import LoDTensor
from .ops.support import sequence_rows as seq

__all__ = [
    "from_arrays",
    "from_awkward",
    "from_lists",
    "from_padded",
    "to_arrays",
    "to_awkward",
    "to_lists",
    "to_padded",
]


def _rows(where: str, tensor: Any) -> tuple[np.ndarray, lods.LoD]:
    """Return the array and the LoD of a LoDTensor or an imperative Variable."""
    array = getattr(tensor, "array", None)
    if array is None or not hasattr(tensor, "levels"):
        needs = "a LoDTensor or a Variable with numbers in it"
        raise ArgumentTypeError(message(where, "tensor", describe(tensor), needs))
    if tensor.levels is None:
        raise LoDError(message(where, "tensor", "no LoD", "one that tells its sequences apart", "Call set_lod before."))
    levels = lods.from_offsets(tensor.levels, array.shape[0], where)
    assert levels is not None
    return to_host(array), levels


# --- lists ------------------------------------------------------------------------------------------------------------


def from_lists(data: Sequence[Any], levels: int | None = None, dtype: Any = None) -> LoDTensor:
    """Return a LoDTensor from nested lists.

    Arguments:
        data: a list of sequences; with two levels a list of lists of sequences, and so on.
        levels: the number of LoD levels. The items below them are rows. None means the depth of the lists; then rows are
            single numbers.
        dtype: the dtype of the elements; None lets NumPy choose.

    Returns:
        A LoDTensor [rows, ...]; [rows, 1] where rows are single numbers.

    Raises:
        LoDError: the lists are not equally deep.
        ShapeError: rows have different shapes.

    >>> from paddle_lite import ragged
    >>> t = ragged.from_lists([[1, 2, 3], [], [4]])
    >>> t.shape(), t.lod()
    ([4, 1], [[0, 3, 3, 4]])
    >>> ragged.from_lists([[[1, 2], [3]], [[4]]]).recursive_sequence_lengths()
    [[2, 1], [2, 1, 1]]
    >>> t = ragged.from_lists([[[1, 2], [3, 4]], [[5, 6]]], levels=1)
    >>> t.shape(), t.lod()
    ([3, 2], [[0, 2, 3]])
    """
    where = "ragged.from_lists"
    depth = _depth(where, data) if levels is None else levels
    if depth < 1:
        raise LoDError(message(where, "levels", depth, "1 or more"))
    items: list[Any] = [data]
    found = []
    for level in range(depth + 1):
        for item in items:
            if not isinstance(item, (list, tuple, np.ndarray)):
                got = f"{describe(item)} among lists"
                raise LoDError(message(where, f"level {max(level - 1, 0)}", got, "lists, all equally deep"))
        found.append([len(item) for item in items])
        items = [inner for item in items for inner in item]
    return _tensor(where, items, found[1:], dtype)


def _depth(where: str, data: Any) -> int:
    """Return the number of levels of lists inside the outermost list."""
    depth, items = 0, [data]
    while any(isinstance(item, (list, tuple)) for item in items):
        items = [inner for item in items if isinstance(item, (list, tuple)) for inner in item]
        depth += 1
    return max(depth - 1, 1)


def _tensor(where: str, rows: Sequence[Any], lengths: Sequence[Sequence[int]], dtype: Any) -> LoDTensor:
    """Return a LoDTensor from rows and the lengths of their sequences."""
    wanted = None if dtype is None else to_numpy(dtype, where)
    try:
        array = np.array(rows, wanted) if len(rows) else np.zeros(0, wanted or "float32")
    except ValueError:
        raise ShapeError(message(where, "data", "rows of several shapes", "rows of one shape")) from None
    if array.ndim == 1:
        array = array.reshape(-1, 1)
    tensor = LoDTensor()
    tensor.set(array, tensor.place)
    tensor.levels = lods.from_lengths(lengths, array.shape[0], where)
    return tensor


def to_lists(tensor: Any) -> list[Any]:
    """Return nested lists: one for each sequence of the first level, and so on down to rows.

    Arguments:
        tensor: a LoDTensor or an imperative Variable with a LoD. Rows of one number become that number.

    >>> from paddle_lite import ragged
    >>> ragged.to_lists(ragged.from_lists([[[1, 2], [3]], [[]]]))
    [[[1, 2], [3]], [[]]]
    """
    array, levels = _rows("ragged.to_lists", tensor)
    items = (array.reshape(-1) if array.shape[1:] == (1,) else array).tolist()
    for level in reversed(levels):
        items = [items[a:b] for a, b in pairwise(level)]
    return items


def from_arrays(arrays: Sequence[Any]) -> LoDTensor:
    """Return a LoDTensor of one level from one array for each sequence.

    Arguments:
        arrays: [rows, ...] each, equal except for the number of rows.

    Raises:
        ShapeError: rows have different shapes.

    >>> import numpy as np
    >>> from paddle_lite import ragged
    >>> ragged.from_arrays([np.ones([2, 3]), np.ones([1, 3])]).lod()
    [[0, 2, 3]]
    """
    where = "ragged.from_arrays"
    each = [np.asarray(array) for array in arrays]
    if not each:
        raise ArgumentValueError(message(where, "arrays", "none", "at least one array"))
    for i, array in enumerate(each):
        if not array.ndim or array.shape[1:] != each[0].shape[1:]:
            needs = f"rows of shape {list(each[0].shape[1:])}, as the first has"
            raise ShapeError(message(where, f"arrays[{i}]", f"shape {list(array.shape)}", needs))
    tensor = LoDTensor()
    tensor.set(np.concatenate(each), tensor.place)
    tensor.set_recursive_sequence_lengths([[len(array) for array in each]])
    return tensor


def to_arrays(tensor: Any) -> list[np.ndarray]:
    """Return one array for each sequence of the last level; they share the tensor's memory.

    Arguments:
        tensor: a LoDTensor or an imperative Variable with a LoD.

    >>> from paddle_lite import ragged
    >>> [a.ravel().tolist() for a in ragged.to_arrays(ragged.from_lists([[1, 2], [3]]))]
    [[1, 2], [3]]
    """
    array, levels = _rows("ragged.to_arrays", tensor)
    return [array[a:b] for a, b in pairwise(levels[-1])]


# --- padded -----------------------------------------------------------------------------------------------------------


def to_padded(tensor: Any, pad_value: Any = 0, maxlen: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return sequences padded to one length, and their lengths. `layers.sequence_pad` does the same with gradients.

    Arguments:
        tensor: a LoDTensor or an imperative Variable [rows, ...]; the sequences are those of its last level.
        pad_value: the value after the end of a sequence: a number, or a row.
        maxlen: the common length; None means that of the longest sequence.

    Returns:
        ([sequences, maxlen, ...], lengths int64 [sequences])

    Raises:
        ArgumentValueError: a sequence is longer than `maxlen`.

    >>> from paddle_lite import ragged
    >>> out, lengths = ragged.to_padded(ragged.from_lists([[1, 2, 3], [4]]))
    >>> out[..., 0].tolist(), lengths.tolist()
    ([[1, 2, 3], [4, 0, 0]], [3, 1])
    """
    where = "ragged.to_padded"
    array, levels = _rows(where, tensor)
    longest = max(seq.lengths_of(levels[-1]), default=0)
    if maxlen is not None and maxlen < longest:
        needs = f"at least {longest}, the length of the longest sequence"
        raise ArgumentValueError(message(where, "maxlen", maxlen, needs))
    spans, length = seq.pad_spans(where, levels[-1], -1 if maxlen is None else maxlen)
    out = np.empty((len(spans) * length, *array.shape[1:]), array.dtype)
    out[...] = pad_value
    seq.copy_spans(np, array, spans, out)
    return out.reshape(len(spans), length, *array.shape[1:]), np.array(seq.lengths_of(levels[-1]), np.int64)


def from_padded(array: Any, lengths: Any) -> LoDTensor:
    """Return a LoDTensor of one level from padded sequences.

    Arguments:
        array: [sequences, steps, ...].
        lengths: the number of valid rows of each sequence, [sequences].

    Returns:
        A LoDTensor [rows, ...]; [rows, 1] if `array` has two dimensions.

    Raises:
        ShapeError: the number of lengths differs from the number of sequences.
        ArgumentValueError: a length is negative or greater than the number of steps.

    >>> from paddle_lite import ragged
    >>> ragged.to_lists(ragged.from_padded([[1, 2, 3], [4, 0, 0]], [3, 1]))
    [[1, 2, 3], [4]]
    """
    where = "ragged.from_padded"
    array, counts = np.asarray(array), np.asarray(lengths)
    if array.ndim < 2:
        raise ShapeError(message(where, "array", f"shape {list(array.shape)}", "[sequences, steps, ...]"))
    if counts.shape != array.shape[:1] or counts.dtype.kind not in "iu":
        needs = f"{array.shape[0]} integers, one for each sequence"
        raise ShapeError(message(where, "lengths", describe(lengths), needs))
    spans, levels = seq.unpad_spans(where, counts.tolist(), array.shape[1])
    inner = array.shape[2:] or (1,)
    flat = array.reshape(array.shape[0] * array.shape[1], *inner)
    tensor = LoDTensor()
    out = np.empty((seq.rows_in(spans), *inner), array.dtype)
    tensor.set(seq.copy_spans(np, flat, spans, out), tensor.place, zero_copy=True)
    tensor.levels = levels
    return tensor


# --- Awkward Arrays ---------------------------------------------------------------------------------------------------


def _awkward(where: str) -> Any:
    try:
        return importlib.import_module("awkward")
    except ModuleNotFoundError:
        raise ArgumentTypeError(
            f"{where}: Awkward Array is not installed. Install it: pip install 'paddle_lite[ragged]'."
        ) from None


def to_awkward(tensor: Any) -> Any:
    """Return an Awkward Array with a list type for each LoD level, which shares the memory of the elements.

    Arguments:
        tensor: a LoDTensor or an imperative Variable with a LoD.

    Raises:
        ArgumentTypeError: the library awkward is not installed.

    Example (it needs that library): `ragged.to_awkward(ragged.from_lists([[1, 2], [3]]))[:, :1]`.
    """
    where = "ragged.to_awkward"
    array, levels = _rows(where, tensor)
    ak = _awkward(where)
    layout = ak.contents.NumpyArray(array)
    for level in reversed(levels):
        layout = ak.contents.ListOffsetArray(ak.index.Index64(np.array(level, np.int64)), layout)
    return ak.Array(layout)


def from_awkward(data: Any) -> LoDTensor:
    """Return a LoDTensor with a LoD level for each list type of variable length of an Awkward Array.

    Arguments:
        data: an Awkward Array of lists of numbers, or of lists of rows of a fixed shape, without missing values.

    Returns:
        A LoDTensor [rows, ...]; [rows, 1] where rows are single numbers.

    Raises:
        ArgumentTypeError: it has no list type, or contains anything but numbers.

    Example (it needs the library awkward): `ragged.from_awkward(awkward.Array([[1, 2], [3]])).lod()`.
    """
    where = "ragged.from_awkward"
    ak = _awkward(where)
    if not isinstance(data, ak.Array):
        raise ArgumentTypeError(message(where, "data", describe(data), "an awkward.Array"))
    layout, levels = ak.to_packed(data).layout, []
    while layout.is_list and not layout.is_regular and layout.parameter("__array__") is None:
        layout = layout.to_ListOffsetArray64(True)
        offsets = np.asarray(layout.offsets)
        levels.append(tuple(offsets.tolist()))
        layout = layout.content[: offsets[-1]]
    if not levels or not (layout.is_numpy or layout.is_regular or layout.is_unknown):
        needs = "lists of numbers, or of rows of one shape, without missing values"
        raise ArgumentTypeError(message(where, "data", f"type {data.type}", needs))
    rows = ak.to_numpy(layout)
    tensor = LoDTensor()
    tensor.set(rows.reshape(-1, 1) if rows.ndim == 1 else rows, tensor.place)
    tensor.levels = lods.from_offsets(levels, len(rows), where)
    return tensor
