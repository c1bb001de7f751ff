"""Loader of static mode: iterates over feeds of a user's generator, or lets the Executor take them."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from functools import partial
from itertools import islice
from threading import Lock
from typing import Any

from ..core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    EOFException,
    ModeError,
    describe,
    message,
)
from ..core.guarded import boundary
from ..core.place import CPUPlace, Place, resolve
from ..core.tensor import LoDTensor
from .buffering import reading_ahead
from .channel import Channel
from .columns import Column, sample_batches, whole_batches
from .generator_loader import GeneratorLoader, copies_to_gpus
from .source import Reader, opened


class LoaderQueue:
    """The batches that wait in a loader, `loader.queue`. Programs print how many there are, or push their own into that of a py_reader.

    Attributes:
        pushed: whether batches are pushed, not read from a generator.
        held: whether a program holds it, which may push its first batch later than the first run of the Program.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self.channel: Channel | None = None
        self.pushed = self.held = False
        self._opening = Lock()

    def open(self) -> Channel:
        """Return where the batches wait; make it for those that are pushed unless a generator has."""
        with self._opening:
            if self.channel is None:
                self.channel, self.pushed = Channel(self._capacity), True
            return self.channel

    def push(self, batch: Sequence[Any]) -> bool:
        """Add a batch for a run of the Program; wait while the queue is full.

        Arguments:
            batch: a list or LoDTensorArray with the value of each Variable.

        Returns:
            Whether it was added; False if the queue was closed.

        Raises:
            ModeError: the reader reads from a generator.
        """
        channel = self.open()
        if not self.pushed:
            fix = "Call reset() first."
            raise ModeError(message("queue.push", "the reader", "one that reads from a generator", "one at rest", fix))
        return channel.put(list(batch))

    def close(self) -> None:
        """Let no more batches be added; runs take those that wait, and then raise EOFException."""
        self.open().end()

    def kill(self) -> None:
        """Let no more batches be added, and drop those that wait."""
        self.close()
        if self.channel is not None:
            self.channel.close()

    def size(self) -> int:
        """Return the number of batches that wait; 0 outside of an epoch."""
        return 0 if self.channel is None else len(self.channel)

    def capacity(self) -> int:
        """Return the largest number of batches that may wait."""
        return self._capacity


class StaticLoader(GeneratorLoader):
    """Loads the batches of a generator for the data Variables of a Program.

    With `iterable=True` it iterates over feeds for `Executor.run`: lists with a dict for each device. Otherwise each
    run of the Program after `start()` takes the next batch, and raises EOFException when there are no more; `reset()`
    ends the epoch at any time.

    Without columns, `None`, it iterates over lists of LoDTensors of batches with any number of values.

    Attributes:
        names: the names of the Variables that it feeds.
        queue: the batches that it has read ahead, a LoaderQueue with `size()` and `capacity()`; with `iterable=True`
            those of the epoch that was begun last, and None before the first one. `_queue` is the same.
    """

    def __init__(
        self,
        where: str,
        columns: Sequence[Column] | None,
        capacity: Any,
        iterable: bool = True,
        return_list: bool = False,
        drop_last: bool = True,
    ) -> None:
        super().__init__(where, capacity)
        self.iterable = bool(iterable)
        self._any_values = columns is None
        self.columns = list(columns or ())
        self._return_list = return_list
        self._drop_last = drop_last
        self._places: list[Place] = [CPUPlace()]
        self.queue: LoaderQueue | None = None if self.iterable else LoaderQueue(self._capacity)
        self._epoch: Generator[Any, None, None] | None = None
        self._turn = Lock()

    @property
    def _queue(self) -> LoaderQueue | None:
        """`queue` under the name that programs of 1.8 read."""
        return self.queue

    @property
    def names(self) -> list[str]:
        """The names of the Variables that it feeds."""
        return [column.name for column in self.columns]

    @names.setter
    def names(self, names: Sequence[str]) -> None:
        self.columns = [column._replace(name=name) for column, name in zip(self.columns, names, strict=True)]

    def _set_places(self, places: list[Any]) -> None:
        if not self.iterable:
            return
        if not places or None in places:
            fix = "Pass places=fluid.cpu_places() for a CompiledProgram, places=fluid.CPUPlace() for a Program."
            raise ArgumentValueError(message(self._where, "places", "none", "those of an iterable loader", fix))
        for place in places:
            if not isinstance(place, Place):
                needs = "fluid.CPUPlace(), CUDAPlace(i), or a list of them"
                raise ArgumentTypeError(message(self._where, "places", describe(place), needs))
        self._places = places

    def _tensors(self) -> Reader:
        """Return a reader of the generator's batches as tensors; it has no reference to the loader, since a thread
        holds it.
        """
        batches = sample_batches if self._of_samples else whole_batches
        columns = None if self._any_values else self.columns
        return partial(batches, columns, self._source(), self._where)  # type: ignore[arg-type]

    # --- iterable=True ------------------------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[list[Any]]:
        """Iterate over the feeds of an epoch: lists with a dict for each device; with `return_list`, a list of
        LoDTensors for each.
        """
        if not self.iterable:
            fix = "Call start(), run the Program until EOFException, and call reset()."
            raise ModeError(message(self._where, "the loader", "iterable=False", "one that iterates", fix))
        names = None if self._return_list else self.names
        self.queue = LoaderQueue(self._capacity)
        batches = self._ahead(self._tensors(), partial(_read_through, self.queue))
        return _feeds(batches, self._places, names, self._drop_last, self.copies_ahead)

    # --- iterable=False: each run of the Program takes a batch --------------------------------------------------------

    @property
    def started(self) -> bool:
        """Whether `start()` was called since the last `reset()`."""
        return self._epoch is not None

    def start(self) -> None:
        """Start an epoch: a thread reads ahead from now on.

        Raises:
            ModeError: it was started before, has no generator, or is iterable.
        """
        if self.iterable or self.queue is None:
            raise self._no_call("start")
        if self._epoch is not None:
            fix = "Call reset() first."
            raise ModeError(message(f"{self._where}.start", "the loader", "one that was started", "one at rest", fix))
        self._epoch = reading_ahead(self._tensors(), self._capacity)
        self.queue.channel = next(self._epoch)

    def reset(self) -> None:
        """End the epoch and its thread, after the current sample of the generator.

        Raises:
            ModeError: it is iterable.
        """
        if self.iterable or self.queue is None:
            raise self._no_call("reset")
        with self._turn:
            epoch, self._epoch, channel, self.queue.channel = self._epoch, None, self.queue.channel, None
            if self.queue.pushed and channel is not None:
                channel.close()
            self.queue.pushed = False
            if epoch is not None:
                epoch.close()

    def next_feeds(self, count: int) -> list[dict[str, LoDTensor]]:
        """Return the feeds of the next `count` batches; at the end fewer, unless `drop_last`.

        Raises:
            EOFException: there are no more batches.
            ModeError: it was not started.
        """
        with self._turn:
            queue = self.queue
            if self._epoch is None and queue is not None and (queue.pushed or (queue.held and self._reader is None)):
                self._epoch = whole_batches(self.columns, queue.open().samples, self._where)  # type: ignore[assignment]
            if self._epoch is None:
                fix = f"Call its start(), or feed {', '.join(self.names)}."
                raise ModeError(message("Executor.run", f"the {self._where}", "not started", "to be started", fix))
            batches = list(islice(self._epoch, count))
        if not batches or (len(batches) < count and self._drop_last):
            raise EOFException(f"{self._where}: there is no next batch. Call reset(), and start() for another epoch.")
        return [dict(zip(self.names, tensors, strict=True)) for tensors in batches]


def _read_through(queue: LoaderQueue, reader: Reader) -> Reader:
    """Return a reader that reads another one ahead, in a thread, and tells the queue how many batches wait."""

    @boundary
    def read() -> Iterator[Any]:
        batches = reading_ahead(reader, queue.capacity())
        queue.channel = next(batches)
        yield from batches

    return read


def _feeds(
    reader: Reader, places: list[Place], names: list[str] | None, drop_last: bool, ahead: bool
) -> Iterator[list[Any]]:
    """Iterate over the feeds of an epoch (without names: lists of LoDTensors), without a reference to the loader."""
    with opened(reader) as (batches,):
        if ahead and copies_to_gpus(places):
            batches = _on_gpus(batches, places)
        while group := list(islice(batches, len(places))):
            if len(group) < len(places) and drop_last:
                return
            for tensors, place in zip(group, places, strict=False):
                for tensor in tensors:
                    tensor.place = place
            yield group if names is None else [dict(zip(names, tensors, strict=True)) for tensors in group]


def _on_gpus(batches: Iterator[list[LoDTensor]], places: list[Place]) -> Iterator[list[LoDTensor]]:
    """Iterate over batches whose arrays are on the GPUs of places, in turn; the next ones are on their way."""
    from ..kernels.gpu.staging import copied_ahead  # no GPU is used before

    sent: deque[list[LoDTensor]] = deque()

    def arrays() -> Iterator[list[Any]]:
        for tensors in batches:
            sent.append(tensors)
            yield [tensor.array for tensor in tensors]

    for found in copied_ahead(arrays(), [resolve(place) for place in places]):
        tensors = sent.popleft()
        for tensor, array in zip(tensors, found, strict=True):
            tensor.array = array
        yield tensors
