"""`buffered`: read ahead in a thread; for loaders, only where that pays."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from functools import partial
from time import perf_counter
from typing import Any

from ..core.guarded import boundary
from .channel import Channel, fill, working
from .source import Reader, check_readers, opened

LEAST = 100e-6
"""The seconds of a batch from which on reading it ahead pays: handing it over takes a tenth of that, on a busy machine all of it."""
ENOUGH = 4
"""The least number of batches of an epoch that says something about the next one."""


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
    with working([channel], [partial(fill, channel, reader)]) as [channel.filler]:
        yield channel
        yield from channel.samples()


class Pace:
    """What a loader knows about its generator: the mean seconds that a batch of the last epoch took; None before one ended."""

    def __init__(self) -> None:
        self.seconds: float | None = None

    def reading(self, reader: Reader, ahead: Callable[[Reader], Reader]) -> Reader:
        """Return a reader of the same batches: read ahead in a thread, unless the last epoch has shown that it does not pay.

        An epoch is read by one thread from its start to its end. The first one is read ahead.

        Arguments:
            reader: the reader. ahead: a function that returns a reader which reads another one ahead.
        """
        paced = partial(self._paced, reader)
        return paced if self.seconds is not None and self.seconds < LEAST else ahead(paced)

    def _paced(self, reader: Reader) -> Iterator[Any]:
        """Yield the batches of an epoch, and note how long they took."""
        total, count = 0.0, 0
        with opened(reader) as (batches,):
            start = perf_counter()
            for batch in batches:
                total += perf_counter() - start
                count += 1
                yield batch
                start = perf_counter()
        if count >= ENOUGH:
            self.seconds = total / count
