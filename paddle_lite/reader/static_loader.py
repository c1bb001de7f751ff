"""Batches of a user's generator for a static Program: as feeds to iterate over, or fed by the Executor itself."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from functools import partial
from itertools import islice
from threading import Lock
from typing import Any

from ..core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    ModeError,
    describe,
    message,
)
from ..core.place import CPUPlace, Place
from ..core.tensor import LoDTensor
from .buffering import buffered, reading_ahead
from .columns import Column, sample_batches, whole_batches
from .generator_loader import GeneratorLoader
from .source import Reader, opened


class EOFException(Exception):
    """A loader has no more batches: the end of an epoch, after which it is reset. Not an error, hence no EnforceNotMet."""


class StaticLoader(GeneratorLoader):
    """Reads the batches of a generator for the data Variables of a Program.

    With `iterable=True` it iterates over feeds for `Executor.run`: lists with a dict for each place. Otherwise the
    Program asks it: after `start()` each run takes the next batch, and raises EOFException when there are no more.
    Then, or before, `reset()` ends the epoch.

    Attributes:
        names: of the Variables that it feeds.
    """

    def __init__(
        self,
        where: str,
        columns: Sequence[Column],
        capacity: Any,
        iterable: bool = True,
        return_list: bool = False,
        drop_last: bool = True,
    ) -> None:
        super().__init__(where, capacity)
        self.iterable = bool(iterable)
        self.columns = list(columns)
        self._return_list = return_list
        self._drop_last = drop_last
        self._places: list[Place] = [CPUPlace()]
        self._epoch: Generator[Any, None, None] | None = None
        self._turn = Lock()

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
        """The generator's batches as tensors. It does not hold the loader, for a thread holds it."""
        batches = sample_batches if self._of_samples else whole_batches
        return partial(batches, self.columns, self._source(), self._where)

    # --- to iterate over ----------------------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[list[Any]]:
        """The feeds of an epoch: lists with one for each place, a dict, or with `return_list` a list of LoDTensors."""
        if not self.iterable:
            fix = "Call start(), run the Program until EOFException, and call reset()."
            raise ModeError(message(self._where, "the loader", "iterable=False", "one that iterates", fix))
        names = None if self._return_list else self.names
        return _feeds(buffered(self._tensors(), self._capacity), self._places, names, self._drop_last)

    # --- to be asked by a Program -------------------------------------------------------------------------------------

    @property
    def started(self) -> bool:
        """Whether `start()` was called since the last `reset()`."""
        return self._epoch is not None

    def start(self) -> None:
        """Begin an epoch: a thread reads ahead from now on.

        Raises:
            ModeError: it was started already, has no generator, or iterates.
        """
        if self.iterable:
            raise self._no_call("start")
        if self._epoch is not None:
            fix = "Call reset() first."
            raise ModeError(message(f"{self._where}.start", "the loader", "one that was started", "one at rest", fix))
        self._epoch = reading_ahead(self._tensors(), self._capacity)
        next(self._epoch)

    def reset(self) -> None:
        """End the epoch and its thread, after the sample that the generator is working on.

        Raises:
            ModeError: it iterates.
        """
        if self.iterable:
            raise self._no_call("reset")
        with self._turn:
            epoch, self._epoch = self._epoch, None
            if epoch is not None:
                epoch.close()

    def next_feeds(self, count: int) -> list[dict[str, LoDTensor]]:
        """The feeds of the next `count` batches; fewer at the end, unless `drop_last`.

        Raises:
            EOFException: there are no more.
            ModeError: it was not started.
        """
        with self._turn:
            if self._epoch is None:
                fix = f"Call its start(), or feed {', '.join(self.names)}."
                raise ModeError(message("Executor.run", f"the {self._where}", "not started", "to be started", fix))
            batches = list(islice(self._epoch, count))
        if not batches or (len(batches) < count and self._drop_last):
            raise EOFException(f"{self._where}: there is no next batch. Call reset(), and start() for another epoch.")
        return [dict(zip(self.names, tensors, strict=True)) for tensors in batches]


def _feeds(reader: Reader, places: list[Place], names: list[str] | None, drop_last: bool) -> Iterator[list[Any]]:
    """The feeds of an epoch; without names lists of LoDTensors. It does not hold the loader, which may hold it."""
    with opened(reader) as (batches,):
        while group := list(islice(batches, len(places))):
            if len(group) < len(places) and drop_last:
                return
            for tensors, place in zip(group, places, strict=False):
                for tensor in tensors:
                    tensor.place = place
            yield group if names is None else [dict(zip(names, tensors, strict=True)) for tensors in group]
