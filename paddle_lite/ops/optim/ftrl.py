"""FTRL: follow the regularized leader."""

from __future__ import annotations

from ..framework.spec import Declaration, op
from .update import dense, need_update, numbers, rate_of


@op(
    "ftrl",
    inputs="Param SquaredAccumulator LinearAccumulator Grad LearningRate",
    outputs="ParamOut SquaredAccumOut LinearAccumOut",
    attrs={"l1": 0.0, "l2": 0.0, "lr_power": -0.5},
)
class ftrl(Declaration):
    """Update by FTRL, follow the regularized leader (McMahan et al., "Ad click prediction", 2013).

    SquaredAccumOut = SquaredAccumulator + Grad^2; with root(x) = x^-lr_power, LinearAccumOut = LinearAccumulator + Grad
    - (root(SquaredAccumOut) - root(SquaredAccumulator)) / LearningRate * Param; ParamOut is 0 if |LinearAccumOut| <=
    l1, else (l1 * sign(LinearAccumOut) - LinearAccumOut) / (root(SquaredAccumOut) / LearningRate + 2 * l2).
    """

    def infer(Param, SquaredAccumulator, LinearAccumulator, Grad, LearningRate, **_):
        kept = {"SquaredAccumulator": SquaredAccumulator, "LinearAccumulator": LinearAccumulator}
        need_update("ftrl", Param, Grad, LearningRate, **kept)
        return Param, SquaredAccumulator, LinearAccumulator

    def reference(xp, Param, SquaredAccumulator, LinearAccumulator, Grad, LearningRate, *, l1, l2, lr_power):
        gradient, rate = dense(xp, Grad), rate_of(LearningRate, Param)
        l1, l2, power, one = numbers(Param, l1, l2, -lr_power, 1.0)
        square = SquaredAccumulator + gradient * gradient
        root = square**power
        linear = LinearAccumulator + gradient - (root - SquaredAccumulator**power) / rate * Param
        strong = xp.abs(linear) > l1
        divisor = xp.where(strong, root / rate + (l2 + l2), one)  # it may be 0 where nothing ever came
        return xp.where(strong, l1 * xp.sign(linear) - linear, xp.zeros_like(linear)) / divisor, square, linear
