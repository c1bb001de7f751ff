"""Loader of imperative mode: batches of a user's generator as Variables."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from ..core.dtype import NATIVE, SUPPORTED, in_own_dtype
from ..core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, ShapeError, describe, message
from ..core.mode import state
from ..core.place import resolve
from ..imperative.base import to_variable
from .buffering import buffered
from .generator_loader import GeneratorLoader, copies_to_gpus
from .processes import in_process
from .source import Reader, opened


class ImperativeLoader(GeneratorLoader):
    """Iterates over the batches of a generator, each a list of Variables; each iteration is a new epoch.

    Arguments:
        where: the call, for errors. capacity: the largest number of batches to read ahead.
        forks: whether a process of its own runs the generator in each epoch, instead of a thread.
    """

    def __init__(self, where: str, capacity: Any, forks: bool = False) -> None:
        super().__init__(where, capacity)
        self._forks = forks

    def _set_places(self, places: list[Any]) -> None:
        if len(places) != 1:
            raise ArgumentValueError(message(self._where, "places", f"{len(places)} places", "one, in imperative mode"))
        resolve(places[0], self._where)

    def __iter__(self) -> Iterator[list[Any]]:
        """Iterate over the batches of an epoch."""
        arrays = partial(_arrays, self._source(), self._of_samples, self._where)
        if self._forks:
            return _variables(in_process(arrays, self._capacity, self._where), self.copies_ahead)
        return _variables(self._ahead(arrays, partial(buffered, size=self._capacity)), self.copies_ahead)


def _variables(reader: Reader, ahead: bool) -> Iterator[list[Any]]:
    """Convert arrays to Variables. The iterator has no reference to the loader, which may refer to it."""
    with opened(reader) as (batches,):
        if ahead and state.place is not None and copies_to_gpus([state.place]):
            from ..kernels.gpu.staging import copied_ahead  # no GPU is used before

            batches = copied_ahead(batches, [state.place])
        for arrays in batches:
            yield [to_variable(array) for array in arrays]


def _arrays(reader: Reader, of_samples: bool, where: str) -> Iterator[list[np.ndarray]]:
    """Yield the batches as copied arrays, since the generator may reuse its own."""
    with opened(reader) as (batches,):
        for batch in batches:
            values = _columns(where, batch) if of_samples else batch
            yield [_array(where, f"value {place} of a batch", value) for place, value in enumerate(values)]


def _columns(where: str, batch: Any) -> list[list[Any]]:
    """Return the values of a list of samples, one list for each place in a sample."""
    for i, sample in enumerate(batch):
        if not isinstance(sample, (list, tuple, np.ndarray)):
            fix = "A generator of single samples is for set_sample_generator."
            needs = "a list of samples, each a tuple of values"
            raise ArgumentTypeError(message(where, "a batch", f"{describe(sample)} at place {i}", needs, fix))
        if len(sample) != len(batch[0]):
            needs = f"as many as sample 0: {len(batch[0])}"
            raise ArgumentValueError(message(where, f"sample {i} of a batch", f"{len(sample)} values", needs))
    return [list(column) for column in zip(*batch, strict=True)]


def _array(where: str, argument: str, value: Any) -> np.ndarray:
    """Copy a value to an array; raise if it is ragged or has an unsupported dtype."""
    value = value.numpy() if hasattr(value, "stop_gradient") else value
    try:
        array = np.array(value)
    except ValueError:
        fix = "Pad the samples to one shape."
        raise ShapeError(message(where, argument, "samples of several shapes", "one shape", fix)) from None
    if array.dtype not in NATIVE and array.dtype.name not in SUPPORTED:
        raise DtypeError(message(where, argument, f"dtype {array.dtype}", f"one of {', '.join(SUPPORTED)}"))
    return in_own_dtype(array)
