"""DataFeeder: rows of samples into what an Executor is fed with."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ..core.dtype import to_numpy
from ..core.errors import ArgumentTypeError, ArgumentValueError, ShapeError, describe, message
from ..core.place import CPUPlace, Place, cpu_places, cuda_places
from ..core.tensor import LoDTensor
from ..static import Program, Variable, default_main_program


class DataFeeder:
    """Turns mini-batches, lists of samples, into dicts for `Executor.run(feed=...)`.

    Arguments:
        feed_list: data Variables, or their names, in the order of the fields of a sample.
        place: fluid.CPUPlace() or fluid.CUDAPlace(i).
        program: where names are looked up; the default main Program where it is None.

    Raises:
        ArgumentTypeError: `feed_list` holds something else.
        MissingKeyError: the Program has no Variable of a name.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     image = fluid.layers.data('image', [1, 2, 2])
    ...     label = fluid.layers.data('label', [1], dtype='int64')
    ...     feeder = fluid.DataFeeder([image, label], fluid.CPUPlace())
    >>> feed = feeder.feed([(np.zeros(4), 3), (np.ones(4), 5)])
    >>> np.array(feed['image']).shape, np.array(feed['label']).tolist()
    ((2, 1, 2, 2), [[3], [5]])
    """

    def __init__(self, feed_list: Sequence[Any], place: Place, program: Program | None = None) -> None:
        block = (default_main_program() if program is None else program).global_block()
        self.feed_dtypes: list[Any] = []
        self.feed_names: list[str] = []
        self.feed_shapes: list[tuple[int, ...]] = []
        self.feed_lod_level: list[int] = []
        for item in feed_list:
            variable = block.variable(item) if isinstance(item, str) else item
            if not isinstance(variable, Variable):
                got = describe(item)
                raise ArgumentTypeError(message("DataFeeder", "feed_list", got, "data Variables, or their names"))
            self.feed_dtypes.append(variable.dtype)
            self.feed_names.append(variable.name)
            self.feed_shapes.append(variable.shape)
            self.feed_lod_level.append(variable.lod_level)
        self.place = place

    def feed(self, iterable: Iterable[Sequence[Any]]) -> dict[str, LoDTensor]:
        """A dict from names to tensors.

        Arguments:
            iterable: samples; each has one field for each Variable: a number, a list or an ndarray, of a Variable with LoD a
                list of rows (of lists of rows, and so on).

        Raises:
            ArgumentValueError: a sample has another number of fields.
            ShapeError: fields do not fit together, or do not fit the Variable.
        """
        count = len(self.feed_names)
        columns: list[list[Any]] = [[] for _ in range(count)]
        for sample in iterable:
            if len(sample) != count:
                needs = f"{count}, one for each of {', '.join(self.feed_names)}"
                raise ArgumentValueError(message("DataFeeder.feed", "a sample", f"{len(sample)} fields", needs))
            for column, field in zip(columns, sample, strict=True):
                column.append(field)
        return {name: self._tensor(i, columns[i]) for i, name in enumerate(self.feed_names)}

    def _tensor(self, i: int, column: list[Any]) -> LoDTensor:
        """The tensor of one Variable."""
        levels = self.feed_lod_level[i]
        lengths: list[list[int]] = [[] for _ in range(levels)]
        rows = column
        for level in range(levels):
            lengths[level] = [len(sequence) for sequence in rows]
            rows = [row for sequence in rows for row in sequence]
        tensor = LoDTensor()
        tensor.set(self._array(i, rows), self.place)
        if levels:
            tensor.set_recursive_sequence_lengths(lengths)
        return tensor

    def _array(self, i: int, rows: list[Any]) -> np.ndarray:
        where, shape = f"DataFeeder.feed: {self.feed_names[i]}", self.feed_shapes[i]
        try:
            array = np.array(rows, to_numpy(self.feed_dtypes[i]))
        except (TypeError, ValueError):
            shapes = sorted({str(list(np.shape(row))) for row in rows if not isinstance(row, (list, tuple))})
            got = f"rows of shapes {', '.join(shapes)}" if len(shapes) > 1 else f"rows such as {describe(rows[0])}"
            raise ShapeError(message(where, "the fields", got, "numbers in one shape")) from None
        if array.ndim == len(shape):
            return array
        try:
            return array.reshape([len(rows) if n == -1 and j == 0 else n for j, n in enumerate(shape)])
        except ValueError:
            raise ShapeError(
                message(where, "the fields", f"shape {list(array.shape)}", f"shape {list(shape)}")
            ) from None

    def feed_parallel(
        self, iterable: Iterable[Iterable[Sequence[Any]]], num_places: int | None = None
    ) -> Iterator[dict[str, LoDTensor]]:
        """A dict for each place of a data-parallel CompiledProgram.

        Arguments:
            iterable: a mini-batch for each place.
            num_places: how many places there are; as many as CPU_NUM or the GPUs say where it is None.

        Raises:
            ArgumentValueError: there are more or fewer mini-batches than places.
        """
        batches, count = list(iterable), self._count(num_places)
        if len(batches) != count:
            got = f"{len(batches)} mini-batches"
            raise ArgumentValueError(
                message("DataFeeder.feed_parallel", "iterable", got, f"{count}, one for each place")
            )
        for batch in batches:
            yield self.feed(batch)

    def _count(self, num_places: int | None) -> int:
        if num_places is not None:
            return int(num_places)
        if isinstance(self.place, CPUPlace):
            return len(cpu_places()) if "CPU_NUM" in os.environ else os.cpu_count() or 1
        return len(cuda_places())

    def decorate_reader(
        self, reader: Callable, multi_devices: bool, num_places: int | None = None, drop_last: bool = True
    ) -> Callable:
        """A reader of dicts from a reader of mini-batches.

        Arguments:
            reader: a function that returns an iterable of mini-batches.
            multi_devices: make a list of dicts, one for each place, of as many mini-batches.
            num_places: how many places there are; see `feed_parallel`.
            drop_last: leave out mini-batches at the end that do not suffice for all places.

        Raises:
            ArgumentValueError: when the reader ends, mini-batches are left and `drop_last` is False.
        """

        def decorated() -> Iterator[Any]:
            if not multi_devices:
                for batch in reader():
                    yield self.feed(batch)
                return
            count, waiting = self._count(num_places), []
            for batch in reader():
                waiting.append(batch)
                if len(waiting) == count:
                    yield list(self.feed_parallel(waiting, count))
                    waiting = []
            if waiting and not drop_last:
                got = f"{len(waiting)} mini-batches at the end"
                raise ArgumentValueError(
                    message("DataFeeder.decorate_reader", "reader", got, f"{count}, or drop_last=True")
                )

        return decorated
