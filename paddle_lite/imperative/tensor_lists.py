"""Tensor arrays in imperative mode, which are Python lists of Variables."""

from __future__ import annotations

from typing import Any

from ..core.errors import ArgumentTypeError, IndexRangeError, describe, message


class TensorLists:
    """The operators on tensor arrays, for Python lists of Variables."""

    def create(self, dtype: Any) -> list[Any]:
        """Return an empty list."""
        return []

    def write(self, x: Any, place: Any, array: Any) -> list[Any]:
        """Write `x` to an index of a list, or append it at the index len(list); return the list.

        Raises:
            ArgumentTypeError: `array` is not a list.
            IndexRangeError: the index is greater than the length.
        """
        index = int(place.numpy()[0])
        items = [] if array is None else _list("array_write", array)
        if index > len(items):
            raise IndexRangeError(message("array_write", "i", index, f"0 to {len(items)}, the length of the array"))
        if index < len(items):
            items[index] = x
        else:
            items.append(x)
        return items

    def read(self, array: Any, place: Any) -> Any:
        """Return the element at an index.

        Raises:
            ArgumentTypeError: `array` is not a list.
            IndexRangeError: the list has no such element.
        """
        index, items = int(place.numpy()[0]), _list("array_read", array)
        if not 0 <= index < len(items):
            raise IndexRangeError(message("array_read", "i", index, f"the place of one of {len(items)} elements"))
        return items[index]

    def length(self, array: Any) -> int:
        """Return the number of elements.

        Raises:
            ArgumentTypeError: `array` is not a list.
        """
        return len(_list("array_length", array))


def _list(where: str, array: Any) -> list[Any]:
    if not isinstance(array, list):
        needs = "a list, as create_array() gives in imperative mode"
        raise ArgumentTypeError(message(where, "array", describe(array), needs))
    return array
