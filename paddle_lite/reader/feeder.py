"""`fluid.DataFeeder`: convert samples to feeds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..core.guarded import boundary
from ..core.place import CPUPlace, CUDAPlace, Place, cpu_places, cuda_places
from ..core.tensor import LoDTensor
from ..static.program.program import Program, default_main_program
from ..static.program.python_operators import is_variable
from ..static.program.variable import Variable
from .columns import columns_of, listed, tensors_of
from .source import Reader, check_readers, opened

__all__ = ["DataFeeder"]

Feed = dict[str, LoDTensor]


class DataFeeder:
    """Makes feeds for `Executor.run` from lists of samples.

    Arguments:
        feed_list: data Variables or their names; a sample has a value for each of them, in this order.
        place: the device of the tensors, CPUPlace() or CUDAPlace(i).
        program: the Program that has these names; the default main Program where it is None.

    Raises:
        ArgumentTypeError: `feed_list` holds something else, or `place` is not a Place.
        MissingVariableError: the Program has no Variable of this name.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     x = fluid.data('x', [None, 2], 'float32')
    ...     words = fluid.data('words', [None, 1], 'int64', lod_level=1)
    ...     feeder = fluid.DataFeeder([x, words], fluid.CPUPlace())
    >>> feed = feeder.feed([([1.5, 2.5], [7, 8, 9]), ([3.5, 4.5], [5])])
    >>> feed['x'].shape(), feed['words'].shape(), feed['words'].recursive_sequence_lengths()
    ([2, 2], [4, 1], [[3, 1]])
    """

    def __init__(self, feed_list: Any, place: Place, program: Program | None = None) -> None:
        where = "DataFeeder"
        given = None if is_variable(feed_list) else listed(feed_list)
        if given is None:
            needs = "a list of data Variables, or of their names"
            raise ArgumentTypeError(message(where, "feed_list", describe(feed_list), needs))
        if not isinstance(place, Place):
            raise ArgumentTypeError(message(where, "place", describe(place), "fluid.CPUPlace() or CUDAPlace(i)"))
        block = (default_main_program() if program is None else program).global_block()
        variables: list[Variable] = [block.var(v) if isinstance(v, str) else v for v in given]
        self._columns = columns_of(variables, where)
        self.place = place

    @property
    def feed_names(self) -> list[str]:
        """The names of the Variables."""
        return [column.name for column in self._columns]

    @property
    def feed_shapes(self) -> list[tuple[int, ...]]:
        """The shapes of the Variables."""
        return [column.shape for column in self._columns]

    @property
    def feed_dtypes(self) -> list[Any]:
        """The dtypes of the Variables."""
        return [column.dtype for column in self._columns]

    @property
    def feed_lod_level(self) -> list[int]:
        """The LoD level of each Variable."""
        return [column.lod_level for column in self._columns]

    def feed(self, iterable: Iterable[Any]) -> Feed:
        """Convert the samples of one batch to a feed.

        Arguments:
            iterable: samples; each is a tuple or list with one value (number, list or array) for each Variable. Values
                are converted to the dtype of the Variable, and reshaped to its shape if they have another rank. With
                LoD levels a value is a nested list, as deep as there are levels.

        Returns:
            A dict {name: LoDTensor}.

        Raises:
            ArgumentTypeError: iterable is not iterable.
            ArgumentValueError: a sample has another number of values, or a value cannot be converted to the dtype.
            ShapeError: values have different shapes, or do not fit the declared one.
        """
        return self._feed(iterable, self.place)

    def _feed(self, samples: Iterable[Any], place: Place) -> Feed:
        """Convert samples to a feed on a device."""
        try:
            rows = iter(samples)
        except TypeError:
            needs = "an iterable of samples"
            raise ArgumentTypeError(message("DataFeeder.feed", "iterable", describe(samples), needs)) from None
        tensors = tensors_of(self._columns, rows, "DataFeeder.feed")
        for tensor in tensors:
            tensor.place = place
        return dict(zip(self.feed_names, tensors, strict=True))

    def feed_parallel(self, iterable: Iterable[Any], num_places: int | None = None) -> Iterator[Feed]:
        """Convert one batch for each of several devices to feeds.

        Arguments:
            iterable: batches, one for each device; each is an iterable of samples.
            num_places: the number of devices; CPU_NUM or the number of GPUs where it is None.

        Returns:
            A generator of feeds: `exe.run(compiled, feed=list(feeds))`.

        Raises:
            ArgumentValueError: there is not one batch for each device.
        """
        places = self._places(num_places)
        batches = list(iterable)
        if len(batches) != len(places):
            needs = f"{len(places)}, one for each place"
            raise ArgumentValueError(
                message("DataFeeder.feed_parallel", "iterable", f"{len(batches)} batches", needs, "Say num_places.")
            )
        for batch, place in zip(batches, places, strict=True):
            yield self._feed(batch, place)

    def _places(self, count: int | None) -> list[Place]:
        """Return the devices to feed."""
        if isinstance(self.place, CUDAPlace):
            return list(cuda_places(None if count is None else list(range(count))))
        return list(cpu_places()) if count is None else [CPUPlace() for _ in range(count)]

    def decorate_reader(
        self, reader: Reader, multi_devices: bool, num_places: int | None = None, drop_last: bool = True
    ) -> Callable[[], Iterator[Any]]:
        """Convert a reader of batches to a reader of feeds.

        Arguments:
            reader: a reader of batches, each a list of samples.
            multi_devices: whether to yield lists of feeds, one for each device.
            num_places: the number of devices; CPU_NUM or the number of GPUs where it is None.
            drop_last: whether to drop the last batches if there are fewer than devices.

        Returns:
            A reader of feeds, or of lists of feeds.

        Raises:
            ArgumentTypeError: `reader` is not a function.
            ArgumentValueError: while reading, with `drop_last=False`: there are fewer last batches than devices.

        >>> import paddle_lite.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     feeder = fluid.DataFeeder([fluid.data('x', [None], 'int64')], fluid.CPUPlace())
        >>> feeds = feeder.decorate_reader(lambda: [[(1,), (2,)], [(3,)]], multi_devices=False)
        >>> [feed['x'].shape() for feed in feeds()]
        [[2], [1]]
        """
        check_readers("decorate_reader", reader)

        @boundary
        def feeds() -> Iterator[Any]:
            with opened(reader) as (batches,):
                if not multi_devices:
                    for batch in batches:
                        yield self.feed(batch)
                    return
                count = len(self._places(num_places))
                while group := list(islice(batches, count)):
                    if len(group) == count:
                        yield list(self.feed_parallel(group, count))
                    elif not drop_last:
                        raise ArgumentValueError(
                            message(
                                "DataFeeder.decorate_reader", "reader", f"{len(group)} last batches",
                                f"{count}, one for each place", "drop_last=True leaves them out.",
                            )
                        )  # fmt: skip

        return feeds
