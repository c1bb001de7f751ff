"""Batches of a user's generator as Variables, read ahead in a thread: `fluid.io.DataLoader` and `fluid.io.PyReader`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ..core.dtype import SUPPORTED
from ..core.errors import (
    ArgumentValueError,
    DtypeError,
    ModeError,
    NotYetAvailable,
    ShapeError,
    describe,
    message,
)
from ..core.missing import missing_text
from ..core.place import resolve
from ..imperative.base import to_variable
from ..imperative.variable import require_imperative
from .batching import batch
from .buffering import buffered
from .source import Reader, check_readers, opened


class GeneratorLoader:
    """Iterates over the batches of a generator, each a list of Variables; each iteration is a new epoch.

    A thread of its own reads ahead in each iteration. An error of the generator is raised where the batch would have
    come; a loop that is left early ends the thread.
    """

    def __init__(self, where: str, capacity: Any) -> None:
        require_imperative(where)
        if isinstance(capacity, bool) or not isinstance(capacity, (int, np.integer)) or capacity < 1:
            raise ArgumentValueError(
                message(where, "capacity", describe(capacity), "how many batches may wait, 1 or more")
            )
        self._where = where
        self._capacity = int(capacity)
        self._batches: Reader | None = None

    def set_sample_generator(
        self, reader: Reader, batch_size: int, drop_last: bool = True, places: Any = None
    ) -> GeneratorLoader:
        """Read from a function that returns an iterable of samples, which are stacked here.

        Arguments:
            reader: returns an iterable of samples; a sample has a value (array, number, list) for each Variable.
            batch_size: samples in a batch.
            drop_last: leave out the last batch when it is short.
            places: the place, or a list of it; by default that of imperative mode.

        Returns:
            The loader.
        """
        return self.set_sample_list_generator(batch(reader, batch_size, drop_last), places)

    def set_sample_list_generator(self, reader: Reader, places: Any = None) -> GeneratorLoader:
        """Read from a function that returns an iterable of lists of samples, as `paddle.batch` makes it.

        Arguments:
            reader: returns an iterable of lists of samples.
            places: the place, or a list of it; by default that of imperative mode.

        Returns:
            The loader.
        """
        check_readers("set_sample_list_generator", reader)

        def stacked() -> Iterator[list[Any]]:
            with opened(reader) as (lists,):
                for samples in lists:
                    yield [list(values) for values in zip(*samples, strict=True)]

        return self.set_batch_generator(stacked, places)

    def set_batch_generator(self, reader: Reader, places: Any = None) -> GeneratorLoader:
        """Read from a function that returns an iterable of batches.

        Arguments:
            reader: returns an iterable of batches; a batch has an array for each Variable.
            places: the place, or a list of it; by default that of imperative mode.

        Returns:
            The loader.
        """
        check_readers("set_batch_generator", reader)
        given = list(places) if isinstance(places, (list, tuple)) else [places]
        if len(given) != 1:
            raise ArgumentValueError(message(self._where, "places", f"{len(given)} places", "one, in imperative mode"))
        resolve(given[0], self._where)
        self._batches = reader
        return self

    def __call__(self) -> GeneratorLoader:
        """Itself: `for data in loader():` and `for data in loader:` mean the same."""
        return self

    def __iter__(self) -> Iterator[list[Any]]:
        """The batches of an epoch."""
        if self._batches is None:
            fix = "Call set_sample_generator, set_sample_list_generator or set_batch_generator first."
            raise ModeError(message(self._where, "the generator", "none yet", "one to read from", fix))
        with opened(buffered(self._arrays, self._capacity)) as (batches,):
            for arrays in batches:
                yield [to_variable(array) for array in arrays]

    def _arrays(self) -> Iterator[list[np.ndarray]]:
        """The batches as arrays of their own: the generator may write into its arrays again."""
        assert self._batches is not None
        with opened(self._batches) as (batches,):
            for values in batches:
                yield [self._array(place, value) for place, value in enumerate(values)]

    def _array(self, place: int, value: Any) -> np.ndarray:
        value = value.numpy() if hasattr(value, "stop_gradient") else value
        argument = f"value {place} of a batch"
        try:
            array = np.array(value)
        except ValueError:
            fix = "Pad the samples to one shape."
            raise ShapeError(message(self._where, argument, "samples of several shapes", "one shape", fix)) from None
        if array.dtype.name not in SUPPORTED:
            raise DtypeError(message(self._where, argument, f"dtype {array.dtype}", f"one of {', '.join(SUPPORTED)}"))
        return array


class DataLoader:
    """Loaders of data; `DataLoader.from_generator` makes the one that reads from a generator.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> def batches():
    ...     for i in range(3):
    ...         yield np.full([4, 2], i, 'float32'), np.full([4, 1], i, 'int64')
    >>> with fluid.dygraph.guard():
    ...     loader = fluid.io.DataLoader.from_generator(capacity=2)
    ...     loader = loader.set_batch_generator(batches, places=fluid.CPUPlace())
    ...     for image, label in loader():
    ...         print(image.shape, label.numpy()[0])
    [4, 2] [0]
    [4, 2] [1]
    [4, 2] [2]
    """

    def __init__(
        self,
        dataset: Any,
        feed_list: Any = None,
        places: Any = None,
        return_list: bool = False,
        batch_sampler: Any = None,
        batch_size: int = 1,
        shuffle: bool = False,
        drop_last: bool = False,
        collate_fn: Any = None,
        num_workers: int = 0,
        use_buffer_reader: bool = True,
        use_shared_memory: bool = True,
        timeout: int = 0,
        worker_init_fn: Any = None,
    ) -> None:
        """Not yet available: loading of a Dataset by index.

        Raises:
            NotYetAvailable: always.
        """
        raise NotYetAvailable(
            missing_text("paddle.fluid.io.DataLoader(dataset)") + "; DataLoader.from_generator reads from a generator"
        )

    @staticmethod
    def from_generator(
        feed_list: Any = None,
        capacity: int | None = None,
        use_double_buffer: bool = True,
        iterable: bool = True,
        return_list: bool = False,
        use_multiprocess: bool = False,
        drop_last: bool = True,
    ) -> GeneratorLoader:
        """A loader whose batches come from a generator, which one of its `set_..._generator` methods names.

        Arguments:
            feed_list: kept for Fluid code; only static Programs need it.
            capacity: how many batches are read ahead at most.
            use_double_buffer, use_multiprocess: kept for Fluid code; a thread reads ahead always.
            iterable, return_list: kept for Fluid code; imperative mode iterates over lists always.
            drop_last: kept for Fluid code; it is about several places.

        Raises:
            ModeError: outside of imperative mode.
            ArgumentValueError: `capacity` is not given, or is no positive int.
        """
        return GeneratorLoader("DataLoader.from_generator", capacity)


class PyReader:
    """The older form of `DataLoader.from_generator`: iterates over batches of a generator, each a list of Variables.

    Arguments:
        feed_list: kept for Fluid code; only static Programs need it.
        capacity: how many batches are read ahead at most.
        use_double_buffer, iterable, return_list: kept for Fluid code; imperative mode iterates over lists always.

    Raises:
        ModeError: outside of imperative mode.
        ArgumentValueError: `capacity` is not given, or is no positive int.

    >>> import numpy as np, paddle_lite as paddle, paddle_lite.fluid as fluid
    >>> def samples():
    ...     for i in range(4):
    ...         yield np.full([2], i, 'float32'), i
    >>> with fluid.dygraph.guard():
    ...     reader = fluid.io.PyReader(capacity=2)
    ...     reader.decorate_sample_list_generator(paddle.batch(samples, 2), places=fluid.CPUPlace())
    ...     for image, label in reader():
    ...         print(image.shape, label.numpy())
    [2, 2] [0 1]
    [2, 2] [2 3]
    """

    def __init__(
        self,
        feed_list: Any = None,
        capacity: int | None = None,
        use_double_buffer: bool = True,
        iterable: bool = True,
        return_list: bool = False,
    ) -> None:
        self._loader = GeneratorLoader("PyReader", capacity)

    def decorate_sample_generator(
        self, sample_generator: Reader, batch_size: int, drop_last: bool = True, places: Any = None
    ) -> None:
        """Read from a function that returns an iterable of samples; see `GeneratorLoader.set_sample_generator`."""
        self._loader.set_sample_generator(sample_generator, batch_size, drop_last, places)

    def decorate_sample_list_generator(self, reader: Reader, places: Any = None) -> None:
        """Read from a function that returns an iterable of lists of samples."""
        self._loader.set_sample_list_generator(reader, places)

    def decorate_batch_generator(self, reader: Reader, places: Any = None) -> None:
        """Read from a function that returns an iterable of batches."""
        self._loader.set_batch_generator(reader, places)

    def __call__(self) -> Iterable[list[Any]]:
        """Itself: `for data in reader():` and `for data in reader:` mean the same."""
        return self

    def __iter__(self) -> Iterator[list[Any]]:
        """The batches of an epoch."""
        return iter(self._loader)
