"""Data that is accessed by index: `fluid.io.Dataset`, `BatchSampler` and `default_collate_fn`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..core.errors import ArgumentTypeError, ArgumentValueError, ShapeError, describe, message

__all__ = ["BatchSampler", "Dataset", "default_collate_fn"]


class Dataset:
    """Base class of data that is accessed by index: a subclass defines `__getitem__` and `__len__`.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> class Squares(fluid.io.Dataset):
    ...     def __getitem__(self, idx):
    ...         return np.float32([idx]), np.float32([idx * idx])
    ...     def __len__(self):
    ...         return 10
    >>> len(Squares()), Squares()[3]
    (10, (array([3.], dtype=float32), array([9.], dtype=float32)))
    """

    def __getitem__(self, idx: int) -> Any:
        """Return a sample: a tuple of values, or an array."""
        raise NotImplementedError(f"{type(self).__name__}.__getitem__: a dataset defines it")

    def __len__(self) -> int:
        """Return the number of samples."""
        raise NotImplementedError(f"{type(self).__name__}.__len__: a dataset defines it")


class BatchSampler:
    """Iterates over the indices of batches.

    Arguments:
        dataset: a Dataset; its indices are 0 to its length minus 1.
        indices: a list of indices, used instead of a Dataset.
        shuffle: whether to shuffle the indices with NumPy's global generator.
        batch_size: the number of indices in a batch, at least 1.
        drop_last: whether to drop the last batch if it is incomplete.

    Raises:
        ArgumentValueError: both or none of `dataset` and `indices` are given, or `batch_size` is not a positive int.
        ArgumentTypeError: an argument has another type.

    >>> import paddle_lite.fluid as fluid
    >>> sampler = fluid.io.BatchSampler(indices=[4, 5, 6], batch_size=2)
    >>> list(sampler), len(sampler)
    ([[4, 5], [6]], 2)
    """

    def __init__(
        self,
        dataset: Dataset | None = None,
        indices: Sequence[int] | None = None,
        shuffle: bool = False,
        batch_size: int = 1,
        drop_last: bool = False,
    ) -> None:
        where = "BatchSampler"
        if (dataset is None) == (indices is None):
            got = "neither" if dataset is None else "both"
            raise ArgumentValueError(message(where, "dataset and indices", got, "one of them"))
        if indices is not None and not isinstance(indices, (list, tuple)):
            raise ArgumentTypeError(message(where, "indices", describe(indices), "a list of ints"))
        if indices is None and not isinstance(dataset, Dataset):
            raise ArgumentTypeError(message(where, "dataset", describe(dataset), "a fluid.io.Dataset"))
        for name, value in (("shuffle", shuffle), ("drop_last", drop_last)):
            if not isinstance(value, bool):
                raise ArgumentTypeError(message(where, name, describe(value), "True or False"))
        if isinstance(batch_size, bool) or not isinstance(batch_size, int) or batch_size < 1:
            raise ArgumentValueError(message(where, "batch_size", describe(batch_size), "a positive int"))
        self.dataset, self.indices = dataset, indices
        self._source: Any = dataset if indices is None else indices
        self.shuffle, self.batch_size, self.drop_last = shuffle, batch_size, drop_last

    def __iter__(self) -> Iterator[list[int]]:
        """Iterate over the index lists of an epoch."""
        order: Any = range(len(self._source)) if self.indices is None else self.indices
        if self.shuffle:
            order = list(order)
            np.random.shuffle(order)
        for start in range(0, len(order), self.batch_size):
            batch = list(order[start : start + self.batch_size])
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        """Return the number of batches in an epoch."""
        return (len(self._source) + (0 if self.drop_last else self.batch_size - 1)) // self.batch_size


def default_collate_fn(batch: Sequence[Any]) -> list[np.ndarray]:
    """Stack the values of several samples.

    Arguments:
        batch: samples; each is a tuple or list of values, of the same number, or an array.

    Returns:
        An array for each value of a sample.

    Raises:
        ArgumentTypeError: a sample is neither a tuple nor an array.
        ShapeError: samples have different numbers of values, or values of different shapes.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> [a.shape for a in fluid.io.default_collate_fn([(np.zeros(3), 1), (np.ones(3), 2)])]
    [(2, 3), (2,)]
    """
    where = "default_collate_fn"
    for sample in batch:
        if not isinstance(sample, (list, tuple, np.ndarray)):
            needs = "a tuple of values, or an array"
            raise ArgumentTypeError(message(where, "a sample", describe(sample), needs))
    rows = [(sample,) if isinstance(sample, np.ndarray) else sample for sample in batch]
    counts = sorted({len(row) for row in rows})
    if len(counts) > 1:
        raise ShapeError(message(where, "samples", f"{counts} values", "the same number of values in each"))
    return [_stacked(place, values) for place, values in enumerate(zip(*rows, strict=True))]


def _stacked(place: int, values: Sequence[Any]) -> np.ndarray:
    """Stack values; raise a ShapeError if their shapes differ."""
    try:
        return np.array(values)
    except ValueError:
        fix = "Pad the samples to one shape, or pass a collate_fn of your own."
        raise ShapeError(
            message("default_collate_fn", f"value {place} of the samples", "several shapes", "one", fix)
        ) from None
