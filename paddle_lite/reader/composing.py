"""`compose`: read several readers in parallel."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, zip_longest
from typing import Any

from ..core.errors import EnforceNotMet
from ..core.guarded import boundary
from .source import Reader, check_readers, opened

_MISSING = object()


class ComposeNotAligned(EnforceNotMet, ValueError):
    """Readers given to `compose` differ in their number of samples; `check_alignment=False` stops at the shortest."""


def compose(*readers: Reader, check_alignment: bool = True, **_: Any) -> Reader:
    """Read several readers in parallel and join their samples into flat tuples.

    A sample that is a tuple contributes its fields, any other sample is one field: `(a, b)`, `c` and `[d]` make
    `(a, b, c, [d])`.

    Arguments:
        *readers: the readers to join.
        check_alignment: raise when one reader ends before another; otherwise stop silently at the shortest.
        **_: accepted for Fluid code, ignored, as PaddlePaddle does.

    Returns:
        A reader of tuples.

    Raises:
        ComposeNotAligned: while reading, when one reader has ended and another has not.
        ArgumentTypeError: one of `readers` is not a function.

    Example:
        >>> import paddle_lite as paddle
        >>> list(paddle.reader.compose(lambda: [(1, 2), (3, 4)], lambda: [5, 6])())
        [(1, 2, 5), (3, 4, 6)]
    """
    check_readers("compose", *readers)

    @boundary
    def composed_reader() -> Iterator[tuple[Any, ...]]:
        with opened(*readers) as columns:
            rows = zip_longest(*columns, fillvalue=_MISSING) if check_alignment else zip(*columns, strict=False)
            for count, row in enumerate(rows):
                if check_alignment:
                    _check_aligned(row, count)
                yield tuple(chain.from_iterable(map(_fields, row)))

    return composed_reader


def _fields(sample: Any) -> tuple[Any, ...]:
    """Return a tuple unchanged, and any other value as a tuple of one element."""
    return sample if isinstance(sample, tuple) else (sample,)


def _check_aligned(row: tuple[Any, ...], count: int) -> None:
    """Raise if any reader ended before this row."""
    ended = [position for position, sample in enumerate(row) if sample is _MISSING]
    if ended:
        raise ComposeNotAligned(
            f"paddle.reader.compose: outputs of readers are not aligned: of {len(row)} readers, those at positions "
            f"{ended} ended after {count} samples and the others did not. "
            f"Pass check_alignment=False to stop at the shortest."
        )
