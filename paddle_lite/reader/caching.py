"""`cache`: read once and replay from memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..core.guarded import boundary
from .source import Reader, check_readers, opened


def cache(reader: Reader) -> Reader:
    """Keep all samples of a reader in memory, so that later epochs read nothing.

    The reader is read to its end at once, when `cache` is called, as in Fluid: it must be finite and fit into memory.
    Every epoch yields the same objects; a sample that is changed in place stays changed.

    Arguments:
        reader: the reader to cache.

    Returns:
        A reader of the same samples in the same order.

    Raises:
        ArgumentTypeError: `reader` is not a function.

    Example:
        >>> import paddle_lite as paddle
        >>> def numbers():
        ...     print("reading")
        ...     yield from range(3)
        >>> cached = paddle.reader.cache(numbers)
        reading
        >>> list(cached()), list(cached())
        ([0, 1, 2], [0, 1, 2])
    """
    check_readers("cache", reader)
    with opened(reader) as (samples,):
        kept = tuple(samples)

    @boundary
    def cached_reader() -> Iterator[Any]:
        yield from kept

    return cached_reader
