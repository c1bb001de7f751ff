"""Steps divided by the root of accumulated squared gradients: Adagrad, Adadelta and RMSProp."""

from __future__ import annotations

from ...core.errors import ArgumentValueError, message
from ..framework.costs import PerElement
from ..framework.spec import Declaration, op
from ..framework.traits import OutOfPlace
from .update import dense, need_update, numbers, rate_of


@op(
    "adagrad",
    inputs="Param Grad Moment LearningRate",
    outputs="ParamOut MomentOut",
    attrs={"epsilon": 1e-6},
    flops=PerElement(6, "Param"),
)
class adagrad(Declaration):
    """Update by Adagrad: ParamOut = Param - LearningRate * Grad / (sqrt(MomentOut) + epsilon).

    MomentOut = Moment + Grad^2. Duchi, Hazan and Singer, "Adaptive subgradient methods for online learning and
    stochastic optimization", 2011.
    """

    def infer(Param, Grad, Moment, LearningRate, **_):
        need_update("adagrad", Param, Grad, LearningRate, Moment=Moment)
        return Param, Moment

    def reference(xp, Param, Grad, Moment, LearningRate, *, epsilon):
        gradient, rate = dense(xp, Grad), rate_of(LearningRate, Param)
        (epsilon,) = numbers(Param, epsilon)
        moment = Moment + gradient * gradient
        return Param - rate * gradient / (xp.sqrt(moment) + epsilon), moment


@op(
    "decayed_adagrad",
    inputs="Param Grad Moment LearningRate",
    outputs="ParamOut MomentOut",
    attrs={"decay": 0.95, "epsilon": 1e-6},
)
class decayed_adagrad(Declaration):
    """Update as adagrad, with MomentOut = decay * Moment + (1 - decay) * Grad^2."""

    def infer(Param, Grad, Moment, LearningRate, **_):
        need_update("decayed_adagrad", Param, Grad, LearningRate, Moment=Moment)
        return Param, Moment

    def reference(xp, Param, Grad, Moment, LearningRate, *, decay, epsilon):
        gradient, rate = dense(xp, Grad), rate_of(LearningRate, Param)
        decay, epsilon, one = numbers(Param, decay, epsilon, 1.0)
        moment = decay * Moment + (one - decay) * gradient * gradient
        return Param - rate * gradient / (xp.sqrt(moment) + epsilon), moment


def adadelta_out_of_place(xp, Param, Grad, AvgSquaredGrad, AvgSquaredUpdate, *, rho, epsilon):
    """Return the results of adadelta where AvgSquaredUpdateOut does not replace AvgSquaredUpdate: Zeiler's."""
    gradient = dense(xp, Grad)
    rho, epsilon, one = numbers(Param, rho, epsilon, 1.0)
    squares = rho * AvgSquaredGrad + (one - rho) * gradient * gradient
    update = xp.sqrt((AvgSquaredUpdate + epsilon) / (squares + epsilon)) * gradient
    return Param - update, squares, rho * AvgSquaredUpdate + (one - rho) * update * update


@op(
    "adadelta",
    inputs="Param Grad AvgSquaredGrad AvgSquaredUpdate",
    outputs="ParamOut AvgSquaredGradOut AvgSquaredUpdateOut",
    attrs={"rho": 0.95, "epsilon": 1e-6},
    flops=PerElement(11, "Param"),
    out_of_place=OutOfPlace("AvgSquaredUpdate", "AvgSquaredUpdateOut", adadelta_out_of_place),
)
class adadelta(Declaration):
    """Adadelta (Zeiler, "ADADELTA: an adaptive learning rate method", 2012), in place, as Paddle's optimizer runs it.

    AvgSquaredGradOut = rho * AvgSquaredGrad + (1 - rho) * Grad^2; with
    update(mean) = sqrt((mean + epsilon) / (AvgSquaredGradOut + epsilon)) * Grad,
    AvgSquaredUpdateOut = rho * AvgSquaredUpdate + (1 - rho) * update(AvgSquaredUpdate)^2 and
    ParamOut = Param - update(AvgSquaredUpdateOut), where Zeiler has update(AvgSquaredUpdate), and so has an operator
    of a Program whose AvgSquaredUpdateOut is another Variable than AvgSquaredUpdate. There is no learning rate.
    """

    def infer(Param, Grad, AvgSquaredGrad, AvgSquaredUpdate, **_):
        means = {"AvgSquaredGrad": AvgSquaredGrad, "AvgSquaredUpdate": AvgSquaredUpdate}
        need_update("adadelta", Param, Grad, None, **means)
        return Param, AvgSquaredGrad, AvgSquaredUpdate

    def reference(xp, Param, Grad, AvgSquaredGrad, AvgSquaredUpdate, *, rho, epsilon):
        _, squares, updates = adadelta_out_of_place(
            xp, Param, Grad, AvgSquaredGrad, AvgSquaredUpdate, rho=rho, epsilon=epsilon
        )
        gradient, (epsilon,) = dense(xp, Grad), numbers(Param, epsilon)
        return Param - xp.sqrt((updates + epsilon) / (squares + epsilon)) * gradient, squares, updates


@op(
    "rmsprop",
    inputs="Param MeanSquare MeanGrad? LearningRate Grad Moment",
    outputs="ParamOut MomentOut MeanSquareOut MeanGradOut",
    attrs={"epsilon": 1e-10, "decay": 0.9, "momentum": 0.0, "centered": False},
    flops=PerElement(9, "Param"),
)
class rmsprop(Declaration):
    """Update by RMSProp with momentum (Hinton, "Neural networks for machine learning", lecture 6, 2012).

    MeanSquareOut = decay * MeanSquare + (1 - decay) * Grad^2; MomentOut = momentum * Moment + LearningRate * Grad /
    sqrt(MeanSquareOut + epsilon); ParamOut = Param - MomentOut. If `centered` (Graves, "Generating sequences with
    recurrent neural networks", 2013), MeanGradOut is the running mean of the gradients, and MeanSquareOut -
    MeanGradOut^2 replaces MeanSquareOut under the root; else MeanGradOut is MeanGrad, or zeros.
    """

    def infer(Param, MeanSquare, MeanGrad, LearningRate, Grad, Moment, *, centered, **_):
        need_update("rmsprop", Param, Grad, LearningRate, MeanSquare=MeanSquare, Moment=Moment)
        if MeanGrad is not None:
            need_update("rmsprop", Param, Grad, LearningRate, MeanGrad=MeanGrad)
        elif centered:
            raise ArgumentValueError(message("rmsprop", "Input(MeanGrad)", "None", "a mean where centered is True"))
        return Param, Moment, MeanSquare, MeanSquare

    def reference(
        xp, Param, MeanSquare, MeanGrad, LearningRate, Grad, Moment, *, epsilon, decay, momentum, centered
    ):  # fmt: skip
        gradient, rate = dense(xp, Grad), rate_of(LearningRate, Param)
        epsilon, decay, mu, one = numbers(Param, epsilon, decay, momentum, 1.0)
        square = decay * MeanSquare + (one - decay) * gradient * gradient
        if centered:
            mean = decay * MeanGrad + (one - decay) * gradient
            spread = square - mean * mean
        else:
            mean, spread = xp.zeros_like(Param) if MeanGrad is None else MeanGrad.copy(), square
        moment = mu * Moment + rate * gradient / xp.sqrt(spread + epsilon)
        return Param - moment, moment, square, mean
