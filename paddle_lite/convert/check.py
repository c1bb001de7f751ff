"""A model and its conversion on the same inputs: how far their results are apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..core.errors import ArgumentTypeError, describe, message
from ..core.tensor import LoDTensor
from ..io.scope_values import HostValue, write_to_scope
from ..static.execution.executor import Executor
from ..static.execution.scope import Scope, scope_guard
from .feeds import Feed
from .model import Model


class Difference(NamedTuple):
    """How far two results are apart.

    absolute: the largest difference of two numbers.
    relative: that, as a part of the largest number of the model.
    """

    absolute: float
    relative: float

    @property
    def text(self) -> str:
        """The numbers as words."""
        return f"largest difference {self.absolute:.1e}, {self.relative:.1e} of the largest number"


def run_here(model: Model, feed: Feed) -> list[np.ndarray]:
    """Return what a model gives here."""
    program, executor = model.inference("check"), Executor()
    with scope_guard(Scope()), np.errstate(all="ignore"):
        write_to_scope({name: HostValue(array, model.lods.get(name)) for name, array in model.values.items()})
        fetches = [model.variable(name) for name in model.fetches]
        found = executor.run(program, feed=dict(feed), fetch_list=fetches, return_numpy=False)
        assert found is not None
        return [np.array(value.array if isinstance(value, LoDTensor) else value) for value in found]


def difference(found: Sequence[np.ndarray], wanted: Sequence[np.ndarray]) -> Difference:
    """Return how far two lists of arrays are apart; infinite for other shapes, and where one is NaN and the other not.

    Raises:
        ArgumentTypeError: a list holds something that is no array, or the lists have different lengths.

    >>> import numpy as np
    >>> difference([np.array([1.0, 2.5])], [np.array([1.0, 2.0])])
    Difference(absolute=0.5, relative=0.25)
    """
    absolute = relative = 0.0
    for name, arrays in (("found", found), ("wanted", wanted)):
        if not all(isinstance(each, (np.ndarray, np.generic)) for each in arrays) or len(found) != len(wanted):
            raise ArgumentTypeError(
                message("difference", name, describe(arrays), "arrays, as many as the other list has")
            )
    for got, want in zip(found, wanted, strict=True):
        if (
            got.shape != want.shape or (np.isnan(got) != np.isnan(want)).any()
            if got.dtype.kind == "f"
            else got.shape != want.shape
        ):
            return Difference(float("inf"), float("inf"))
        if not want.size:
            continue
        a, b = got.astype(np.float64), want.astype(np.float64)
        with np.errstate(invalid="ignore"):
            apart = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0.0, np.abs(a - b))
        finite = np.abs(b[np.isfinite(b)])
        largest = float(apart.max())
        absolute = max(absolute, largest)
        relative = max(relative, largest / max(float(finite.max()) if finite.size else 0.0, 1e-12))
    return Difference(absolute, relative)
