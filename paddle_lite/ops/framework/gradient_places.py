"""Memory for the gradients of leaf Variables, into which gradient kernels write, so that nobody has to copy them there.

Whoever wants a gradient in memory of its own, as workers that share memory do, makes a Place and keeps it as long as it is wanted. A backward
pass offers it to the kernel that computes the gradient of the leaf; a kernel that cannot use it returns another array. So its owner asks `holds`.
"""

from __future__ import annotations

import weakref
from math import prod
from typing import Any

import numpy as np

__all__ = ["Place", "places", "take"]

places: dict[int, weakref.ref[Place]] = {}
"""The places that exist, by the ids of their leaves."""


class Place:
    """Where the gradient of a leaf is wanted. It is forgotten when nobody refers to it any more.

    Arguments:
        leaf: a Variable.
        memory: a writable buffer, which stays where it is.
        offset: of the gradient, in bytes.
    """

    def __init__(self, leaf: Any, memory: Any, offset: int) -> None:
        self._leaf = weakref.ref(leaf)
        self._memory, self._offset = memory, offset
        self._shape, self._dtype = leaf.array.shape, leaf.array.dtype
        self._given: weakref.ref[np.ndarray] | None = None
        key = id(leaf)

        def forget(own: weakref.ref[Place]) -> None:
            if places.get(key) is own:
                del places[key]

        places[key] = weakref.ref(self, forget)

    @property
    def free(self) -> bool:
        """Whether no array or view of an array that was taken is alive."""
        return self._given is None or self._given() is None

    def take(self, leaf: Any) -> np.ndarray | None:
        """Return the memory as an array of the leaf's shape and dtype; None while it is not free.

        Arguments:
            leaf: a Variable: None is returned for another one than this place is for.
        """
        known: Any = self._leaf()
        if known is None or known is not leaf or known.array.shape != self._shape or not self.free:
            return None
        whole = np.frombuffer(
            self._memory, self._dtype, prod(self._shape), self._offset
        )  # views of views refer to it, too
        self._given = weakref.ref(whole)
        return whole.reshape(self._shape)

    def holds(self, gradient: np.ndarray) -> bool:
        """Return whether a gradient of the leaf's shape is in this memory, in the order of its elements."""
        whole = None if self._given is None else self._given()
        return (
            whole is not None
            and gradient.base is whole
            and gradient.shape == self._shape
            and gradient.flags.c_contiguous
        )


def take(edge: Any) -> np.ndarray | None:
    """Return the memory in which the gradient of an edge of the tape is wanted; None if it may be anywhere."""
    found = places.get(id(edge))
    place = None if found is None else found()
    return None if place is None else place.take(edge)
