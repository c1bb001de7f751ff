"""Changes of a gradient before the update, as numbers: clipping, then weight penalties.

Each parameter has five numbers. Clips and regularizers write them, `changed` applies them, and kernels that update many
parameters at once read them as a table with one column for each parameter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.selected_rows import SelectedRows

SCALE, LOW, HIGH, L2, L1 = range(5)  # the rows of a table of changes, in the order of their application
NONE = (1.0, -np.inf, np.inf, 0.0, 0.0)


def no_changes(count: int) -> np.ndarray:
    """Return a table [5, count] that leaves gradients unchanged."""
    return np.repeat(np.array(NONE)[:, None], count, axis=1)


def changed(xp: Any, gradient: Any, param: Any, change: Sequence[float] | np.ndarray) -> Any:
    """Return the scaled and clipped gradient plus the gradients of the penalties l2 / 2 |param|^2 and l1 |param|.

    Arguments:
        xp: the array module.
        gradient: an array of the parameter's shape, or SelectedRows. With a penalty, SelectedRows become a dense array,
            since it changes every row.
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
    """Multiply an array by a factor and clip it."""
    array = array if scale == 1 else scale * array
    return array if low == -np.inf and high == np.inf else xp.clip(array, low, high)


def sum_of_squares(xp: Any, gradient: Any) -> float:
    """Return the squared Euclidean norm of a gradient; duplicate rows of SelectedRows are merged first."""
    values = gradient.merged(xp).values if isinstance(gradient, SelectedRows) else gradient
    return float(xp.sum(xp.square(values)))
