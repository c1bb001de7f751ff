"""Transfer of samples between threads: a bounded queue that both sides can close, and the threads that use it."""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from ..core.threads.contexts import with_this_context
from .source import Reader, opened

GRACE = 1.0
"""The seconds that all threads of a reader together get to end."""


class Failure(NamedTuple):
    """An error to raise in the consumer, in the place of the sample that could not be produced."""

    error: BaseException


class Channel:
    """A bounded FIFO queue between threads.

    It ends when all producers have finished and it is empty, or immediately when it is closed; closing wakes up all
    threads that wait for it.

    Attributes:
        filler: the thread that reads ahead into it; None where a program pushes.
    """

    filler: threading.Thread | None = None

    def __init__(self, capacity: int, producers: int = 1) -> None:
        """Allow at most `capacity` items (0 or less: no limit) until `producers` threads have finished."""
        self._capacity = capacity if capacity > 0 else math.inf
        self._producers = producers
        self._items: dict[int, Any] = {}  # by number; there are gaps where items arrive out of order
        self._put_count = 0
        self._taken_count = 0
        self._closed = False
        self._changed = threading.Condition()

    def __len__(self) -> int:
        """Return the number of items that wait."""
        with self._changed:
            return len(self._items)

    def put(self, item: Any, number: int | None = None) -> bool:
        """Add an item, at its position if it has a number, and wait for space; return False if the channel is closed."""

        def place() -> int:
            return self._put_count if number is None else number

        with self._changed:
            self._changed.wait_for(
                lambda: self._closed or not self._producers or place() < self._taken_count + self._capacity
            )
            if self._closed or not self._producers:
                return False
            self._items[place()] = item
            self._put_count += 1
            self._changed.notify_all()
            return True

    def numbered(self) -> Iterator[tuple[int, Any]]:
        """Take items until the end; yield (number, item)."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._taken_count in self._items or not self._producers)
                if self._closed or not self._items:
                    return
                number = self._taken_count
                item = self._items.pop(number)
                self._taken_count += 1
                self._changed.notify_all()
            yield number, item

    def samples(self) -> Iterator[Any]:
        """Take samples until the end; raise the error of a `Failure`."""
        for _, item in self.numbered():
            if isinstance(item, Failure):
                raise item.error
            yield item

    def finish(self) -> None:
        """Mark one producer as finished."""
        with self._changed:
            self._producers -= 1
            self._changed.notify_all()

    def end(self) -> None:
        """Add no more items; it ends when those that wait are taken."""
        with self._changed:
            self._producers = 0
            self._changed.notify_all()

    def close(self) -> None:
        """End immediately and discard the items."""
        with self._changed:
            self._closed = True
            self._items.clear()
            self._changed.notify_all()


def fill(channel: Channel, reader: Reader) -> None:
    """Put all samples of a reader into a channel, followed by its error if it raises one."""
    try:
        with opened(reader) as (samples,):
            for sample in samples:
                if not channel.put(sample):
                    return
    except BaseException as error:
        channel.put(Failure(error))
    finally:
        channel.finish()


@contextmanager
def working(channels: list[Channel], tasks: list[Callable[[], None]]) -> Iterator[list[threading.Thread]]:
    """Run each task in a thread, with what the guards around it have set; at the end close the channels and join the threads, which it yields.

    A thread that waits inside of the user's reader, for a network or a disk, is joined for `GRACE` seconds at most. It ends when
    that wait does, since its channel is closed.
    """
    threads: list[threading.Thread] = []
    try:
        for task in tasks:
            thread = threading.Thread(target=with_this_context(task), name="paddle_lite reader", daemon=True)
            thread.start()
            threads.append(thread)
        yield threads
    finally:
        if not sys.is_finalizing():  # daemon threads are frozen by then, perhaps inside a channel's lock
            for channel in channels:
                channel.close()
            end = time.monotonic() + GRACE
            for thread in threads:
                if thread is not threading.current_thread():  # the collector may run this in any thread
                    thread.join(max(0.0, end - time.monotonic()))
