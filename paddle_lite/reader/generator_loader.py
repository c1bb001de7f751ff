"""What loaders of both modes have in common: three kinds of generators, read ahead in a thread."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core.errors import ArgumentValueError, ModeError, describe, message
from .batching import batch
from .source import Reader, check_readers


class GeneratorLoader:
    """Reads batches from a user's generator, which one of the `set_..._generator` methods names.

    A thread of its own reads ahead in each epoch. An error of the generator is raised where the batch would have come; a
    loop that is left early ends the thread.

    Attributes:
        iterable: whether `for data in loader()` gives the batches.
    """

    iterable = True

    def __init__(self, where: str, capacity: Any) -> None:
        if isinstance(capacity, bool) or not isinstance(capacity, (int, np.integer)) or capacity < 1:
            raise ArgumentValueError(
                message(where, "capacity", describe(capacity), "how many batches may wait, 1 or more")
            )
        self._where = where
        self._capacity = int(capacity)
        self._reader: Reader | None = None
        self._of_samples = False
        self._own: Iterator[Any] | None = None

    def set_sample_generator(
        self, reader: Reader, batch_size: int, drop_last: bool = True, places: Any = None
    ) -> GeneratorLoader:
        """Read from a function that returns an iterable of samples, which are stacked here.

        Arguments:
            reader: returns an iterable of samples; a sample has a value (array, number, list) for each Variable.
            batch_size: samples in a batch.
            drop_last: leave out the last batch when it is short.
            places: a place or a list of places. Imperative mode takes one, by default its own; a loader that iterates
                for a static Program needs it; one that does not iterate goes by the Executor's.

        Returns:
            The loader.
        """
        return self.set_sample_list_generator(batch(reader, batch_size, drop_last), places)

    def set_sample_list_generator(self, reader: Reader, places: Any = None) -> GeneratorLoader:
        """Read from a function that returns an iterable of lists of samples, as `paddle.batch` makes it.

        Arguments:
            reader: returns an iterable of lists of samples.
            places: as for `set_sample_generator`.

        Returns:
            The loader.
        """
        check_readers("set_sample_list_generator", reader)
        return self._read_from(reader, True, places)

    def set_batch_generator(self, reader: Reader, places: Any = None) -> GeneratorLoader:
        """Read from a function that returns an iterable of batches.

        Arguments:
            reader: returns an iterable of batches; a batch has an array for each Variable.
            places: as for `set_sample_generator`.

        Returns:
            The loader.
        """
        check_readers("set_batch_generator", reader)
        return self._read_from(reader, False, places)

    def _read_from(self, reader: Reader, of_samples: bool, places: Any) -> GeneratorLoader:
        self._set_places(list(places) if isinstance(places, (list, tuple)) else [places])
        self._reader, self._of_samples = reader, of_samples
        return self

    def _set_places(self, places: list[Any]) -> None:
        raise NotImplementedError(f"{type(self).__name__}._set_places: a loader of a mode defines it")

    def _source(self) -> Reader:
        """The generator, if there is one."""
        if self._reader is None:
            fix = "Call set_sample_generator, set_sample_list_generator or set_batch_generator first."
            raise ModeError(message(self._where, "the generator", "none yet", "one to read from", fix))
        return self._reader

    def __call__(self) -> GeneratorLoader:
        """Itself: `for data in loader():` and `for data in loader:` mean the same."""
        return self

    def __iter__(self) -> Iterator[list[Any]]:
        """The batches of an epoch."""
        raise NotImplementedError(f"{type(self).__name__}.__iter__: a loader of a mode defines it")

    def __next__(self) -> Any:
        """The next batch of an epoch that belongs to the loader itself; the first call begins it."""
        if self._own is None:
            self._own = iter(self)
        try:
            return next(self._own)
        except BaseException:
            self._own = None
            raise

    next = __next__

    def start(self) -> None:
        """Begin an epoch; only loaders with `iterable=False` have it."""
        raise self._no_call("start")

    def reset(self) -> None:
        """End an epoch; only loaders with `iterable=False` have it."""
        raise self._no_call("reset")

    def _no_call(self, call: str) -> ModeError:
        fix = "Write `for data in loader():`, or make it with iterable=False."
        return ModeError(message(f"{self._where}.{call}", "the loader", "one that iterates", "iterable=False", fix))
