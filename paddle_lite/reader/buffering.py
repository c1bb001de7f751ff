"""`buffered`: read ahead in a thread."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import partial
from typing import Any

from ..core.guarded import boundary
from .channel import Channel, fill, working
from .source import Reader, check_readers


def buffered(reader: Reader, size: int) -> Reader:
    """Read ahead in a thread, so that reading and computing overlap.

    Each epoch has its own thread, which the first sample starts. It ends when a consumer stops early: closing waits
    until the reader has finished its current sample.

    Arguments:
        reader: the reader to read ahead.
        size: the largest number of samples in the buffer; 0 or less for no limit.

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

    @boundary
    def buffered_reader() -> Iterator[Any]:
        samples = reading_ahead(reader, size)
        next(samples)
        yield from samples

    return buffered_reader


def reading_ahead(reader: Reader, size: int) -> Generator[Any, None, None]:
    """Iterate over an epoch that a thread reads ahead; the first `next` starts the thread and returns its Channel."""
    channel = Channel(size)
    with working([channel], [partial(fill, channel, reader)]):
        yield channel
        yield from channel.samples()
