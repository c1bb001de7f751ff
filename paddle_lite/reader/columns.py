"""Conversion of samples to the tensors of a feed: one column for each data Variable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..core.dtype import NATIVE, SUPPORTED, VarType, to_numpy
from ..core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    DtypeError,
    ShapeError,
    describe,
    message,
)
from ..core.lod import from_lengths
from ..core.tensor import LoDTensor
from ..static.program.python_operators import is_variable
from .source import Reader, opened

YIELD = "Let the generator yield a tuple with one value for each of them."


class Column(NamedTuple):
    """The name, shape, dtype and LoD level of a data Variable, without a reference to its Program, for use in threads."""

    name: str
    shape: tuple[int, ...]
    dtype: VarType
    lod_level: int

    def tensor(self, values: Sequence[Any], where: str) -> LoDTensor:
        """Convert the values of several samples to one tensor of the dtype of the Variable.

        The values of the samples are stacked. With LoD levels each value is a nested list, as deep as there are levels,
        whose items are stacked. A tensor of another rank than the Variable is reshaped to the shape of the Variable.

        Raises:
            ArgumentValueError: the values cannot be converted to the dtype.
            ArgumentTypeError: with LoD levels, a value is not a list.
            ShapeError: the values have different shapes, or do not fit the shape of the Variable.
        """
        items, lengths = list(values), []
        for level in range(self.lod_level):
            lengths.append([self._length(item, level, where) for item in items])
            items = [item for sequence in items for item in sequence]
        array = self._array(items, where)
        return LoDTensor.of(array, from_lengths(lengths, None, where))

    def _length(self, item: Any, level: int, where: str) -> int:
        """Return the length of a sequence; raise if it is not a list."""
        try:
            return len(item)
        except TypeError:
            needs = f"a list: {self.name!r} has lod_level {self.lod_level}"
            raise ArgumentTypeError(message(where, self.name, f"{describe(item)} at level {level}", needs)) from None

    def _array(self, items: list[Any], where: str) -> np.ndarray:
        """Convert items to an array of the dtype and rank of the Variable."""
        dtype = to_numpy(self.dtype)
        try:
            array = np.array(items, dtype)
        except (TypeError, ValueError) as error:
            shapes = sorted({str(list(found)) for item in items if (found := _shape(item)) is not None})
            if len(shapes) > 1:
                fix = "Pad them; or declare lod_level=1, for sequences of several lengths."
                raise ShapeError(
                    message(where, self.name, f"values of shapes {', '.join(shapes)}", "one shape", fix)
                ) from None
            needs = f"values that are {dtype}, as declared"
            raise ArgumentValueError(message(where, self.name, f"values of which NumPy says: {error}", needs)) from None
        if array.ndim == len(self.shape):
            return array
        try:
            return array.reshape(self.shape)
        except ValueError:
            shape = [None if n < 0 else n for n in self.shape]
            raise ShapeError(
                message(where, self.name, f"samples that make shape {list(array.shape)}", f"shape {shape}, as declared")
            ) from None


def _shape(value: Any) -> tuple[int, ...] | None:
    """Return the shape of a value; None for a ragged list."""
    try:
        return tuple(np.asarray(value).shape)
    except ValueError:
        return None


def listed(feed_list: Any) -> list[Any] | None:
    """Return what an iterable of Variables or names holds, as a list; None for anything else."""
    return list(feed_list) if isinstance(feed_list, Iterable) and not isinstance(feed_list, (str, bytes)) else None


def columns_of(feed_list: Any, where: str) -> list[Column]:
    """Return the columns of data Variables, which may come in any iterable, such as the values of a dict.

    Raises:
        ArgumentTypeError: `feed_list` is not a list of Variables.
    """
    given = None if is_variable(feed_list) else listed(feed_list)
    variables = [feed_list] if given is None else given
    for variable in variables:
        if not is_variable(variable):
            needs = "a list of data Variables"
            raise ArgumentTypeError(message(where, "feed_list", describe(variable), needs, "fluid.data makes one."))
    return [Column(v.name, v.shape, v.dtype, v.lod_level) for v in variables]


def tensors_of(columns: Sequence[Column], samples: Iterable[Any], where: str) -> list[LoDTensor]:
    """Convert the samples of a batch to one tensor for each column.

    Raises:
        ArgumentValueError: a sample has another number of values than there are columns.
    """
    rows = [_values(columns, sample, f"sample {number}", where) for number, sample in enumerate(samples)]
    return [column.tensor([row[i] for row in rows], where) for i, column in enumerate(columns)]


def _values(columns: Sequence[Column], sample: Any, what: str, where: str) -> Sequence[Any]:
    """Return the values of a sample or a batch; raise unless there is one for each column."""
    try:
        count = len(sample)
    except TypeError:
        count = -1
    if count != len(columns) or isinstance(sample, (str, dict)):
        names = ", ".join(column.name for column in columns)
        got = describe(sample) if count < 0 or isinstance(sample, (str, dict)) else f"{count} values"
        raise ArgumentValueError(message(where, what, got, f"{len(columns)}: {names}", YIELD))
    return sample


def sample_batches(columns: Sequence[Column], reader: Reader, where: str) -> Iterator[list[LoDTensor]]:
    """Yield the tensors of each list of samples of a reader."""
    with opened(reader) as (lists,):
        for samples in lists:
            yield tensors_of(columns, samples, where)


def whole_batches(columns: Sequence[Column] | None, reader: Reader, where: str) -> Iterator[list[LoDTensor]]:
    """Yield the tensors of each batch of a reader; they are copies, since the generator may reuse its arrays.

    Arguments:
        columns: a column for each value of a batch; None: batches have any number of values.
        reader: the reader.
        where: the call, for errors.
    """
    with opened(reader) as (batches,):
        for batch in batches:
            values = batch if columns is None else _values(columns, batch, "a batch", where)
            names = [f"value {i}" for i in range(len(values))] if columns is None else [c.name for c in columns]
            yield [_copied(name, value, where) for name, value in zip(names, values, strict=True)]


def _copied(name: str, value: Any, where: str) -> LoDTensor:
    """Copy a value of a batch without conversion; the Executor checks whether it fits."""
    levels = value.levels if isinstance(value, LoDTensor) else None
    try:
        array = np.array(value)
    except ValueError:
        fix = "Pad the samples to one shape."
        raise ShapeError(message(where, name, "rows of several shapes", "one shape", fix)) from None
    if array.dtype not in NATIVE and array.dtype.name not in SUPPORTED:
        raise DtypeError(message(where, name, f"dtype {array.dtype}", f"one of {', '.join(SUPPORTED)}"))
    return LoDTensor.of(array, levels)
