"""The parts of an L1 distance: the difference of two arrays, and the sum of absolute values."""

from __future__ import annotations

from ..framework.costs import PerElement
from ..framework.double_gradients import call
from ..framework.spec import Declaration, Grad, op
from ..support.meta import Meta
from ..support.require import require_floats, require_same


@op("minus", inputs="X Y", outputs="Out", flops=PerElement(1))
class minus(Declaration):
    """Out = X - Y, for X and Y of one shape."""

    def infer(X, Y):
        require_same("minus", X=X, Y=Y)
        return X

    def reference(xp, X, Y):
        return X - Y

    def gradient(dOut):
        return call("scale", dOut, scale=1.0), call("scale", dOut, scale=-1.0)

    grad = Grad("Out@GRAD", "X@GRAD Y@GRAD", compose=gradient)


@op("l1_norm", inputs="X", outputs="Out", lod=None, flops=PerElement(2))
class l1_norm(Declaration):
    """Out [1] = the sum of |X| over all elements."""

    def infer(X):
        require_floats("l1_norm", X=X)
        return Meta((1,), X.dtype)

    def reference(xp, X):
        return xp.abs(X).sum().reshape(1)

    def gradient(xp, X, dOut):
        return xp.sign(X) * dOut.reshape(())

    grad = Grad("X Out@GRAD", "X@GRAD", gradient)
