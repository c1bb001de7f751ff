"""Batches of a user's generator as Variables of imperative mode."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from ..core.dtype import SUPPORTED
from ..core.errors import ArgumentValueError, DtypeError, ShapeError, message
from ..core.place import resolve
from ..imperative.base import to_variable
from .buffering import buffered
from .generator_loader import GeneratorLoader
from .source import Reader, opened


class ImperativeLoader(GeneratorLoader):
    """Iterates over the batches of a generator, each a list of Variables; each iteration is a new epoch."""

    def _set_places(self, places: list[Any]) -> None:
        if len(places) != 1:
            raise ArgumentValueError(message(self._where, "places", f"{len(places)} places", "one, in imperative mode"))
        resolve(places[0], self._where)

    def __iter__(self) -> Iterator[list[Any]]:
        """The batches of an epoch."""
        return _variables(buffered(partial(_arrays, self._source(), self._of_samples, self._where), self._capacity))


def _variables(reader: Reader) -> Iterator[list[Any]]:
    """Arrays as Variables. It does not hold the loader, which may hold it."""
    with opened(reader) as (batches,):
        for arrays in batches:
            yield [to_variable(array) for array in arrays]


def _arrays(reader: Reader, of_samples: bool, where: str) -> Iterator[list[np.ndarray]]:
    """The batches as arrays of their own: the generator may write into its arrays again."""
    with opened(reader) as (batches,):
        for batch in batches:
            values = [list(column) for column in zip(*batch, strict=True)] if of_samples else batch
            yield [_array(where, f"value {place} of a batch", value) for place, value in enumerate(values)]


def _array(where: str, argument: str, value: Any) -> np.ndarray:
    value = value.numpy() if hasattr(value, "stop_gradient") else value
    try:
        array = np.array(value)
    except ValueError:
        fix = "Pad the samples to one shape."
        raise ShapeError(message(where, argument, "samples of several shapes", "one shape", fix)) from None
    if array.dtype.name not in SUPPORTED:
        raise DtypeError(message(where, argument, f"dtype {array.dtype}", f"one of {', '.join(SUPPORTED)}"))
    return array
