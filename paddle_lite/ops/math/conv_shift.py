"""Circular convolution of rows."""

from __future__ import annotations

from typing import Any

from ...core.errors import ShapeError, message
from ..framework.spec import Declaration, Grad, op
from ..support.require import require_floats
from ..support.shape_rules import UNKNOWN

WHERE = "conv_shift"


def _places(xp: Any, width: int, taps: int) -> Any:
    """Return the index of the element of a row that each tap reads for each place of the result, [width, taps]."""
    return (xp.arange(width)[:, None] + xp.arange(taps)[None, :] - taps // 2) % width


@op("conv_shift", inputs="X Y", outputs="Out")
class conv_shift(Declaration):
    """Out[b, i] = the sum over j of X[b, (i + j - N // 2) mod M] * Y[b, j], for X [B, M] and Y [B, N] with an odd N <= M.

    A. Graves, G. Wayne and I. Danihelka, "Neural Turing machines", 2014.
    """

    def infer(X, Y):
        require_floats(WHERE, X=X, Y=Y)
        for slot, meta in (("X", X), ("Y", Y)):
            if len(meta.shape) != 2:
                needs = "2 dimensions, [rows, columns]"
                raise ShapeError(message(WHERE, f"Input({slot})", f"shape {list(meta.shape)}", needs))
        (rows, width), (others, taps) = X.shape, Y.shape
        if UNKNOWN not in (rows, others) and rows != others:
            raise ShapeError(message(WHERE, "Input(Y)", f"{others} rows", f"{rows}, as X has"))
        if taps != UNKNOWN and (taps % 2 == 0 or width not in (UNKNOWN, *range(taps, width + 1))):
            needs = f"an odd number, at most the {width} columns of X"
            raise ShapeError(message(WHERE, "Input(Y)", f"{taps} columns", needs))
        return X

    def reference(xp, X, Y):
        return (X[:, _places(xp, X.shape[1], Y.shape[1])] * Y[:, None, :]).sum(axis=2)

    def gradient(xp, X, Y, dOut, *, need=(True, True)):
        places, dx, dy = _places(xp, X.shape[1], Y.shape[1]), None, None
        if need[0]:
            dx = xp.zeros(X.shape, dOut.dtype)
            for j in range(Y.shape[1]):  # the elements that one tap reads are all different
                dx[:, places[:, j]] += dOut * Y[:, j : j + 1]
        if need[1]:
            dy = (X[:, places] * dOut[:, :, None]).sum(axis=1)
        return dx, dy

    grad = Grad("X Y Out@GRAD", "X@GRAD Y@GRAD", gradient)
