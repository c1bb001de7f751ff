"""Looking for NaN and infinities: what FLAGS_check_nan_inf asks for, in every mode."""

from __future__ import annotations

from typing import Any

import numpy as np

from .errors import NonFiniteError

FLAG = "FLAGS_check_nan_inf"


def check_finite(where: str, what: str, array: Any, came: str = "") -> None:
    """Raise if an array of floats holds a NaN or an infinity.

    Arguments:
        where: the operator, for the message.
        what: which of its results.
        array: the array (NumPy's or a GPU's), or anything else, which passes.
        came: what it was computed from.
    """
    array = getattr(array, "values", array) if hasattr(array, "rows") else array
    if getattr(array, "dtype", None) is None or array.dtype.kind != "f":
        return
    host = array.get() if hasattr(array, "get") else array
    bad = ~np.isfinite(host)
    if bad.any():
        at = [int(i) for i in np.argwhere(bad)[0]]
        of = f" from {came}" if came else ""
        raise NonFiniteError(
            f"{where}: {what} of shape {list(host.shape)} holds {host[tuple(at)]} at {at}, and {int(bad.sum())} such values "
            f"in all{of}. This is the first operator that made one; {FLAG} is set."
        )
