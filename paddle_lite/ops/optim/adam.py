"""Adam and its variants: Adamax and LAMB."""

from __future__ import annotations

from ...core.selected_rows import SelectedRows
from ..framework.costs import PerElement
from ..framework.spec import Declaration, Long, Required, op
from ..math.arithmetic import require_one_element, scalar_value
from .update import dense, need_powers, need_update, norm, numbers, rate_of


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
    """Update by Adam (Kingma and Ba, "Adam: a method for stochastic optimization", 2015).

    Moment1 and Moment2 are running means of the gradient and of its square. Beta1Pow and Beta2Pow are the powers of
    beta1 and beta2 that correct their bias; the operator multiplies them by beta1 and beta2. For a sparse gradient it
    does so before they are used, as Paddle does. With lazy_mode a sparse gradient changes only its own rows of the
    parameter and the moments; without it, the other rows are updated with a gradient of 0.
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
    "adamax",
    inputs="Param Grad LearningRate Moment InfNorm Beta1Pow",
    outputs="ParamOut MomentOut InfNormOut",
    attrs={"beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8},
    flops=PerElement(8, "Param"),
)
class adamax(Declaration):
    """Update by Adamax: Adam with the infinity norm of the gradients (Kingma and Ba, 2015, section 7.1).

    MomentOut = beta1 * Moment + (1 - beta1) * Grad; InfNormOut = max(|Grad|, beta2 * InfNorm + epsilon);
    ParamOut = Param - LearningRate / (1 - Beta1Pow) * MomentOut / InfNormOut. Beta1Pow is not changed.
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


@op(
    "lamb",
    inputs="Param Grad LearningRate Moment1 Moment2 Beta1Pow Beta2Pow",
    outputs="ParamOut Moment1Out Moment2Out",
    attrs={"weight_decay": Required("FLOAT"), "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-6},
    flops=PerElement(18, "Param"),
)
class lamb(Declaration):
    """Update by LAMB: Adam with layer-wise rates (You et al., "Large batch optimization for deep learning", 2020).

    The moments are those of Adam without bias correction: the powers of beta have no effect. With
    direction = Moment1Out / (sqrt(Moment2Out) + epsilon) + weight_decay * Param,
    ParamOut = Param - LearningRate * |Param| / |direction| * direction; the ratio of the norms is 1 if a norm is 0.
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
