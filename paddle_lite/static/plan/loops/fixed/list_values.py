"""Arrays of tensors as lists: all elements have one shape and lie side by side in one array, with a flag for each that was written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .....core.tensor_array import PackedArray, TensorArray
from .....ops.support.meta import Meta
from ..forms import fits
from ..limits import Unfit


class List(NamedTuple):
    """The elements of an array of tensors: elements [room, *shape], written [room] of flags, and their number, length [1]."""

    elements: np.ndarray
    written: np.ndarray
    length: np.ndarray

    def array(self) -> TensorArray:
        """Return the array of tensors."""
        count = self.length.item()
        if self.written[:count].all():
            return array_of(self.elements[:count])
        return TensorArray(
            [(each, None) if there else None for each, there in zip(self.elements[:count], self.written)]
        )


def array_of(elements: np.ndarray) -> TensorArray:
    """Return the array of tensors that lie side by side in an array [count, *shape]."""
    if elements.ndim < 2:
        return TensorArray([(each, None) for each in elements[:, ...].reshape(-1, *elements.shape[1:])])
    count, rows = elements.shape[:2]
    return PackedArray(elements.reshape(count * rows, *elements.shape[2:]), list(range(0, count * rows + 1, rows)))


def element_meta(array: Any) -> Meta | None:
    """Return the shape and dtype of all elements of an array of tensors; None for one without elements.

    Raises:
        Unfit: it is no such array, its elements differ, have a LoD, or are no numbers that kernels compute with, or the last one was
            never written.
    """
    if array is None or (isinstance(array, TensorArray) and not len(array)):
        return None
    found = {
        (element[0].shape, element[0].dtype) if type(element[0]) is np.ndarray and element[1] is None else None
        for element in (array if isinstance(array, TensorArray) else [(None, None)])
        if element is not None
    }
    meta = found.pop() if len(found) == 1 else None
    if meta is None or not fits(meta[1]) or array[len(array) - 1] is None:
        raise Unfit("an array of tensors of several shapes, or with LoDs")
    return Meta(*meta)


def laid_out(array: TensorArray | None, shape: tuple[int, ...], dtype: np.dtype | None, room: int) -> List:
    """Return the elements of an array of tensors, which have this shape and dtype, with room for so many."""
    elements, written = np.empty((room, *shape), dtype), np.zeros(room, np.uint8)
    for place in lay_out(array, elements):
        written[place] = 1
    return List(elements, written, np.array([0 if array is None else len(array)]))


def lay_out(array: TensorArray | None, elements: np.ndarray) -> Sequence[int]:
    """Copy the elements of an array of tensors that there are; return their places."""
    whole = array.stacked() if isinstance(array, PackedArray) else None
    if whole is not None:
        elements[: len(whole)] = whole
        return range(len(whole))
    places = []
    for place, element in enumerate(() if array is None else array):
        if element is not None:
            elements[place] = element[0]
            places.append(place)
    return places
