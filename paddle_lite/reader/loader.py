"""Loaders of batches that read ahead: `fluid.io.DataLoader` and `fluid.io.PyReader`."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..core.guarded import boundary
from ..core.mode import ByMode
from ..core.tracebacks import user_level
from ..static.program.program import default_main_program
from .columns import columns_of
from .dataset import BatchSampler, Dataset, default_collate_fn
from .dataset_loader import DatasetLoader
from .generator_loader import DataLoaderBase, GeneratorLoader
from .imperative_loader import ImperativeLoader
from .processes import Work, forks_safely, in_processes
from .source import Reader, opened
from .static_loader import StaticLoader
from .xmapping import prepared, xmap_readers


class DataLoader:
    """Loads the batches of a Dataset; `DataLoader.from_generator` makes a loader that reads from a generator.

    In imperative mode it iterates over batches, each a list of Variables; in static mode over feeds: lists with a dict
    for each device. A thread reads ahead where batches take longer than handing them over.

    Arguments:
        dataset: a fluid.io.Dataset.
        feed_list: the data Variables; only for static mode, where `return_list=True` does without them.
        places: a Place or a list of Places. Imperative mode accepts one, by default its own; static mode requires it.
        return_list: for static mode: whether to yield lists of LoDTensors rather than dicts.
        batch_sampler: an iterable over the index lists of batches; where it is None, a BatchSampler with the next three
            arguments.
        batch_size: the number of samples in a batch.
        shuffle: whether to shuffle the samples.
        drop_last: whether to drop the last batch if it is incomplete.
        collate_fn: a function that makes a batch from a list of samples; `default_collate_fn` where it is None.
        num_workers: the number of processes that load batches, forked at the start of each epoch; with 0 the thread that
            reads ahead loads them. What `dataset` and `collate_fn` change in a process stays there, and each starts with the
            random numbers of the program. The processes end with the epoch, with a loop that is left, and with the program.
            Where processes cannot be forked safely (Windows, macOS) a warning says that threads take their place.
        use_buffer_reader: whether the next batch is copied to a GPU while the program works on this one.
        use_shared_memory: accepted for Fluid code, ignored.
        timeout: the seconds that a batch of the processes may take; 0 for any time.
        worker_init_fn: a function that is called in each process, before it loads batches, with the number of the process.

    Raises:
        ArgumentTypeError: `dataset` is not a Dataset, or `worker_init_fn` is no function.
        ArgumentValueError: `batch_sampler` is combined with batch_size, shuffle or drop_last; `feed_list` or `places`
            is missing in static mode; or a number is negative.
        ReaderProcessError: while reading, when a process has died, or took longer than `timeout`. An error of the Dataset is
            raised as it is, in the place of its batch, with the traceback in the process as its cause.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> class Numbers(fluid.io.Dataset):
    ...     def __getitem__(self, idx):
    ...         return np.full([2], idx, 'float32'), np.array([idx])
    ...     def __len__(self):
    ...         return 5
    >>> with fluid.dygraph.guard():
    ...     for values, numbers in fluid.io.DataLoader(Numbers(), batch_size=2, num_workers=2):
    ...         print(values.shape, numbers.numpy().tolist())
    [2, 2] [[0], [1]]
    [2, 2] [[2], [3]]
    [1, 2] [[4]]
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
        where = "DataLoader"
        if not isinstance(dataset, Dataset):
            fix = "DataLoader.from_generator reads from a generator."
            raise ArgumentTypeError(message(where, "dataset", describe(dataset), "a fluid.io.Dataset", fix))
        for name, value in (("num_workers", num_workers), ("timeout", timeout)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise ArgumentValueError(message(where, name, describe(value), "an int of 0 or more"))
        if worker_init_fn is not None and not callable(worker_init_fn):
            needs = "a function of the number of a process"
            raise ArgumentTypeError(message(where, "worker_init_fn", describe(worker_init_fn), needs))
        if batch_sampler is None:
            batch_sampler = BatchSampler(dataset, shuffle=shuffle, batch_size=batch_size, drop_last=drop_last)
        elif (batch_size, shuffle, drop_last) != (1, False, False):
            got, needs = "one, with batch_size, shuffle or drop_last", "one without them: the sampler has its own"
            raise ArgumentValueError(message(where, "batch_sampler", got, needs))
        self.dataset, self.batch_sampler, self.feed_list, self.places = dataset, batch_sampler, feed_list, places
        self.collate_fn = default_collate_fn if collate_fn is None else collate_fn
        self.return_list, self.num_workers, self.worker_init_fn = return_list, num_workers, worker_init_fn
        self.timeout = timeout
        self._loader = _data_loaders(where, feed_list, 2 * max(1, num_workers), return_list)
        self._loader.copies_ahead = bool(use_buffer_reader)
        self._loader.reads_ahead = not self._forks(where)
        self._loader.set_batch_generator(self._batches, places)

    def _forks(self, where: str) -> bool:
        """Return whether processes load the batches; warn if threads take their place."""
        if self.num_workers and not forks_safely():
            text = f"{where}: this platform cannot fork a process safely; {self.num_workers} threads load in the place of processes."
            warnings.warn(text, UserWarning, stacklevel=user_level())
        return self.num_workers > 0 and forks_safely()

    def _load(self, indices: Any) -> Any:
        """Return the batch of these samples."""
        return self.collate_fn([self.dataset[index] for index in indices])

    def _batches(self) -> Iterator[Any]:
        """Yield the batches of an epoch in the order of the sampler, loaded here, in processes or in threads."""
        count, where = self.num_workers, "DataLoader"

        @boundary
        def read() -> Iterator[list[int]]:
            for indices in self.batch_sampler:
                yield list(indices)

        if not count:
            for indices in read():  # a StopIteration of the Dataset is an error, not the end
                yield self._load(indices)
            return
        if not self._loader.reads_ahead:
            load = Work(self._load, self.worker_init_fn, self.timeout, where)
            batches = in_processes(load, read, count)
        else:
            load_here = prepared(self._load, self.worker_init_fn)
            batches = xmap_readers(load_here, read, count, 2 * count, order=True)
        with opened(batches) as (each,):
            yield from each

    def __len__(self) -> int:
        """Return the number of batches in an epoch."""
        return len(self.batch_sampler)

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the batches of a new epoch."""
        return (DataLoaderIterMultiProcess if self.num_workers else DataLoaderIterSingleProcess)(self)

    def _epoch(self) -> Iterator[Any]:
        """Return the batches of a new epoch."""
        return iter(self._loader)

    def __call__(self) -> Iterator[Any]:
        """Iterate over the batches of a new epoch."""
        return iter(self)

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
        """Make a loader that reads from a generator, which one of its `set_..._generator` methods sets.

        In imperative mode it iterates over batches, each a list of Variables. In static mode it is for the data
        Variables of `feed_list`: it iterates over feeds or, with `iterable=False`, feeds the default main Program
        itself.

        Arguments:
            feed_list: the data Variables; only for static mode.
            capacity: the largest number of batches to read ahead.
            use_double_buffer: whether an iterable loader copies the next batch to a GPU, from pinned memory and in a stream of
                its own, while the program works on this one.
            use_multiprocess: for imperative mode: whether a process, forked at the start of each epoch, runs the generator and
                sends the batches through a pipe; what the generator changes stays in that process. It ends with the epoch,
                with a loop that is left, and with the program. Where processes cannot be forked safely (Windows, macOS) a
                warning says that a thread takes its place. Otherwise, and in static mode, a thread reads ahead, unless the
                batches of the last epoch were there at once, in less than 0.1 ms each.
            iterable: for static mode: whether `for feed in loader()` yields feeds, lists with a dict for each device.
                Otherwise call `start()`; then each run of the Program takes a batch until it raises
                `fluid.core.EOFException`; `reset()` ends the epoch.
            return_list: for static mode: whether to yield lists of LoDTensors rather than dicts.
            drop_last: for several devices: whether to drop the last batches if there are fewer than devices.

        Returns:
            A loader of the current mode.

        Raises:
            ArgumentValueError: `capacity` is not a positive int, or `feed_list` is missing in static mode.
            ArgumentTypeError: `feed_list` holds something other than data Variables.
            ReaderProcessError: while reading, when the process has died. An error of the generator is raised as it is, with
                the traceback in the process as its cause.

        >>> import numpy as np, paddle_lite.fluid as fluid
        >>> def batches():
        ...     for i in range(2):
        ...         yield np.full([4, 2], i, 'float32'), np.full([4, 1], i, 'int64')
        >>> with fluid.dygraph.guard():
        ...     loader = fluid.io.DataLoader.from_generator(capacity=2)
        ...     loader = loader.set_batch_generator(batches, places=fluid.CPUPlace())
        ...     for image, label in loader():
        ...         print(image.shape, label.numpy()[0])
        [4, 2] [0]
        [4, 2] [1]
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     x = fluid.data('x', [None, 2], 'float32')
        ...     loader = fluid.io.DataLoader.from_generator([x], capacity=2, iterable=False)
        ...     y, main = fluid.layers.reduce_sum(x), fluid.default_main_program()
        >>> loader = loader.set_batch_generator(lambda: ([np.full([3, 2], i, 'float32')] for i in range(2)))
        >>> loader.start()
        >>> exe = fluid.Executor(fluid.CPUPlace())
        >>> try:
        ...     while True:
        ...         print(exe.run(main, fetch_list=[y]))
        ... except fluid.core.EOFException:
        ...     loader.reset()
        [array([0.], dtype=float32)]
        [array([6.], dtype=float32)]
        """
        where = "DataLoader.from_generator"
        loader = _loaders(where, feed_list, capacity, iterable, return_list, drop_last, bool(use_multiprocess))
        loader._feed_list = list(feed_list) if isinstance(feed_list, (list, tuple)) else feed_list
        loader.copies_ahead = bool(use_double_buffer)
        return loader

    @staticmethod
    def from_dataset(dataset: Any, places: Any, drop_last: bool = True) -> DatasetLoader:
        """Make a loader that reads the batches of a data set of files, for static Programs.

        Arguments:
            dataset: a data set, of `fluid.DatasetFactory().create_dataset()`. One in memory must have been loaded.
            places: a Place or a list of Places. Each gets batches of its own files; there are at least as many files.
            drop_last: whether to drop the incomplete batch at the end of the files of each place.

        Returns:
            A loader that iterates over feeds: lists with a dict for each place.

        Raises:
            ArgumentTypeError: `dataset` is no data set of files, or `places` are no Places.
            ArgumentValueError: there are fewer files than places.
        """
        return DatasetLoader(dataset, places, drop_last)


def _imperative_loader(
    where: str, feed_list: Any, capacity: Any, iterable: bool, return_list: bool, drop_last: bool, process: bool
) -> ImperativeLoader:
    forks = process and forks_safely()
    if process and not forks:
        text = f"{where}: this platform cannot fork a process safely; a thread reads in the place of use_multiprocess=True."
        warnings.warn(text, UserWarning, stacklevel=user_level())
    return ImperativeLoader(where, capacity, forks)


def _static_loader(
    where: str,
    feed_list: Any,
    capacity: Any,
    iterable: bool,
    return_list: bool,
    drop_last: bool,
    process: bool,  # static mode reads in threads, as in 1.8.5
) -> StaticLoader:
    if not feed_list:
        fix = "Imperative mode, which needs none, begins with fluid.dygraph.guard() or paddle.enable_imperative()."
        raise ArgumentValueError(message(where, "feed_list", "none", "the data Variables, in static mode", fix))
    loader = StaticLoader(where, columns_of(feed_list, where), capacity, iterable, return_list, drop_last)
    if not iterable:
        default_main_program()._readers.append(loader)
    return loader


def _imperative_data_loader(where: str, feed_list: Any, capacity: Any, return_list: bool) -> ImperativeLoader:
    return ImperativeLoader(where, capacity)


def _static_data_loader(where: str, feed_list: Any, capacity: Any, return_list: bool) -> StaticLoader:
    if not feed_list and return_list:
        return StaticLoader(where, None, capacity, True, True)
    return _static_loader(where, feed_list, capacity, True, return_list, True, False)


_loaders = ByMode(imperative=_imperative_loader, static=_static_loader)
_data_loaders = ByMode(imperative=_imperative_data_loader, static=_static_data_loader)


class DataLoaderIterBase:
    """One epoch of a DataLoader.

    Arguments:
        loader: the DataLoader.

    Raises:
        ArgumentTypeError: it is none.
    """

    def __init__(self, loader: Any) -> None:
        if not hasattr(loader, "batch_sampler"):
            needs = "a fluid.io.DataLoader over a Dataset"
            raise ArgumentTypeError(message(type(self).__name__, "loader", describe(loader), needs))
        self._loader = loader
        self._dataset, self._batch_sampler, self._collate_fn = loader.dataset, loader.batch_sampler, loader.collate_fn
        self._return_list, self._places, self._feed_list = loader.return_list, loader.places, loader.feed_list
        self._num_workers, self._timeout, self._worker_init_fn = (
            loader.num_workers, loader.timeout, loader.worker_init_fn,
        )  # fmt: skip
        self._batches = loader._epoch()

    def __iter__(self) -> Iterator[Any]:
        return self

    def __len__(self) -> int:
        return len(self._batch_sampler)

    def __next__(self) -> Any:
        return next(self._batches)

    def next(self) -> Any:
        """Return the next batch, for Python 2."""
        return next(self._batches)


class DataLoaderIterSingleProcess(DataLoaderIterBase):
    """An epoch that this process loads."""


class DataLoaderIterMultiProcess(DataLoaderIterBase):
    """An epoch that `num_workers` processes load, or threads where processes are not safe."""


class PyReader(DataLoaderBase):
    """The older form of `DataLoader.from_generator`, for both modes.

    Arguments:
        feed_list: the data Variables; only for static mode.
        capacity: the largest number of batches to read ahead.
        use_double_buffer: accepted for Fluid code, ignored; as in `DataLoader.from_generator`.
        iterable, return_list: for static mode; as in `DataLoader.from_generator`.

    Raises:
        ArgumentValueError: `capacity` is not a positive int, or `feed_list` is missing in static mode.
        ArgumentTypeError: `feed_list` holds something other than data Variables.

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
        self._loader = _loaders("PyReader", feed_list, capacity, iterable, return_list, True, False)

    @property
    def iterable(self) -> bool:
        """Whether `for data in reader()` yields the batches."""
        return self._loader.iterable

    @property
    def queue(self) -> Any:
        """The batches that it has read ahead, as of `DataLoader.from_generator`: `queue.size()` is their number."""
        return self._loader.queue

    def decorate_sample_generator(
        self, sample_generator: Reader, batch_size: int, drop_last: bool = True, places: Any = None
    ) -> None:
        """Set a function that returns an iterable of samples; see `GeneratorLoader.set_sample_generator`."""
        self._loader.set_sample_generator(sample_generator, batch_size, drop_last, places)

    def decorate_sample_list_generator(self, reader: Reader, places: Any = None) -> None:
        """Set a function that returns an iterable of lists of samples."""
        self._loader.set_sample_list_generator(reader, places)

    def decorate_batch_generator(self, reader: Reader, places: Any = None) -> None:
        """Set a function that returns an iterable of batches."""
        self._loader.set_batch_generator(reader, places)

    def start(self) -> None:
        """Start an epoch; see `StaticLoader.start`."""
        self._loader.start()

    def reset(self) -> None:
        """End an epoch; see `StaticLoader.reset`."""
        self._loader.reset()

    def __call__(self) -> PyReader:
        """Return the reader itself: `for data in reader():` and `for data in reader:` are equivalent."""
        return self

    def __iter__(self) -> Iterator[list[Any]]:
        """Iterate over the batches of an epoch."""
        return iter(self._loader)

    def __next__(self) -> Any:
        """Return the next batch of the reader's own epoch; the first call starts it."""
        return next(self._loader)
