"""Buckets: many arrays as few pieces of at most 2 MB, the size at which reductions are fastest.

Large arrays are cut, and their parts are reduced where they are; small ones that follow each other are copied together. One
call of 64 MB takes 2.5 times as long as 32 calls of 2 MB.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

BYTES = 2 << 20
SMALL = 64 << 10
"""Arrays of at most so many bytes are copied together: a call for each would cost more than the copy."""


class Piece:
    """A part of some arrays of one dtype, as one contiguous array.

    Attributes:
        source: what is reduced.
        target: where the result goes; `source` itself where that is allowed.
    """

    def __init__(self, source: Any, target: Any, parts: Sequence[tuple[Any, Any]] = ()) -> None:
        self.source, self.target = source, target
        self._parts = parts

    @classmethod
    def packed(cls, parts: Sequence[tuple[Any, Any]]) -> Piece:
        """Return a piece that copies small arrays together; of one array that is reduced where it is, the array itself."""
        if len(parts) == 1 and parts[0][0] is parts[0][1] and parts[0][0].flags.c_contiguous:
            flat = parts[0][0].reshape(-1)
            return cls(flat, flat)
        whole = np.concatenate([np.ravel(source) for source, _ in parts])
        return cls(whole, whole, parts)

    def finish(self) -> None:
        """Write the results of small arrays to where they belong."""
        start = 0
        for _, target in self._parts:
            target[...] = self.target[start : start + target.size].reshape(target.shape)
            start += target.size


def pieces(sources: Sequence[Any], targets: Sequence[Any], size: int = BYTES) -> Iterator[Piece]:
    """Cut arrays into pieces, in their order.

    Arguments:
        sources: the arrays.
        targets: contiguous arrays of the same shapes and dtypes, for the results.
        size: the most bytes of a piece.

    Yields:
        Pieces; `finish` is to be called when the target of one is complete.
    """
    small: list[tuple[Any, Any]] = []
    held = 0
    for source, target in zip(sources, targets, strict=True):
        if small and (source.dtype != small[0][0].dtype or held + source.nbytes > size):
            yield Piece.packed(small)
            small, held = [], 0
        if source.nbytes <= min(SMALL, size) or not source.flags.c_contiguous:
            if source.size:
                small.append((source, target))
                held += source.nbytes
            continue
        flat = source.reshape(-1)
        into = flat if target is source else target.reshape(-1)
        step = max(size // source.itemsize, 1)
        for start in range(0, flat.size, step):
            part = flat[start : start + step]
            yield Piece(part, part if into is flat else into[start : start + step])
    if small:
        yield Piece.packed(small)
