"""Base class of loaders of both modes: three kinds of generators, read ahead in a thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..core.errors import ArgumentTypeError, ArgumentValueError, ModeError, describe, message
from ..core.place import resolve
from ..kernels.devices import cuda
from .batching import batch
from .buffering import Pace
from .source import Reader, check_readers


class DataLoaderBase:
    """The base class of loaders of both modes, for loaders of a user's, which define `__iter__` and `__next__`."""

    def __call__(self) -> Any:
        """Return the loader itself: `for data in loader():` and `for data in loader:` are equivalent."""
        return self

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the batches of an epoch."""
        raise NotImplementedError(f"{type(self).__name__}.__iter__: a loader defines it")

    def __next__(self) -> Any:
        """Return the next batch."""
        raise NotImplementedError(f"{type(self).__name__}.__next__: a loader defines it")

    def next(self) -> Any:
        """Return the next batch."""
        return self.__next__()


def keep_data_loader_order(keep: bool) -> None:
    """Say whether batches may arrive in another order than they are read in; here they never do.

    Arguments:
        keep: True or False.

    Raises:
        ArgumentTypeError: `keep` is not a bool.
    """
    if not isinstance(keep, bool):
        raise ArgumentTypeError(message("keep_data_loader_order", "keep", describe(keep), "True or False"))
    _kept.append(keep)
    del _kept[:-1]


_kept = [True]


def keeps_order() -> bool:
    """Return what `keep_data_loader_order` was last told."""
    return _kept[-1]


class GeneratorLoader(DataLoaderBase):
    """Loads batches from a user's generator, which one of the `set_..._generator` methods sets.

    In each epoch a thread reads ahead. An error of the generator is raised in the place of the batch. Leaving the loop
    early ends the thread.

    Attributes:
        iterable: whether `for data in loader()` yields the batches.
        copies_ahead: whether batches for GPUs are copied there while the program works on those before them.
        reads_ahead: whether a thread reads ahead where that pays; not for a generator that does so itself.
        queue: the batches that it has read ahead, a LoaderQueue; None where no epoch has begun, and in imperative mode.
    """

    iterable = True
    copies_ahead = True
    reads_ahead = True
    queue: Any = None

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
        self._pace = Pace()
        self._feed_list: list[Any] | None = None  # the data Variables, as programs read them

    def set_sample_generator(
        self, reader: Reader, batch_size: int, drop_last: bool = True, places: Any = None
    ) -> GeneratorLoader:
        """Read samples from a function that returns an iterable of them, and stack them to batches.

        Arguments:
            reader: a function that returns an iterable of samples; a sample has a value (array, number or list) for
                each Variable.
            batch_size: the number of samples in a batch.
            drop_last: whether to drop the last batch if it is incomplete.
            places: a Place or a list of Places. Imperative mode accepts one, by default its own; an iterable loader of
                a static Program requires it; other loaders use the device of the Executor.

        Returns:
            The loader.
        """
        return self.set_sample_list_generator(batch(reader, batch_size, drop_last), places)

    def set_sample_list_generator(self, reader: Reader, places: Any = None) -> GeneratorLoader:
        """Read batches from a function that returns an iterable of lists of samples, such as `paddle.batch` makes.

        Arguments:
            reader: a function that returns an iterable of lists of samples.
            places: as in `set_sample_generator`.

        Returns:
            The loader.
        """
        check_readers("set_sample_list_generator", reader)
        return self._read_from(reader, True, places)

    def set_batch_generator(self, reader: Reader, places: Any = None) -> GeneratorLoader:
        """Read batches from a function that returns an iterable of them.

        Arguments:
            reader: a function that returns an iterable of batches; a batch has an array for each Variable.
            places: as in `set_sample_generator`.

        Returns:
            The loader.
        """
        check_readers("set_batch_generator", reader)
        return self._read_from(reader, False, places)

    @staticmethod
    def _check_input_array(item: Any) -> np.ndarray:
        """Return a value of a batch as an array.

        Raises:
            ArgumentTypeError: it holds values of several shapes.
        """
        try:
            return np.asarray(item)
        except ValueError:
            shapes = ", ".join(str(list(np.shape(part))) for part in item)
            fix = "Pad them to one shape, or make a tensor with a LoD: fluid.create_lod_tensor."
            given = f"values of shapes {shapes}"
            raise ArgumentTypeError(message("DataLoader", "a value of a batch", given, "one shape", fix)) from None

    def _read_from(self, reader: Reader, of_samples: bool, places: Any) -> GeneratorLoader:
        self._set_places(list(places) if isinstance(places, (list, tuple)) else [places])
        self._reader, self._of_samples, self._pace = reader, of_samples, Pace()
        return self

    def _set_places(self, places: list[Any]) -> None:
        raise NotImplementedError(f"{type(self).__name__}._set_places: a loader of a mode defines it")

    def _source(self) -> Reader:
        """Return the generator; raise if none was set."""
        if self._reader is None:
            fix = "Call set_sample_generator, set_sample_list_generator or set_batch_generator first."
            raise ModeError(message(self._where, "the generator", "none yet", "one to read from", fix))
        return self._reader

    def _ahead(self, reader: Reader, ahead: Callable[[Reader], Reader]) -> Reader:
        """Return a reader of the same batches, which a thread reads ahead where that pays; `ahead` returns one that is."""
        return self._pace.reading(reader, ahead) if self.reads_ahead else reader

    def __next__(self) -> Any:
        """Return the next batch of the loader's own epoch; the first call starts it."""
        if self._own is None:
            self._own = iter(self)
        try:
            return next(self._own)
        except BaseException:
            self._own = None
            raise

    def _reset(self) -> None:
        """End the epoch, whatever kind of loader it is."""
        self._own = None
        if not self.iterable:
            self.reset()

    def start(self) -> None:
        """Start an epoch; only for loaders with `iterable=False`."""
        raise self._no_call("start")

    def reset(self) -> None:
        """End an epoch; only for loaders with `iterable=False`."""
        raise self._no_call("reset")

    def _no_call(self, call: str) -> ModeError:
        """Return the error for a call that needs `iterable=False`."""
        fix = "Write `for data in loader():`, or make it with iterable=False."
        return ModeError(message(f"{self._where}.{call}", "the loader", "one that iterates", "iterable=False", fix))


def copies_to_gpus(places: list[Any]) -> bool:
    """Return whether places are GPUs, to which copies can run beside the computation."""
    return all(resolve(place).kind == "gpu" for place in places) and cuda() is not None
