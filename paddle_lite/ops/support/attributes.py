"""Values of operators' attributes in one form, in which Programs store them."""

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
