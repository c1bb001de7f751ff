"""`xmap_readers`: apply a function to samples in several threads."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ..core.errors import ArgumentValueError, describe, message
from ..core.guarded import boundary
from .channel import Channel, Failure, fill, working
from .source import Reader, check_readers


class XmapEndSignal:
    """What programs that fill queues of samples by themselves put at the end: a reader stops where it takes one."""


def xmap_readers(
    mapper: Callable[[Any], Any], reader: Reader, process_num: int, buffer_size: int, order: bool = False
) -> Reader:
    """Apply a function to the samples of a reader in several threads.

    Another thread reads. Threads help if `mapper` waits (files, network) or computes without the interpreter lock
    (NumPy, decompression); for pure Python use `multiprocess_reader`.

    Arguments:
        mapper: a function of one sample, called from `process_num` threads at once.
        reader: the reader of the samples.
        process_num: the number of threads that call `mapper`, at least 1.
        buffer_size: the largest number of buffered samples before `mapper`, and of results after it; 0 or less for no
            limit.
        order: whether to yield results in the order of the samples; otherwise as they become ready.

    Returns:
        A reader of the results. An error of `mapper` or `reader` is raised in the consumer; with `order`, after the
        results of the samples before it.

    Raises:
        ArgumentValueError: `process_num` is below 1.
        ArgumentTypeError: `reader` is not a function.

    Example:
        >>> import paddle_lite as paddle
        >>> list(paddle.reader.xmap_readers(lambda x: x * x, lambda: range(5), 2, 8, order=True)())
        [0, 1, 4, 9, 16]
    """
    check_readers("xmap_readers", reader)
    if process_num < 1:
        raise ArgumentValueError(
            message("paddle.reader.xmap_readers", "process_num", describe(process_num), "at least 1 thread")
        )

    @boundary
    def mapped_reader() -> Iterator[Any]:
        inbox, outbox = Channel(buffer_size), Channel(buffer_size, producers=process_num)
        read = partial(fill, inbox, reader)
        work = partial(_work, mapper, inbox, outbox, order)
        with working([inbox, outbox], [read, *[work] * process_num]):
            yield from outbox.samples()

    return mapped_reader


def _work(mapper: Callable[[Any], Any], inbox: Channel, outbox: Channel, order: bool) -> None:
    """Map samples until the input ends or the output is closed; pass failures on in their place."""
    try:
        for number, item in inbox.numbered():
            result = item if isinstance(item, Failure) else _attempt(mapper, item)
            if not outbox.put(result, number if order else None):
                return
    finally:
        outbox.finish()


def _attempt(mapper: Callable[[Any], Any], sample: Any) -> Any:
    """Return the mapped sample, or the error as a `Failure`."""
    try:
        return mapper(sample)
    except BaseException as error:
        return Failure(error)


def prepared(function: Callable[[Any], Any], prepare: Callable[[int], Any] | None) -> Callable[[Any], Any]:
    """Return a function for several threads; each calls `prepare` with its number before its first item."""
    numbers, thread = itertools.count(), threading.local()

    def run(item: Any) -> Any:
        if prepare is not None and not hasattr(thread, "number"):
            thread.number = next(numbers)
            prepare(thread.number)
        return function(item)

    return run
