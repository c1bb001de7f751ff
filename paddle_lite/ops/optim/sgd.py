"""Gradient descent, and its differentially private form."""

from __future__ import annotations

from ...core.selected_rows import SelectedRows, need_sparse
from ...kernels.cpu.random import random as draw
from ..framework.costs import PerElement
from ..framework.spec import Declaration, op
from .update import dense, need_update, norm, numbers, rate_of


@op("sgd", inputs="Param LearningRate Grad", outputs="ParamOut", flops=PerElement(2, "Param"))
class sgd(Declaration):
    """Update by gradient descent: ParamOut = Param - LearningRate * Grad; a sparse gradient changes only its rows.

    Param may be SelectedRows, a table that holds only some of its rows; the gradient is sparse then.
    """

    def infer(Param, LearningRate, Grad):
        need_update("sgd", Param, Grad, LearningRate)
        return Param

    def reference(xp, Param, LearningRate, Grad):
        rate = rate_of(LearningRate, Param)
        if isinstance(Param, SelectedRows):
            return _held(xp, Param, rate, Grad)
        if isinstance(Grad, SelectedRows):
            sparse, new = Grad.merged(xp), Param.copy()
            new[sparse.rows] -= rate * sparse.values
            return new
        new = xp.multiply(rate, Grad, out=xp.empty_like(Param))
        return xp.subtract(Param, new, out=new)  # one new array, not two: a parameter may be an embedding of gigabytes


def _held(xp, Param, rate, Grad):
    """Return the table that holds some rows, with those of the gradient changed."""
    need_sparse("sgd", Grad, "Grad")
    sparse, values = Grad.merged(xp), Param.values.copy()
    values[Param.places("sgd", "a row of Input(Grad)", sparse.rows, xp)] -= rate * sparse.values
    return SelectedRows(Param.rows, values, Param.height)


@op(
    "dpsgd",
    inputs="Param Grad LearningRate",
    outputs="ParamOut",
    attrs={"clip": 10.0, "batch_size": 16.0, "sigma": 1.0, "seed": 0},
)
class dpsgd(Declaration):
    """Update by differentially private gradient descent (Abadi et al., 2016).

    ParamOut = Param - LearningRate * (Grad / max(1, |Grad| / clip) + noise / batch_size), where noise is one number
    from the normal distribution with the standard deviation sigma; a seed other than 0 makes it the same in each call.
    """

    def infer(Param, Grad, LearningRate, **_):
        need_update("dpsgd", Param, Grad, LearningRate)
        return Param

    def reference(xp, Param, Grad, LearningRate, *, clip, batch_size, sigma, seed):
        gradient, rate = dense(xp, Grad), rate_of(LearningRate, Param)
        clip, size, one = numbers(Param, clip, batch_size, 1.0)
        noise = draw.gaussian([2], 0.0, sigma, seed, Param.dtype)[1]
        return Param - rate * (gradient / xp.maximum(one, norm(xp, gradient) / clip) + noise / size)
