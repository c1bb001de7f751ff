"""Gradient descent with momentum, and with a learning rate for each parameter (LARS)."""

from __future__ import annotations

from ..framework.costs import PerElement
from ..framework.spec import Declaration, Required, op
from .update import dense, need_update, norm, numbers, rate_of


@op(
    "momentum",
    inputs="Param Grad Velocity LearningRate",
    outputs="ParamOut VelocityOut",
    attrs={"mu": Required("FLOAT"), "use_nesterov": False},
    flops=PerElement(4, "Param"),
)
class momentum(Declaration):
    """Update with momentum: VelocityOut = mu * Velocity + Grad; ParamOut = Param - LearningRate * VelocityOut.

    With `use_nesterov` ParamOut = Param - LearningRate * (Grad + mu * VelocityOut).
    """

    def infer(Param, Grad, Velocity, LearningRate, **_):
        need_update("momentum", Param, Grad, LearningRate, Velocity=Velocity)
        return Param, Velocity

    def reference(xp, Param, Grad, Velocity, LearningRate, *, mu, use_nesterov):
        gradient, rate = dense(xp, Grad), rate_of(LearningRate, Param)
        (mu,) = numbers(Param, mu)
        velocity = mu * Velocity + gradient
        direction = gradient + mu * velocity if use_nesterov else velocity
        return Param - rate * direction, velocity


@op(
    "lars_momentum",
    inputs="Param Grad Velocity LearningRate",
    outputs="ParamOut VelocityOut",
    attrs={"mu": Required("FLOAT"), "lars_coeff": 0.001, "lars_weight_decay": 0.0005},
    flops=PerElement(8, "Param"),
)
class lars_momentum(Declaration):
    """Update with momentum and layer-wise rates (You, Gitman and Ginsburg, "Large batch training of CNNs", 2017).

    rate = LearningRate * lars_coeff * |Param| / (|Grad| + lars_weight_decay * |Param|), or LearningRate if a norm is 0;
    VelocityOut = mu * Velocity + rate * (Grad + lars_weight_decay * Param); ParamOut = Param - VelocityOut.
    """

    def infer(Param, Grad, Velocity, LearningRate, **_):
        need_update("lars_momentum", Param, Grad, LearningRate, Velocity=Velocity)
        return Param, Velocity

    def reference(xp, Param, Grad, Velocity, LearningRate, *, mu, lars_coeff, lars_weight_decay):
        gradient, rate = dense(xp, Grad), rate_of(LearningRate, Param)
        mu, coefficient, decay, one = numbers(Param, mu, lars_coeff, lars_weight_decay, 1.0)
        weight, slope = norm(xp, Param), norm(xp, gradient)
        known = (weight > 0) & (slope > 0)
        rate = rate * xp.where(known, coefficient * weight / xp.where(known, slope + decay * weight, one), one)
        velocity = mu * Velocity + rate * (gradient + decay * Param)
        return Param - velocity, velocity
