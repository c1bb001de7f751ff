"""What is done to a gradient before the update, as numbers: clipping, then the gradients of weight penalties.

Five numbers for each parameter say all of it. They are what clips and regularizers fill in, `changed` computes with them,
and kernels that update many parameters at once take them as a table with one column a parameter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.selected_rows import SelectedRows

SCALE, LOW, HIGH, L2, L1 = range(5)  # the rows of a table of changes, in the order in which they take effect
NONE = (1.0, -np.inf, np.inf, 0.0, 0.0)


def no_changes(count: int) -> np.ndarray:
    """A table [5, count] that changes nothing."""
    return np.repeat(np.array(NONE)[:, None], count, axis=1)


def changed(xp: Any, gradient: Any, param: Any, change: Sequence[float] | np.ndarray) -> Any:
    """The gradient times a factor, within bounds, plus the gradients of the penalties l2 / 2 |param|^2 and l1 |param|.

    Arguments:
        xp: the array module.
        gradient: an array of the parameter's shape, or SelectedRows; with a penalty these become an array, for it
            concerns every row.
        param: the parameter's array.
        change: a column of a table of changes.
    """
    scale, low, high, l2, l1 = (param.dtype.type(number) for number in change)
    if isinstance(gradient, SelectedRows):
        if low != -np.inf or high != np.inf:
            gradient = gradient.merged(xp)
        gradient = SelectedRows(gradient.rows, _clipped(xp, gradient.values, scale, low, high), gradient.height)
        if l2 == 0 and l1 == 0:
            return gradient
        gradient = gradient.to_dense(xp)
    else:
        gradient = _clipped(xp, gradient, scale, low, high)
    return gradient if l2 == 0 and l1 == 0 else gradient + l2 * param + l1 * xp.sign(param)


def _clipped(xp: Any, array: Any, scale: Any, low: Any, high: Any) -> Any:
    array = array if scale == 1 else scale * array
    return array if low == -np.inf and high == np.inf else xp.clip(array, low, high)


def sum_of_squares(xp: Any, gradient: Any) -> float:
    """The square of a gradient's Euclidean norm; rows that occur more than once are added up first."""
    values = gradient.merged(xp).values if isinstance(gradient, SelectedRows) else gradient
    return float(xp.sum(xp.square(values)))
