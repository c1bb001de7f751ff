"""Operators that update parameters and their accumulators from gradients.

Each output `SlotOut` is the new value of the input `Slot`; in a Program the two are one variable. A gradient is an array
of the parameter's shape, or SelectedRows. LearningRate is one number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, DtypeError, ShapeError, message
from ...core.selected_rows import SelectedRows
from ...kernels.cpu.random import random as draw
from ..framework.costs import PerElement
from ..framework.spec import Declaration, Long, Required, op
from ..framework.traits import Apart
from ..math.arithmetic import attribute_scalar, require_one_element, scalar_value
from ..support.meta import Meta
from ..support.require import require_dtype


def need_update(where: str, Param: Meta, Grad: Meta, LearningRate: Meta | None, **accumulators: Meta) -> None:
    """Raise unless gradient and accumulators fit the parameter and the learning rate, if there is one, is one number.

    Programs of PaddlePaddle 2 have a learning rate without dimensions.
    """
    if Param.dtype.kind != "f":
        raise DtypeError(message(where, "Input(Param)", f"dtype {Param.dtype}", "a float dtype"))
    for slot, meta in {"Grad": Grad, **accumulators}.items():
        if meta.dtype != Param.dtype:
            raise DtypeError(message(where, f"Input({slot})", f"dtype {meta.dtype}", f"{Param.dtype}, the parameter's"))
        if not _agree(meta.shape, Param.shape):
            needs = f"{list(Param.shape)}, the parameter's"
            raise ShapeError(message(where, f"Input({slot})", f"shape {list(meta.shape)}", needs))
    if LearningRate is not None and LearningRate.shape and not _agree(LearningRate.shape, (1,)):
        raise ShapeError(message(where, "Input(LearningRate)", f"shape {list(LearningRate.shape)}", "[1]"))


def need_one(where: str, **numbers: Meta) -> None:
    """Raise unless each of these accumulators is one number."""
    for slot, meta in numbers.items():
        if not _agree(meta.shape, (1,)):
            raise ShapeError(message(where, f"Input({slot})", f"shape {list(meta.shape)}", "[1]"))


def need_powers(where: str, Param: Meta, **powers: Meta) -> None:
    """Raise unless each of these powers is one number of the parameter's dtype."""
    need_one(where, **powers)
    for slot, meta in powers.items():
        require_dtype(where, slot, meta, Param.dtype)


def _agree(shape: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return len(shape) == len(other) and all(a == b or -1 in (a, b) for a, b in zip(shape, other, strict=True))


def dense(xp: Any, gradient: Any) -> Any:
    """Return the gradient as an array of the parameter's shape."""
    return gradient.to_dense(xp) if isinstance(gradient, SelectedRows) else gradient


def rate_of(LearningRate: Any, Param: Any) -> Any:
    """Return the learning rate in the dtype of the parameter, of shape []."""
    return LearningRate.astype(Param.dtype).reshape(())


def numbers(Param: Any, *attributes: float) -> list[Any]:
    """Return FLOAT attributes in the dtype of the parameter; 1 - beta is rounded in that dtype."""
    return [Param.dtype.type(attribute_scalar(a, Param.dtype)) for a in attributes]


def norm(xp: Any, array: Any) -> Any:
    """Return the Euclidean norm of all elements, of shape []."""
    return xp.sqrt(xp.sum(xp.square(array)))


@op("sgd", inputs="Param LearningRate Grad", outputs="ParamOut", flops=PerElement(2, "Param"))
class sgd(Declaration):
    """ParamOut = Param - LearningRate * Grad; of a sparse gradient only the rows that it has."""

    def infer(Param, LearningRate, Grad):
        need_update("sgd", Param, Grad, LearningRate)
        return Param

    def reference(xp, Param, LearningRate, Grad):
        rate = rate_of(LearningRate, Param)
        if isinstance(Grad, SelectedRows):
            sparse, new = Grad.merged(xp), Param.copy()
            new[sparse.rows] -= rate * sparse.values
            return new
        return Param - rate * Grad


@op(
    "momentum",
    inputs="Param Grad Velocity LearningRate",
    outputs="ParamOut VelocityOut",
    attrs={"mu": Required("FLOAT"), "use_nesterov": False},
    flops=PerElement(4, "Param"),
)
class momentum(Declaration):
    """VelocityOut = mu * Velocity + Grad; ParamOut = Param - LearningRate * VelocityOut, or with Nesterov's look ahead
    Param - LearningRate * (Grad + mu * VelocityOut)."""

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
    """Momentum with layer-wise rates (You, Gitman and Ginsburg, "Large batch training of convolutional networks", 2017).

    rate = LearningRate * lars_coeff * |Param| / (|Grad| + lars_weight_decay * |Param|), or LearningRate where a norm is 0;
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


@op(
    "adam",
    inputs="Param Grad LearningRate Moment1 Moment2 Beta1Pow Beta2Pow Beta1Tensor? Beta2Tensor?",
    outputs="ParamOut Moment1Out Moment2Out Beta1PowOut Beta2PowOut",
    attrs={
        "beta1": 0.9,
        "beta2": 0.999,
        "epsilon": 1e-8,
        "lazy_mode": False,
        "min_row_size_to_use_multithread": Long(1000),
    },
    flops=PerElement(12, "Param"),
)
class adam(Declaration):
    """Adam (Kingma and Ba, "Adam: a method for stochastic optimization", 2015).

    Moment1 and Moment2 are running means of the gradient and of its square, Beta1Pow and Beta2Pow the powers of beta1 and
    beta2 that take away their bias; the operator advances them, before they are used where the gradient is sparse, as
    Paddle has it: its steps are those of a dense one a step later. With lazy_mode a sparse gradient leaves the rows that
    it lacks as they are, moments included; without, they go on as with a gradient of 0.
    """

    def infer(Param, Grad, LearningRate, Moment1, Moment2, Beta1Pow, Beta2Pow, Beta1Tensor, Beta2Tensor, **_):
        need_update("adam", Param, Grad, LearningRate, Moment1=Moment1, Moment2=Moment2)
        need_powers("adam", Param, Beta1Pow=Beta1Pow, Beta2Pow=Beta2Pow)
        for slot, tensor in (("Beta1Tensor", Beta1Tensor), ("Beta2Tensor", Beta2Tensor)):
            if tensor is not None:
                require_one_element("adam", slot, tensor)
        return Param, Moment1, Moment2, Beta1Pow, Beta2Pow

    def reference(
        xp, Param, Grad, LearningRate, Moment1, Moment2, Beta1Pow, Beta2Pow, Beta1Tensor=None, Beta2Tensor=None,
        *, beta1, beta2, epsilon, lazy_mode,
    ):  # fmt: skip
        b1, b2, epsilon, one = numbers(Param, beta1, beta2, epsilon, 1.0)
        if Beta1Tensor is not None:
            b1 = scalar_value("adam", "Beta1Tensor", Beta1Tensor, Param.dtype)
        if Beta2Tensor is not None:
            b2 = scalar_value("adam", "Beta2Tensor", Beta2Tensor, Param.dtype)
        after = b1 * Beta1Pow, b2 * Beta2Pow
        power1, power2 = after if isinstance(Grad, SelectedRows) else (Beta1Pow, Beta2Pow)
        correction = xp.sqrt(one - power2) / (one - power1)
        rate = rate_of(LearningRate, Param) * correction.reshape(())

        def moved(param, gradient, moment1, moment2):
            moment1 = b1 * moment1 + (one - b1) * gradient
            moment2 = b2 * moment2 + (one - b2) * gradient * gradient
            return param - rate * (moment1 / (xp.sqrt(moment2) + epsilon)), moment1, moment2

        if lazy_mode and isinstance(Grad, SelectedRows):
            sparse = Grad.merged(xp)
            new = Param.copy(), Moment1.copy(), Moment2.copy()
            rows = moved(Param[sparse.rows], sparse.values, Moment1[sparse.rows], Moment2[sparse.rows])
            for array, values in zip(new, rows, strict=True):
                array[sparse.rows] = values
        else:
            new = moved(Param, dense(xp, Grad), Moment1, Moment2)
        return *new, *after


@op(
    "adagrad",
    inputs="Param Grad Moment LearningRate",
    outputs="ParamOut MomentOut",
    attrs={"epsilon": 1e-6},
    flops=PerElement(6, "Param"),
)
class adagrad(Declaration):
    """MomentOut = Moment + Grad^2; ParamOut = Param - LearningRate * Grad / (sqrt(MomentOut) + epsilon).

    Duchi, Hazan and Singer, "Adaptive subgradient methods for online learning and stochastic optimization", 2011.
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
    """MomentOut = decay * Moment + (1 - decay) * Grad^2; ParamOut as adagrad has it."""

    def infer(Param, Grad, Moment, LearningRate, **_):
        need_update("decayed_adagrad", Param, Grad, LearningRate, Moment=Moment)
        return Param, Moment

    def reference(xp, Param, Grad, Moment, LearningRate, *, decay, epsilon):
        gradient, rate = dense(xp, Grad), rate_of(LearningRate, Param)
        decay, epsilon, one = numbers(Param, decay, epsilon, 1.0)
        moment = decay * Moment + (one - decay) * gradient * gradient
        return Param - rate * gradient / (xp.sqrt(moment) + epsilon), moment


@op(
    "adamax",
    inputs="Param Grad LearningRate Moment InfNorm Beta1Pow",
    outputs="ParamOut MomentOut InfNormOut",
    attrs={"beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8},
    flops=PerElement(8, "Param"),
)
class adamax(Declaration):
    """Adam with the largest gradient in place of the root of the mean of squares (Kingma and Ba, 2015, section 7.1).

    MomentOut = beta1 * Moment + (1 - beta1) * Grad; InfNormOut = max(|Grad|, beta2 * InfNorm + epsilon);
    ParamOut = Param - LearningRate / (1 - Beta1Pow) * MomentOut / InfNormOut. Beta1Pow stays as it is.
    """

    def infer(Param, Grad, LearningRate, Moment, InfNorm, Beta1Pow, **_):
        need_update("adamax", Param, Grad, LearningRate, Moment=Moment, InfNorm=InfNorm)
        need_powers("adamax", Param, Beta1Pow=Beta1Pow)
        return Param, Moment, InfNorm

    def reference(xp, Param, Grad, LearningRate, Moment, InfNorm, Beta1Pow, *, beta1, beta2, epsilon):
        gradient, rate = dense(xp, Grad), rate_of(LearningRate, Param)
        b1, b2, epsilon, one = numbers(Param, beta1, beta2, epsilon, 1.0)
        moment = b1 * Moment + (one - b1) * gradient
        largest = xp.maximum(xp.abs(gradient), b2 * InfNorm + epsilon)
        return Param - rate / (one - Beta1Pow.reshape(())) * moment / largest, moment, largest


def adadelta_apart(xp, Param, Grad, AvgSquaredGrad, AvgSquaredUpdate, *, rho, epsilon):
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
    apart=Apart("AvgSquaredUpdate", "AvgSquaredUpdateOut", adadelta_apart),
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
        _, squares, updates = adadelta_apart(
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
    """RMSProp (Hinton, "Neural networks for machine learning", lecture 6, 2012), with momentum.

    MeanSquareOut = decay * MeanSquare + (1 - decay) * Grad^2;
    MomentOut = momentum * Moment + LearningRate * Grad / sqrt(MeanSquareOut + epsilon); ParamOut = Param - MomentOut.
    Centered (Graves, "Generating sequences with recurrent neural networks", 2013), MeanGradOut is the mean of gradients
    in the same way, and MeanSquareOut - MeanGradOut^2 stands under the root; else MeanGradOut is MeanGrad, or zeros.
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


@op(
    "ftrl",
    inputs="Param SquaredAccumulator LinearAccumulator Grad LearningRate",
    outputs="ParamOut SquaredAccumOut LinearAccumOut",
    attrs={"l1": 0.0, "l2": 0.0, "lr_power": -0.5},
)
class ftrl(Declaration):
    """Follow the regularized leader (McMahan et al., "Ad click prediction: a view from the trenches", 2013).

    SquaredAccumOut = SquaredAccumulator + Grad^2; with root(x) = x^-lr_power, LinearAccumOut = LinearAccumulator + Grad -
    (root(SquaredAccumOut) - root(SquaredAccumulator)) / LearningRate * Param; ParamOut is 0 where |LinearAccumOut| <= l1,
    else (l1 * sign(LinearAccumOut) - LinearAccumOut) / (root(SquaredAccumOut) / LearningRate + 2 * l2).
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


@op(
    "lamb",
    inputs="Param Grad LearningRate Moment1 Moment2 Beta1Pow Beta2Pow",
    outputs="ParamOut Moment1Out Moment2Out",
    attrs={"weight_decay": Required("FLOAT"), "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-6},
    flops=PerElement(18, "Param"),
)
class lamb(Declaration):
    """Adam with layer-wise rates (You et al., "Large batch optimization for deep learning: training BERT in 76 minutes", 2020).

    The moments are Adam's, without the correction of their bias: the powers of beta have no effect. With
    direction = Moment1Out / (sqrt(Moment2Out) + epsilon) + weight_decay * Param,
    ParamOut = Param - LearningRate * |Param| / |direction| * direction, where a norm of 0 makes the ratio 1.
    """

    def infer(Param, Grad, LearningRate, Moment1, Moment2, Beta1Pow, Beta2Pow, **_):
        need_update("lamb", Param, Grad, LearningRate, Moment1=Moment1, Moment2=Moment2)
        need_powers("lamb", Param, Beta1Pow=Beta1Pow, Beta2Pow=Beta2Pow)
        return Param, Moment1, Moment2

    def reference(
        xp, Param, Grad, LearningRate, Moment1, Moment2, Beta1Pow, Beta2Pow, *, weight_decay, beta1, beta2, epsilon
    ):  # fmt: skip
        gradient, rate = dense(xp, Grad), rate_of(LearningRate, Param)
        decay, b1, b2, epsilon, one = numbers(Param, weight_decay, beta1, beta2, epsilon, 1.0)
        moment1 = b1 * Moment1 + (one - b1) * gradient
        moment2 = b2 * Moment2 + (one - b2) * gradient * gradient
        direction = moment1 / (xp.sqrt(moment2) + epsilon) + decay * Param
        weight, length = norm(xp, Param), norm(xp, direction)
        known = (weight > 0) & (length > 0)
        rate = rate * xp.where(known, weight / xp.where(known, length, one), one)
        return Param - rate * direction, moment1, moment2


@op(
    "dpsgd",
    inputs="Param Grad LearningRate",
    outputs="ParamOut",
    attrs={"clip": 10.0, "batch_size": 16.0, "sigma": 1.0, "seed": 0},
)
class dpsgd(Declaration):
    """Gradient descent that hides single examples (Abadi et al., "Deep learning with differential privacy", 2016).

    ParamOut = Param - LearningRate * (Grad / max(1, |Grad| / clip) + noise / batch_size), where noise is one number from
    the normal distribution of standard deviation sigma; a seed other than 0 draws the same one each time.
    """

    def infer(Param, Grad, LearningRate, **_):
        need_update("dpsgd", Param, Grad, LearningRate)
        return Param

    def reference(xp, Param, Grad, LearningRate, *, clip, batch_size, sigma, seed):
        gradient, rate = dense(xp, Grad), rate_of(LearningRate, Param)
        clip, size, one = numbers(Param, clip, batch_size, 1.0)
        noise = draw.gaussian([2], 0.0, sigma, seed, Param.dtype)[1]
        return Param - rate * (gradient / xp.maximum(one, norm(xp, gradient) / clip) + noise / size)


MOST_ACCUMULATED = 16384
"""So many steps are summed up before the sum moves on, against the loss of digits."""


@op(
    "average_accumulates",
    inputs="param in_sum_1 in_sum_2 in_sum_3 in_num_accumulates in_old_num_accumulates in_num_updates",
    outputs="out_sum_1 out_sum_2 out_sum_3 out_num_accumulates out_old_num_accumulates out_num_updates",
    attrs={"average_window": 0.0, "max_average_window": Required("LONG"), "min_average_window": Long(10000)},
)
class average_accumulates(Declaration):
    """Sums of a parameter's values for their average over a window of steps; the outputs are the inputs of the next step.

    The value is added to sum_1, and num_updates and num_accumulates grow by 1. Where num_accumulates reaches
    min_average_window and min(max_average_window, floor(num_updates * average_window)), a window ends: sum_3 becomes
    sum_1 + sum_2, which become 0, and old_num_accumulates becomes num_accumulates, which becomes 0. The average is
    (sum_1 + sum_2 + sum_3) / (num_accumulates + old_num_accumulates). Each 16384 updates sum_1 moves to sum_2.
    """

    def infer(param, in_sum_1, in_sum_2, in_sum_3, in_num_accumulates, in_old_num_accumulates, in_num_updates, **_):
        sums = {"in_sum_1": in_sum_1, "in_sum_2": in_sum_2, "in_sum_3": in_sum_3}
        need_update("average_accumulates", param, in_sum_1, None, **sums)
        counts = {
            "in_num_accumulates": in_num_accumulates, "in_old_num_accumulates": in_old_num_accumulates,
            "in_num_updates": in_num_updates,
        }  # fmt: skip
        need_one("average_accumulates", **counts)
        for slot, meta in counts.items():
            if meta.dtype != "int64":
                raise DtypeError(message("average_accumulates", f"Input({slot})", f"dtype {meta.dtype}", "int64"))
        return param, param, param, in_num_accumulates, in_num_accumulates, in_num_accumulates

    def reference(
        xp, param, in_sum_1, in_sum_2, in_sum_3, in_num_accumulates, in_old_num_accumulates, in_num_updates,
        *, average_window, max_average_window, min_average_window,
    ):  # fmt: skip
        updates, count, old = int(in_num_updates[0]) + 1, int(in_num_accumulates[0]) + 1, in_old_num_accumulates
        first, second, third = in_sum_1 + param, in_sum_2, in_sum_3
        if updates % MOST_ACCUMULATED == 0:
            first, second = xp.zeros_like(param), second + first
        longest = min(max_average_window, int(np.float32(updates) * np.float32(average_window)))
        if count >= min_average_window and count >= longest:
            third, first, second = first + second, xp.zeros_like(param), xp.zeros_like(param)
            old, count = xp.full_like(old, count), 0
        counts = (xp.full_like(in_num_updates, n) for n in (count, updates))
        count, updates = counts
        return first, second.copy(), third.copy(), count, old.copy(), updates
