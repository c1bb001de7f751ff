"""`fluid.DataFeeder`: samples into feeds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..core.place import CPUPlace, CUDAPlace, Place, cpu_places, cuda_places
from ..core.tensor import LoDTensor
from ..static.program.program import Program, default_main_program
from ..static.program.variable import Variable
from .columns import columns_of, tensors_of
from .source import Reader, check_readers, opened

__all__ = ["DataFeeder"]

Feed = dict[str, LoDTensor]


class DataFeeder:
    """Makes feeds for `Executor.run` from lists of samples.

    Arguments:
        feed_list: data Variables, or their names; a sample has a value for each, in this order.
        place: where the tensors belong, CPUPlace() or CUDAPlace(i).
        program: the Program that has the names; the default main one where it is None.

    Raises:
        ArgumentTypeError: `feed_list` holds something else, or `place` is no place.
        MissingVariableError: the Program has no Variable of a name.

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
        if not isinstance(feed_list, (list, tuple)):
            needs = "a list of data Variables, or of their names"
            raise ArgumentTypeError(message(where, "feed_list", describe(feed_list), needs))
        if not isinstance(place, Place):
            raise ArgumentTypeError(message(where, "place", describe(place), "fluid.CPUPlace() or CUDAPlace(i)"))
        block = (default_main_program() if program is None else program).global_block()
        variables: list[Variable] = [block.var(v) if isinstance(v, str) else v for v in feed_list]
        self._columns = columns_of(variables, where)
        self.place = place

    @property
    def feed_names(self) -> list[str]:
        """The names of the Variables."""
        return [column.name for column in self._columns]

    @property
    def feed_shapes(self) -> list[tuple[int, ...]]:
        """Their shapes."""
        return [column.shape for column in self._columns]

    @property
    def feed_dtypes(self) -> list[Any]:
        """Their dtypes."""
        return [column.dtype for column in self._columns]

    @property
    def feed_lod_level(self) -> list[int]:
        """The number of levels of sequences that each has."""
        return [column.lod_level for column in self._columns]

    def feed(self, iterable: Iterable[Any]) -> Feed:
        """A feed from the samples of one batch.

        Arguments:
            iterable: samples; each is a tuple or list of values (numbers, lists, arrays), one for each Variable. They
                are converted to its dtype, and reshaped to its shape if they are of another rank. With LoD levels a
                value is a list of lists, as deep as there are levels.

        Returns:
            A LoDTensor for each name.

        Raises:
            ArgumentValueError: a sample has too many values or too few, or some that are not of the dtype.
            ShapeError: values are of several shapes, or do not fill the declared one.
        """
        return self._feed(iterable, self.place)

    def _feed(self, samples: Iterable[Any], place: Place) -> Feed:
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
        """Feeds for several places, one for each batch.

        Arguments:
            iterable: batches, each an iterable of samples; one for each place.
            num_places: how many places there are; CPU_NUM, or the number of GPUs, where it is None.

        Returns:
            A generator of feeds: `exe.run(compiled, feed=list(feeds))`.

        Raises:
            ArgumentValueError: there are more batches than places, or fewer.
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
        if isinstance(self.place, CUDAPlace):
            return list(cuda_places(None if count is None else list(range(count))))
        return list(cpu_places()) if count is None else [CPUPlace() for _ in range(count)]

    def decorate_reader(
        self, reader: Reader, multi_devices: bool, num_places: int | None = None, drop_last: bool = True
    ) -> Callable[[], Iterator[Any]]:
        """A reader of feeds from a reader of batches.

        Arguments:
            reader: returns an iterable of batches, each a list of samples.
            multi_devices: yield lists of feeds, one for each place.
            num_places: how many places there are; CPU_NUM, or the number of GPUs, where it is None.
            drop_last: leave out the last batches where they are fewer than the places.

        Returns:
            A reader of feeds, or of lists of them.

        Raises:
            ArgumentTypeError: `reader` is not a function.
            ArgumentValueError: while reading, with `drop_last=False`, the last batches are fewer than the places.

        >>> import paddle_lite.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     feeder = fluid.DataFeeder([fluid.data('x', [None], 'int64')], fluid.CPUPlace())
        >>> feeds = feeder.decorate_reader(lambda: [[(1,), (2,)], [(3,)]], multi_devices=False)
        >>> [feed['x'].shape() for feed in feeds()]
        [[2], [1]]
        """
        check_readers("decorate_reader", reader)

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
