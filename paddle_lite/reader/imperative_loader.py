"""Batches of a user's generator as Variables of imperative mode."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core.dtype import SUPPORTED
from ..core.errors import ArgumentValueError, DtypeError, ShapeError, message
from ..core.place import resolve
from ..imperative.base import to_variable
from .buffering import buffered
from .generator_loader import GeneratorLoader
from .source import opened


class ImperativeLoader(GeneratorLoader):
    """Iterates over the batches of a generator, each a list of Variables; each iteration is a new epoch."""

    def _set_places(self, places: list[Any]) -> None:
        if len(places) != 1:
            raise ArgumentValueError(message(self._where, "places", f"{len(places)} places", "one, in imperative mode"))
        resolve(places[0], self._where)

    def __iter__(self) -> Iterator[list[Any]]:
        """The batches of an epoch."""
        self._source()
        with opened(buffered(self._arrays, self._capacity)) as (batches,):
            for arrays in batches:
                yield [to_variable(array) for array in arrays]

    def _arrays(self) -> Iterator[list[np.ndarray]]:
        """The batches as arrays of their own: the generator may write into its arrays again."""
        with opened(self._source()) as (batches,):
            for batch in batches:
                values = [list(column) for column in zip(*batch, strict=True)] if self._of_samples else batch
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
