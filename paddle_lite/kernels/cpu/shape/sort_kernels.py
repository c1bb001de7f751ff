"""CPU kernel of the gradient of argsort."""

from __future__ import annotations

import numpy as np

from ...registry import kernel


@kernel("argsort_grad", compiled=False)
def argsort_grad(X, Indices, dOut, *, axis):
    dX = np.empty_like(dOut)
    np.put_along_axis(dX, Indices, dOut, axis)
    return dX
