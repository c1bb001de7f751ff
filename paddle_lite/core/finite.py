"""Checks for NaN and infinities, which FLAGS_check_nan_inf enables in every mode."""

from __future__ import annotations

from typing import Any

import numpy as np

from .errors import NonFiniteError
from .host import to_host

FLAG = "FLAGS_check_nan_inf"


def check_finite(where: str, what: str, array: Any, came: str = "") -> None:
    """Raise if a floating-point array contains a NaN or an infinity.

    Arguments:
        where: the operator, for the error text.
        what: the name of the result that is checked, for the error text.
        array: the array (of NumPy or of a GPU); a value of any other kind passes the check.
        came: a description of the inputs, for the error text.
    """
    array = getattr(array, "values", array) if hasattr(array, "rows") else array
    if getattr(array, "dtype", None) is None or array.dtype.kind != "f":
        return
    host = to_host(array)
    bad = ~np.isfinite(host)
    if bad.any():
        at = [int(i) for i in np.argwhere(bad)[0]]
        of = f" from {came}" if came else ""
        raise NonFiniteError(
            f"{where}: {what} of shape {list(host.shape)} holds {host[tuple(at)]} at {at}, and {int(bad.sum())} such values "
            f"in all{of}. This is the first operator that made one; {FLAG} is set."
        )
