"""Values of operators' attributes in one form, in which Programs store them; what several attributes say together."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.dtype import VarType


def plain(value: Any) -> Any:
    """Return an attribute's value with arrays and tuples converted to lists, dtypes to their numbers."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, VarType):
        return int(value)
    return list(value) if isinstance(value, tuple) else value


def uses_running_statistics(is_test: bool, use_global_stats: bool, trainable_statistics: bool, **_: Any) -> bool:
    """Return whether a batch normalization with these attributes uses the running mean and variance, not those of the batch."""
    return (is_test and not trainable_statistics) or use_global_stats


def passes_through(x: Any, scale: Any, running: bool) -> bool:
    """Return whether a batch normalization returns x as it is: each channel has one element, which is the mean of its batch.

    running: whether it uses the running statistics; then it never does.
    """
    return x.size == scale.size and not running
