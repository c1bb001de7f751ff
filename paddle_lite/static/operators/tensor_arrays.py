"""Operators on arrays of tensors, whose values are core.tensor_array's, and the one that selects among branches."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ...core.errors import ArgumentTypeError, IndexRangeError, ShapeError, describe, message
from ...core.tensor_array import PackedArray, TensorArray
from ...ops.framework.spec import Grad
from ...ops.support.meta import Meta
from ..autodiff.control_gradients import element_gradient
from .structural import ControlGrad, structural

INT64 = np.dtype("int64")


def _place(where: str, index: Any) -> int:
    if index.size != 1:
        raise ShapeError(message(where, "Input(I)", f"shape {list(index.shape)}", "one element"))
    return int(index.reshape(-1)[0])


def _array(where: str, X: Any) -> TensorArray:
    if not isinstance(X, TensorArray):
        raise ArgumentTypeError(
            message(where, "Input(X)", describe(X), "a LoDTensorArray", "Make one: array_write(x, i).")
        )
    return X


def _element(X: Meta, *_: Meta) -> Meta:
    return X


def _read(xp: Any, X: Any, index: Any, X_W: Any) -> tuple[Any, Any]:
    place, array = _place("read_from_array", index), _array("read_from_array", X)
    found = array[place] if 0 <= place < len(array) else None
    if found is None and X_W is not None:
        return xp.zeros(X_W.shape, X_W.dtype), None
    if found is None:
        needs = f"the place of an element that was written, of {len(array)}"
        raise IndexRangeError(message("read_from_array", "Input(I)", place, needs))
    return found


def _read_gradient(xp: Any, X: Any, index: Any, dOut: Any) -> TensorArray:
    items: list[Any] = [None] * len(X)
    place = _place("read_from_array", index)
    items[place] = (dOut, None)
    return TensorArray(items, only=place)


def _without(xp: Any, X: Any, index: Any) -> TensorArray:
    return X.without(_place("without_element", index))


def _length(xp: Any, X: Any) -> Any:
    return xp.asarray([len(_array("lod_array_length", X))], INT64)


def _one(X: Meta) -> Meta:
    return Meta((1,), INT64)


def _select(xp: Any, X: list[Any], Mask: Any, *, lod: list[Any]) -> tuple[Any, Any]:
    which = _place("select_input", Mask)
    if not 0 <= which < len(X):
        raise IndexRangeError(message("select_input", "Input(Mask)", which, f"0 to {len(X) - 1}"))
    return X[which], lod[which]


def _select_gradient(xp: Any, Mask: Any, dOut: Any, *, need: tuple) -> list[Any]:
    which = _place("select_input", Mask)
    return [dOut if i == which else xp.zeros_like(dOut) for i in range(len(need[0]))]


def _select_output(xp: Any, X: Any, Mask: Any, *, need: tuple, lod: Any) -> tuple[tuple[Any, ...], tuple[list[Any]]]:
    which = _place("select_output", Mask)
    if not 0 <= which < len(need[0]):
        raise IndexRangeError(message("select_output", "Input(Mask)", which, f"0 to {len(need[0]) - 1}"))
    places = range(len(need[0]))
    return tuple(X if i == which else X[:0] for i in places), ([lod if i == which else None for i in places],)


def _first(X: list[Meta], Mask: Meta) -> Meta:
    return X[0]


def _elements(X: Any) -> list[Any]:
    array = _array("tensor_array_to_tensor", X)
    if not len(array) or any(e is None for e in array):
        raise ShapeError(
            message("tensor_array_to_tensor", "Input(X)", repr(array), "an array with every element written")
        )
    return [element[0] for element in array if element is not None]


def _joined(xp: Any, X: Any, *, axis: int, use_stack: bool) -> tuple[Any, Any]:
    whole = X.rows_of(X.bounds) if isinstance(X, PackedArray) and axis == 0 and not use_stack and len(X) else None
    if whole is not None:  # the elements lie one after another
        return whole.copy(), xp.asarray([b - a for a, b in pairwise(X.bounds)], "int32")
    whole = X.stacked() if isinstance(X, PackedArray) and use_stack else None
    if whole is not None and axis in (0, -whole.ndim):
        return whole.copy(), xp.ones(len(whole), "int32")
    arrays = _elements(X)
    sizes = xp.asarray([1 if use_stack else a.shape[axis] for a in arrays], "int32")
    return (xp.stack(arrays, axis=axis) if use_stack else xp.concatenate(arrays, axis=axis)), sizes


def _joined_gradient(xp: Any, X: Any, dOut: Any, *, axis: int, use_stack: bool) -> TensorArray:
    if (
        isinstance(X, PackedArray)
        and axis in (0, -dOut.ndim)
        and (X.stacked() if use_stack else X.rows_of(X.bounds)) is not None
    ):
        return PackedArray(dOut.reshape(X.whole.shape), X.bounds)
    arrays, start = _elements(X), 0
    parts: list[Any] = []
    for array in arrays:
        size = 1 if use_stack else array.shape[axis]
        part = dOut[(slice(None),) * (axis % dOut.ndim) + (slice(start, start + size),)]
        parts.append((part.reshape(array.shape), None))
        start += size
    return TensorArray(parts)


def _of_all(X: Meta, *, axis: int, use_stack: bool) -> tuple[Meta, Meta]:
    shape, rank = list(X.shape), len(X.shape) + use_stack
    if X.shape and not -rank <= axis < rank:
        needs = f"an axis from {-rank} to {rank - 1}, as its elements have"
        raise IndexRangeError(message("tensor_array_to_tensor", "axis", axis, needs))
    if use_stack:
        shape.insert(axis % (len(shape) + 1), -1)
    elif shape:
        shape[axis] = -1
    return Meta(tuple(shape), X.dtype), Meta((-1,), np.dtype("int32"))


structural(
    "write_to_array", "X I", "Out", infer=_element, grad=ControlGrad("X", "Out", element_gradient),
    doc="Out, an array of tensors, with X at the place I.", flops=0, in_steps="write",
)  # fmt: skip
structural(
    "read_from_array", "X I X_W?", "Out", reference=_read, infer=_element, lod="made",
    grad=Grad("X I Out@GRAD", "X@GRAD", _read_gradient),
    doc="Out = the element of X at the place I. In gradients X_W says what zeros look like where there is none.", flops=0,
    in_steps="read",
)  # fmt: skip
structural(
    "without_element", "X I", "Out", reference=_without, infer=_element,
    doc="Out = X less its element at the place I: the gradient of an array from before that element was written.", flops=0,
    in_steps="rest",
)  # fmt: skip
structural(
    "tensor_array_to_tensor", "X", "Out OutIndex", {"axis": 0, "use_stack": False}, reference=_joined, infer=_of_all,
    grad=Grad("X Out@GRAD", "X@GRAD", _joined_gradient),
    doc="Out = the elements of an array, one after another or (use_stack) along a new axis; OutIndex = their sizes there.", flops=0
)  # fmt: skip
structural(
    "lod_array_length",
    "X",
    "Out",
    reference=_length,
    infer=_one,
    doc="Out [1] = the number of elements of an array.",
    flops=0,
    speculatable=True,
    in_steps="length",
    stopped="Out",
)
structural(
    "select_input", "X* Mask", "Out", reference=_select, infer=_first, lod="made", needs_lod="X",
    grad=Grad("Mask Out@GRAD", "X@GRAD", _select_gradient),
    doc="Out = the element of X that Mask, one integer, says.", flops=0, chooses=True,
)  # fmt: skip
structural(
    "select_output", "X Mask", "Out*", reference=_select_output, infer=lambda X, Mask: [], lod="made", needs_lod="X",
    grad=Grad("Out@GRAD Mask", "X@GRAD", via="select_input"),
    doc="The element of Out that Mask, one integer, says = X; the others have no rows.", flops=0
)  # fmt: skip
