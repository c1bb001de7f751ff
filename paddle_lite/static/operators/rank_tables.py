"""The operators of DynamicRNN and IfElse: conversions between sequences and arrays of time steps, and splits of rows by a mask."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ...core.errors import ArgumentTypeError, ShapeError, describe, message
from ...core.host import to_host
from ...core.lod import LoD, from_lengths
from ...core.tensor_array import PackedArray, RankTable, TensorArray
from ...ops.framework.spec import Grad
from ...ops.framework.traits import Identity
from ...ops.support.meta import Meta
from .structural import structural

INT64 = np.dtype("int64")


def _table(where: str, value: Any) -> RankTable:
    if not isinstance(value, RankTable):
        raise ArgumentTypeError(message(where, "Input(RankTable)", describe(value), "what lod_rank_table gave"))
    return value


def _rank(xp: Any, X: Any, *, lod: LoD | None, level: int) -> RankTable:
    return RankTable(lod, level)


def _longest(xp: Any, RankTable: Any) -> Any:
    return xp.asarray([_table("max_sequence_len", RankTable).steps], INT64)


# --- ragged rows ------------------------------------------------------------------------------------------------------


def pick(xp: Any, X: Any, lod: LoD | None, places: Any) -> tuple[Any, LoD | None]:
    """Return entries of the outermost level of X (its rows if it has no LoD) in the given order, with their LoD."""
    if not lod:
        return X[xp.asarray(places)], None
    lengths: list[list[int]] = []
    entries: Any = np.asarray(places)
    for offsets in lod:
        bounds = np.asarray(offsets)
        sizes = bounds[entries + 1] - bounds[entries]
        lengths.append(sizes.tolist())
        entries = _ranges(bounds[entries], sizes)
    return X[xp.asarray(entries)], from_lengths(lengths)


def _ranges(starts: Any, sizes: Any) -> Any:
    """Return the concatenated ranges start, start + 1, ... of the given sizes."""
    total = int(sizes.sum())
    if not total:
        return np.zeros(0, INT64)
    firsts = np.cumsum(sizes) - sizes
    return np.repeat(starts - firsts, sizes) + np.arange(total)


def join(xp: Any, parts: Sequence[tuple[Any, LoD | None]]) -> tuple[Any, LoD | None]:
    """Return concatenated arrays with their LoD."""
    arrays = [array for array, _ in parts]
    whole = arrays[0] if len(arrays) == 1 else xp.concatenate(arrays)
    if any(lod is None for _, lod in parts):
        return whole, None
    levels: list[list[int]] = []
    for offsets in zip(*(lod or () for _, lod in parts), strict=True):
        levels.append([b - a for level in offsets for a, b in pairwise(level)])
    return whole, from_lengths(levels)


def _below_steps(lod: LoD | None, table: RankTable) -> LoD | None:
    """Return the LoD below the steps: of an input's own sequences, which may have other lengths than those of the table."""
    return (lod or table.lod)[table.level + 1 :] or None


def _to_array(xp: Any, X: Any, RankTable: Any, *, lod: LoD | None) -> TensorArray:
    table = _table("lod_tensor_to_array", RankTable)
    below = _below_steps(lod, table)
    if below is None:
        return _by_step(xp, X, table)
    return TensorArray([pick(xp, X, below, table.entries(t)) for t in range(table.steps)])


def _by_step(xp: Any, X: Any, table: RankTable) -> TensorArray:
    """Return an array with the rows of X of each step."""
    whole = X[xp.asarray(table.all_entries())]
    return PackedArray(whole, table.bounds)


def packed_rows(X: Any, table: RankTable) -> Any:
    """Return the rows of all steps, one step after another, of an array that holds them side by side; None for others."""
    return X.rows_of(table.bounds) if isinstance(X, PackedArray) else None


def _from_steps(xp: Any, whole: Any, table: RankTable, like: Any) -> Any:
    """Return rows, given step by step, in the order of the batch: zeros where `like`, the result's shape, has more."""
    every = xp.asarray(table.all_entries())
    made = (xp.empty if len(every) == like[0] else xp.zeros)(like, whole.dtype)
    made[every] = whole
    return made


def _from_array(xp: Any, X: Any, RankTable: Any) -> tuple[Any, LoD | None]:
    table = _table("array_to_lod_tensor", RankTable)
    if table.steps == 0:  # the loop over the steps had no iteration
        needs = "one row or more in at least one of them"
        raise ShapeError(message("array_to_lod_tensor", "the sequences of Input(RankTable)", "no rows at all", needs))
    packed = packed_rows(X, table)
    if packed is None and (not isinstance(X, TensorArray) or len(X) < table.steps or any(e is None for e in X)):
        got = f"an array of {len(X)} elements" if isinstance(X, TensorArray) else describe(X)
        raise ShapeError(
            message("array_to_lod_tensor", "Input(X)", got, f"an array of {table.steps}, one for each step")
        )
    whole, below = join(xp, list(X)[: table.steps]) if packed is None else (packed, None)
    upper = table.lod[: table.level]
    if below is None and len(whole) == table.bounds[-1]:
        return _from_steps(xp, whole, table, whole.shape), (*upper, tuple(table.lod[table.level]))
    places = np.empty(
        int(table.lengths.sum()), INT64
    )  # the position of each entry in `whole`, in the order of the result
    ends = np.cumsum([0] + [table.alive(t) for t in range(table.steps)])
    offsets = np.concatenate([[0], np.cumsum(_in_order(table))])
    for t in range(table.steps):
        sequences = table.order[: table.alive(t)]
        places[offsets[sequences] + t] = ends[t] + np.arange(len(sequences))
    array, inner = pick(xp, whole, below, places)
    lod = (*upper, tuple(int(o) for o in offsets), *(inner or ()))
    return array, lod


def _in_order(table: RankTable) -> Any:
    lengths = np.empty(len(table), INT64)
    lengths[table.order] = table.lengths
    return lengths


def _array_gradient(xp: Any, X: Any, RankTable: Any, dOut: Any, *, lod: LoD | None) -> Any:
    """Return the gradient of lod_tensor_to_array: the rows of the gradients at their former positions, and zeros elsewhere."""
    table = _table("lod_tensor_to_array", RankTable)
    below = _below_steps(lod, table)
    packed = packed_rows(dOut, table) if below is None else None
    if packed is not None:
        return _from_steps(xp, packed, table, X.shape)
    parts = list(dOut)[: table.steps]
    if below is None and len(parts) == table.steps > 0 and None not in parts:
        whole = join(xp, parts)[0]
        return _from_steps(xp, whole, table, X.shape)
    dx = xp.zeros(X.shape, X.dtype)
    for t in range(min(table.steps, len(dOut))):
        element = dOut[t]
        if element is not None:
            rows, _ = pick(np, np.arange(X.shape[0]), below, table.entries(t))
            dx[xp.asarray(rows)] = element[0]
    return dx


def _tensor_gradient(xp: Any, X: Any, RankTable: Any, dOut: Any) -> TensorArray:
    """Return the gradient of array_to_lod_tensor: the rows of each step."""
    table = _table("array_to_lod_tensor", RankTable)
    offsets = np.concatenate([[0], np.cumsum(_in_order(table))])
    below = None if packed_rows(X, table) is not None else _below(X, offsets, table)
    if below is None:
        return _by_step(xp, dOut, table)
    elements: list[Any] = []
    for t in range(table.steps):
        sequences = table.order[: table.alive(t)]
        elements.append(pick(xp, dOut, below, offsets[sequences] + t))
    return TensorArray(elements)


def _below(X: TensorArray, offsets: Any, table: RankTable) -> LoD | None:
    """Return the LoD below the sequences in the result of array_to_lod_tensor."""
    first = X[0] if len(X) else None
    if first is None or first[1] is None:
        return None
    return (_from_array(np, X, table)[1] or ())[table.level + 1 :] or None


# --- states -----------------------------------------------------------------------------------------------------------


def _shrink(xp: Any, X: Any, RankTable: Any, index: Any, *, lod: LoD | None) -> tuple[Any, LoD | None]:
    count = _table("shrink_rnn_memory", RankTable).alive(int(index.reshape(-1)[0]))
    levels = []
    for offsets in lod or ():
        levels.append(offsets[: count + 1])
        count = offsets[count]
    return X[:count], tuple(levels) or None


def _shrink_gradient(xp: Any, X: Any, dOut: Any, *, lod: LoD | None) -> Any:
    if len(dOut) == X.shape[0]:
        return dOut
    dx = xp.zeros(X.shape, dOut.dtype)
    dx[: dOut.shape[0]] = dOut
    return dx


def _reorder(xp: Any, X: Any, RankTable: Any, *, lod: LoD | None) -> tuple[Any, LoD | None]:
    return pick(xp, X, lod, _table("reorder_lod_tensor_by_rank", RankTable).order)


def _reorder_gradient(xp: Any, X: Any, RankTable: Any, dOut: Any, *, lod: LoD | None) -> Any:
    rows, _ = pick(np, np.arange(X.shape[0]), lod, _table("reorder_lod_tensor_by_rank", RankTable).order)
    dx = xp.zeros(X.shape, dOut.dtype)
    dx[xp.asarray(rows)] = dOut
    return dx


# --- rows by a mask ---------------------------------------------------------------------------------------------------


def _places(Mask: Any) -> tuple[Any, Any]:
    mask = np.asarray(to_host(Mask)).reshape(-1).astype(bool)
    return np.flatnonzero(mask), np.flatnonzero(~mask)


def _split(xp: Any, X: Any, Mask: Any, *, lod: LoD | None) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    rows = X.shape[0] if lod is None else len(lod[0]) - 1
    if rows != Mask.size:
        needs = f"{rows}, one for each row or sequence of X"
        raise ShapeError(message("split_lod_tensor", "Input(Mask)", f"{Mask.size} flags", needs))
    yes, no = _places(Mask)
    (a, lod_a), (b, lod_b) = pick(xp, X, lod, yes), pick(xp, X, lod, no)
    return (a, b), (lod_a, lod_b)


def _merge(xp: Any, X: Any, Mask: Any, InTrue: Any, InFalse: Any, *, lod: tuple) -> tuple[Any, LoD | None]:
    yes, no = _places(Mask)
    lod_true, lod_false = lod
    parts = [(v, o) for v, o in ((InTrue, lod_true), (InFalse, lod_false)) if v is not None]
    whole, levels = join(xp, parts)
    back = np.empty(len(yes) + len(no), INT64)
    back[yes], back[no] = np.arange(len(yes)), len(yes) + np.arange(len(no))
    return pick(xp, whole, levels, back)


def _split_gradient(xp: Any, X: Any, Mask: Any, dTrue: Any, dFalse: Any, *, lod: LoD | None) -> Any:
    yes, no = _places(Mask)
    dx = xp.zeros(X.shape, X.dtype)
    for places, gradient in ((yes, dTrue), (no, dFalse)):
        rows, _ = pick(np, np.arange(X.shape[0]), lod, places)
        if gradient is not None and len(rows):
            dx[xp.asarray(rows)] = gradient
    return dx


def _merge_gradient(xp: Any, X: Any, Mask: Any, dOut: Any, *, lod: LoD | None) -> tuple[Any, Any]:
    yes, no = _places(Mask)
    return pick(xp, dOut, lod, yes)[0], pick(xp, dOut, lod, no)[0]


# --- declarations -----------------------------------------------------------------------------------------------------


def _raised(X: Meta, *_: Meta, **__: Any) -> Meta:
    return X._replace(shape=(-1, *X.shape[1:]), lod_level=max(X.lod_level, 1))


def _lowered(X: Meta, *_: Meta, **__: Any) -> Meta:
    return X._replace(shape=(-1, *X.shape[1:]), lod_level=max(X.lod_level - 1, 0))


def _rows(X: Meta, *_: Meta, **__: Any) -> Meta:
    return X._replace(shape=(-1, *X.shape[1:]))


structural(
    "lod_rank_table", "X", "Out", {"level": 0}, reference=_rank, needs_lod="X", infer=lambda X, level: X,
    doc="Out = the sequences of X from the longest to the shortest, a RankTable.", flops=0
)  # fmt: skip
structural(
    "max_sequence_len", "RankTable", "Out", reference=_longest, infer=lambda RankTable: Meta((1,), INT64),
    doc="Out [1] = the length of the longest sequence.", flops=0
)  # fmt: skip
structural(
    "lod_tensor_to_array", "X RankTable", "Out", reference=_to_array, needs_lod="X", infer=_lowered,
    grad=Grad("X# RankTable Out@GRAD", "X@GRAD", _array_gradient),
    doc="Out = an array with one element for each step: the entries of the sequences that are that long, the longest first.", flops=0
)  # fmt: skip
structural(
    "array_to_lod_tensor", "X RankTable", "Out", reference=_from_array, lod="made", infer=_raised,
    grad=Grad("X RankTable Out@GRAD", "X@GRAD", _tensor_gradient),
    doc="Out = the sequences again, in their first order, from one element for each step.", flops=0
)  # fmt: skip
structural(
    "shrink_rnn_memory", "X RankTable I", "Out", reference=_shrink, lod="made", needs_lod="X", infer=_rows,
    grad=Grad("X# Out@GRAD", "X@GRAD", _shrink_gradient),
    doc="Out = the first rows of X: those of sequences that have a step I.", flops=0, in_steps="first",
)  # fmt: skip
structural(
    "reorder_lod_tensor_by_rank", "X RankTable", "Out", reference=_reorder, lod="made", needs_lod="X", infer=_rows,
    grad=Grad("X# RankTable Out@GRAD", "X@GRAD", _reorder_gradient),
    doc="Out = the sequences (without a LoD, the rows) of X in the order of a RankTable.", flops=0
)  # fmt: skip
structural(
    "split_lod_tensor", "X Mask", "OutTrue OutFalse", {"level": 0},
    reference=_split, lod="made", needs_lod="X",
    infer=lambda X, Mask: (_rows(X), _rows(X)),
    grad=Grad("X# Mask OutTrue@GRAD OutFalse@GRAD", "X@GRAD", _split_gradient),
    doc="OutTrue and OutFalse = the rows of X where Mask holds, and the others.", flops=0
)  # fmt: skip
structural(
    "merge_lod_tensor", "X Mask InTrue InFalse", "Out", {"level": 0}, reference=_merge, lod="made", needs_lod="InTrue InFalse",
    infer=lambda X, Mask, InTrue, InFalse: _rows(InTrue), grad=Grad("X# Mask Out@GRAD", "InTrue@GRAD InFalse@GRAD", _merge_gradient, needs_lod="X"),
    doc="Out = rows of InTrue where Mask holds, of InFalse elsewhere, in the order of Mask.", flops=0
)  # fmt: skip
structural(
    "merge_lod_tensor_infer", "X Mask InTrue InFalse", "Out", {"level": 0}, reference=_merge, lod="made",
    needs_lod="InTrue InFalse", infer=lambda X, Mask, InTrue, InFalse: _rows(InTrue),
    doc="merge_lod_tensor without a gradient.", flops=0
)  # fmt: skip
structural(
    "rnn_memory_helper", "X", "Out", {"dtype": 5}, reference=lambda xp, X: X, lod="X", infer=lambda X: X,
    grad=Grad("Out@GRAD", "X@GRAD", via="assign"), view=Identity(), doc="Out = X.",
)  # fmt: skip
structural(
    "rnn_memory_helper_grad", "Out@GRAD? X Out", "X@GRAD", {"dtype": 5}, infer=lambda dOut, X, Out: X,
    reference=lambda xp, dOut, X, Out: xp.zeros_like(X) if dOut is None else dOut,
    doc="The gradient of rnn_memory_helper in Programs of PaddlePaddle: X@GRAD = Out@GRAD, zeros where there is none.", flops=0
)  # fmt: skip
