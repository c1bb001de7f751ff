"""`buffered`: read ahead in a thread."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import partial
from typing import Any

from .channel import Channel, fill, working
from .source import Reader, check_readers


def buffered(reader: Reader, size: int) -> Reader:
    """Read ahead in a thread, so that reading and computing overlap.

    Each epoch has its own thread, started with the first sample. A consumer that stops early ends it: closing waits for
    the sample that the reader is working on.

    Args:
        reader: the reader to read ahead.
        size: samples that may wait; 0 or less puts no bound on them.

    Returns:
        A reader of the same samples in the same order. An error of `reader` is raised after the samples before it.

    Raises:
        ArgumentTypeError: `reader` is not a function.

    Example:
        >>> import paddle_lite as paddle
        >>> list(paddle.reader.buffered(lambda: range(5), 2)())
        [0, 1, 2, 3, 4]
    """
    check_readers("buffered", reader)

    def buffered_reader() -> Iterator[Any]:
        samples = reading_ahead(reader, size)
        next(samples)
        yield from samples

    return buffered_reader


def reading_ahead(reader: Reader, size: int) -> Generator[Any, None, None]:
    """An epoch whose thread starts to work at the first `next`, which gives None; then come the samples."""
    channel = Channel(size)
    with working([channel], [partial(fill, channel, reader)]):
        yield None
        yield from channel.samples()
