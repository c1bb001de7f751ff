"""Operators as a user declares them in a module of his own: one by its expression, one by a class, one of sequences."""

from typing import Any

import numpy as np

from paddle_lite.core.errors import ShapeError, message
from paddle_lite.ops import Declaration, Grad, Ints, Meta, jit, kernel, op, pointwise

softclip = pointwise(
    "softclip", "a * x / (a + abs(x))", grad="dout * a * a / ((a + abs(x)) * (a + abs(x)))", attrs={"a": 1.0},
    doc="Out = a * X / (a + |X|).",
)  # fmt: skip


@op("scaled_dot", inputs="X W Bias?", outputs="Out Norm~", attrs={"factor": 1.0, "hint": Ints([1, 2])})
class scaled_dot(Declaration):
    """Out = factor * X . W + Bias, a number for each row of X."""

    def infer(X: Meta, W: Meta, Bias: Meta | None, *, factor: float) -> tuple[Meta, Meta]:
        if len(X.shape) != 2 or (-1 not in (X.shape[1], *W.shape) and W.shape != X.shape[1:]):
            raise ShapeError(
                message("scaled_dot", "Input(W)", list(W.shape), f"one number for each column of {X.shape}")
            )
        return X._replace(shape=X.shape[:1]), W._replace(shape=(1,))

    def reference(xp: Any, X: Any, W: Any, Bias: Any, *, factor: float) -> tuple:
        out = xp.dot(X, W) * X.dtype.type(factor)
        return out if Bias is None else out + Bias, xp.abs(W).sum(keepdims=True)

    def gradient(xp: Any, X: Any, W: Any, Bias: Any, dOut: Any, *, factor: float, need: tuple = (1, 1, 1)) -> tuple:
        scaled = dOut * X.dtype.type(factor)
        total = None if Bias is None or not need[2] else dOut.sum(keepdims=True)
        return scaled[:, None] * W, xp.dot(scaled, X), total

    grad = Grad("X W Bias Out@GRAD", "X@GRAD W@GRAD Bias@GRAD", gradient)


@jit
def dots(x: Any, w: Any, factor: float, out: Any) -> None:
    for i in range(x.shape[0]):
        total = x.dtype.type(0)
        for j in range(x.shape[1]):
            total += x[i, j] * w[j]
        out[i] = total * factor


@kernel("scaled_dot")
def scaled_dot_kernel(X: Any, W: Any, Bias: Any, *, factor: float, reference: Any) -> tuple:
    if X.dtype != np.float32:
        return reference(X, W, Bias, factor=factor)
    out = np.empty(len(X), X.dtype)
    dots(np.ascontiguousarray(X), np.ascontiguousarray(W), X.dtype.type(factor), out)
    return out if Bias is None else out + Bias, np.abs(W).sum(keepdims=True)


@op("first_rows", inputs="X", outputs="Out", needs_lod="X", lod=None)
class first_rows(Declaration):
    """Out has the first row of each sequence of X."""

    def infer(X: Meta) -> Meta:
        return Meta((-1, *X.shape[1:]), X.dtype)

    def reference(xp: Any, X: Any, *, lod: Any) -> Any:
        return X[xp.asarray(lod[-1][:-1])]

    def gradient(xp: Any, X: Any, dOut: Any, *, lod: Any) -> Any:
        out = xp.zeros(X.shape, X.dtype)
        out[xp.asarray(lod[-1][:-1])] = dOut
        return out

    grad = Grad("X# Out@GRAD", "X@GRAD", gradient)
