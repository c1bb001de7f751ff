"""`chain`: read several readers one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..core.guarded import boundary
from .source import Reader, check_readers, opened


def chain(*readers: Reader) -> Reader:
    """Read the readers one after the other; each starts when the previous one has ended.

    Arguments:
        *readers: the readers, in the order in which they are read.

    Returns:
        A reader of all their samples.

    Raises:
        ArgumentTypeError: one of `readers` is not a function.

    Example:
        >>> import paddle_lite as paddle
        >>> list(paddle.reader.chain(lambda: [0, 1], lambda: [2])())
        [0, 1, 2]
    """
    check_readers("chain", *readers)

    @boundary
    def chained_reader() -> Iterator[Any]:
        for reader in readers:
            with opened(reader) as (samples,):
                yield from samples

    return chained_reader
