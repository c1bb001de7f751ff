"""From samples to tensors, one Variable at a time: `fluid.data_feeder` of 1.8.5 offers these to programs with loaders of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ...core.dtype import name_of, to_vartype
from ...core.tensor import LoDTensor
from ...reader.columns import Column, columns_of, tensors_of

__all__ = ["BatchedTensorProvider", "DataToLoDTensorConverter"]


class DataToLoDTensorConverter:
    """Collects the values that samples have for one Variable, and converts them to a tensor.

    Arguments:
        place: where the tensor is to be; tensors are made in the memory of the process.
        lod_level: how deeply the values of a sample are nested in lists.
        shape: the shape of the Variable; a first size of -1 or None is any number of samples.
        dtype: its dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.fluid.data_feeder import DataToLoDTensorConverter
    >>> converter = DataToLoDTensorConverter(fluid.CPUPlace(), 1, [-1, 1], 'int64')
    >>> for sequence in ([1, 2], [3]):
    ...     converter.feed(sequence)
    >>> tensor = converter.done()
    >>> np.array(tensor).tolist(), tensor.recursive_sequence_lengths()
    ([[1], [2], [3]], [[2, 1]])
    """

    def __init__(self, place: Any, lod_level: int, shape: Sequence[Any], dtype: Any) -> None:
        self.place, self.lod_level, self.shape = place, lod_level, shape
        kind = to_vartype(dtype)
        self.dtype = name_of(kind)
        sizes = tuple(-1 if size is None else size for size in shape)
        self._column = Column("data", sizes, kind, lod_level)
        self._samples: list[Any] = []

    def feed(self, data: Any) -> None:
        """Add the value of a sample."""
        self._samples.append(data)

    def done(self) -> LoDTensor:
        """Return the tensor, and begin anew.

        Raises:
            ArgumentValueError: the values cannot be converted to the dtype.
            ArgumentTypeError: with LoD levels, a value is not a list.
            ShapeError: the values have different shapes, or do not fit the shape of the Variable.
        """
        samples, self._samples = self._samples, []
        return self._column.tensor(samples, "DataToLoDTensorConverter.done")


class BatchedTensorProvider:
    """A reader of batches of tensors, made from a reader of samples.

    Arguments:
        feed_list: data Variables, one for each value of a sample.
        place: where the tensors are to be; tensors are made in the memory of the process.
        batch_size: the number of samples of a batch.
        generator: a function that returns an iterable of samples.
        drop_last: whether to leave out a last batch that is smaller.
    """

    def __init__(
        self, feed_list: Any, place: Any, batch_size: int, generator: Callable[[], Iterable[Any]], drop_last: bool
    ) -> None:
        self.place, self.batch_size, self.generator, self.drop_last = place, batch_size, generator, drop_last
        self._columns = columns_of(feed_list, "BatchedTensorProvider")

    def __call__(self) -> Iterator[list[LoDTensor]]:
        """Yield the tensors of each batch."""
        samples: list[Any] = []
        for sample in self.generator():
            samples.append(sample)
            if len(samples) == self.batch_size:
                yield tensors_of(self._columns, samples, "BatchedTensorProvider")
                samples = []
        if samples and not self.drop_last:
            yield tensors_of(self._columns, samples, "BatchedTensorProvider")
