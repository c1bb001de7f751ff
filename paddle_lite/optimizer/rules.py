"""The optimizers: each defines its operator, the accumulators of a parameter, and its attributes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..core.calls.former import formerly
from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..core.mode import require_program
from ..ops.optim import adam, momentum, sgd
from ..params.clip import GradientClipByNorm
from .optimizer import Optimizer
from .rule import Accumulator
from .schedule_base import LearningRateDecay


class SGDOptimizer(Optimizer):
    """Stochastic gradient descent: param -= learning_rate * grad.

    Arguments:
        learning_rate: a float; in imperative mode also a LearningRateDecay, in a static Program also a Variable [1].
        parameter_list: the parameters to train; required in imperative mode.
        regularization: the L1Decay or L2Decay of parameters without their own regularizer.
        grad_clip: a gradient clip, or None.
        name: a part of the names of the accumulators.

    Raises:
        ArgumentTypeError: an argument has another type, or parameter_list is missing in imperative mode.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> fc = paddle.nn.Linear(2, 1)
    >>> sgd = paddle.optimizer.SGD(0.1, parameter_list=fc.parameters())
    >>> loss = fc(paddle.imperative.to_variable(np.ones([4, 2], 'float32')))
    >>> loss.backward()
    >>> before = fc.bias.numpy()
    >>> _ = sgd.minimize(loss)
    >>> fc.bias.numpy() - before
    array([-0.4], dtype=float32)
    """

    operator = sgd.sgd


class MomentumOptimizer(Optimizer):
    """Gradient descent with momentum: velocity = momentum * velocity + grad; param -= learning_rate * velocity.

    With use_nesterov: param -= learning_rate * (grad + momentum * velocity).

    Arguments:
        learning_rate: a float; in imperative mode also a LearningRateDecay, in a static Program also a Variable [1].
        momentum: the decay rate of the velocity, between 0 and 1.
        parameter_list: the parameters to train; required in imperative mode.
        use_nesterov: whether to use Nesterov momentum.
        regularization: the L1Decay or L2Decay of parameters without their own regularizer.
        grad_clip: a gradient clip, or None.
        name: a part of the names of the accumulators.

    Raises:
        ArgumentTypeError: an argument has another type, or parameter_list is missing in imperative mode.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     w = fluid.layers.create_parameter([1], 'float32', default_initializer=fluid.initializer.Constant(2.0))
    ...     loss = fluid.layers.reduce_sum(w * w)
    ...     loss.backward()
    ...     _ = fluid.optimizer.Momentum(0.1, 0.9, parameter_list=[w]).minimize(loss)
    ...     round(w.numpy().item(), 3)
    1.6
    """

    operator = momentum.momentum
    accumulators = (Accumulator("Velocity", "velocity"),)

    @formerly("self learning_rate momentum use_nesterov regularization name")
    def __init__(
        self,
        learning_rate: float | LearningRateDecay,
        momentum: float,
        parameter_list: Iterable[Any] | None = None,
        use_nesterov: bool = False,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, parameter_list, regularization, grad_clip, name)
        self.set_number("mu", "momentum", momentum)
        self.attrs["use_nesterov"] = bool(use_nesterov)


class DGCMomentumOptimizer(MomentumOptimizer):
    """Momentum for jobs that send only the largest gradients to each other (deep gradient compression), here on one place.

    On one place nothing is sent, so each step is one of Momentum; between processes, gradients are sent whole. PaddlePaddle
    1.8.5 has this optimizer only on GPUs, and a step before `rampup_begin_step` is one of Momentum there, too.

    Source: Lin et al., "Deep gradient compression", 2018.

    Arguments:
        learning_rate: a float, or a Variable [1].
        momentum: the decay rate of the velocity, between 0 and 1.
        rampup_begin_step: the step from which gradients are compressed, not used.
        rampup_step: over how many steps the sparsity increases, not used.
        sparsity: the shares of each gradient that are not sent, step by step, not used.
        parameter_list: the parameters to train; all that the loss depends on if it is None.
        use_nesterov: whether to use Nesterov momentum.
        num_trainers: the number of processes; required with a `grad_clip`.
        regularization: the L1Decay or L2Decay of parameters without their own regularizer.
        grad_clip: a GradientClipByNorm, or None.
        name: a part of the names of the accumulators.

    Raises:
        ModeError: in imperative mode.
        ArgumentTypeError: an argument has another type.
        ArgumentValueError: `rampup_begin_step` is negative, or `grad_clip` comes without `num_trainers`.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
    ...     w = fluid.layers.create_parameter([1], 'float32', default_initializer=fluid.initializer.Constant(2.))
    ...     _ = fluid.optimizer.DGCMomentumOptimizer(0.5, 0.9, rampup_begin_step=0).minimize(fluid.layers.mean(w))
    ...     exe = fluid.Executor(fluid.CPUPlace())
    ...     _ = exe.run(fluid.default_startup_program())
    ...     [round(float(exe.run(fetch_list=[w])[0][0]), 4) for _ in range(2)]
    [1.5, 0.55]
    """

    def __init__(
        self,
        learning_rate: float,
        momentum: float,
        rampup_begin_step: int,
        rampup_step: int = 1,
        sparsity: Sequence[float] = (0.999,),
        parameter_list: Iterable[Any] | None = None,
        use_nesterov: bool = False,
        num_trainers: int | None = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        where = "DGCMomentumOptimizer"
        require_program(f"{where}: imperative mode does not have it. Use Momentum, or build a Program.")
        if isinstance(rampup_begin_step, bool) or not isinstance(rampup_begin_step, int) or rampup_begin_step < 0:
            raise ArgumentValueError(
                message(where, "rampup_begin_step", describe(rampup_begin_step), "an int, 0 or more")
            )
        if grad_clip is not None:
            if not isinstance(grad_clip, GradientClipByNorm):
                needs = "a GradientClipByNorm, which each process can apply alone"
                raise ArgumentTypeError(message(where, "grad_clip", describe(grad_clip), needs))
            if not isinstance(num_trainers, int):
                needs = "an int, the number of processes, where grad_clip is given"
                raise ArgumentTypeError(message(where, "num_trainers", describe(num_trainers), needs))
        super().__init__(learning_rate, momentum, parameter_list, use_nesterov, regularization, grad_clip, name)


class LarsMomentumOptimizer(Optimizer):
    """Momentum with layer-wise adaptive learning rates (LARS), computed from the norms of a parameter and its gradient.

    rate = learning_rate * lars_coeff * |param| / (|grad| + lars_weight_decay * |param|); velocity = momentum * velocity
    + rate * (grad + lars_weight_decay * param); param -= velocity.

    Source: You, Gitman and Ginsburg, "Large batch training of convolutional networks", 2017.

    Arguments:
        learning_rate: a float; in imperative mode also a LearningRateDecay, in a static Program also a Variable [1].
        momentum: the decay rate of the velocity, between 0 and 1.
        lars_coeff: the factor of the norm of the parameter.
        lars_weight_decay: the coefficient of weight decay.
        parameter_list: the parameters to train; required in imperative mode.
        regularization: the L1Decay or L2Decay of parameters without their own regularizer.
        grad_clip: a gradient clip, or None.
        name: a part of the names of the accumulators.

    Raises:
        ArgumentTypeError: an argument has another type, or parameter_list is missing in imperative mode.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     w = fluid.layers.create_parameter([1], 'float32', default_initializer=fluid.initializer.Constant(2.0))
    ...     loss = fluid.layers.reduce_sum(w * w)
    ...     loss.backward()
    ...     _ = fluid.optimizer.LarsMomentum(0.1, 0.9, lars_coeff=0.5, parameter_list=[w]).minimize(loss)
    ...     round(w.numpy().item(), 3)
    1.9
    """

    operator = momentum.lars_momentum
    accumulators = (Accumulator("Velocity", "velocity"),)

    @formerly("self learning_rate momentum lars_coeff lars_weight_decay regularization name")
    def __init__(
        self,
        learning_rate: float | LearningRateDecay,
        momentum: float,
        lars_coeff: float = 0.001,
        lars_weight_decay: float = 0.0005,
        parameter_list: Iterable[Any] | None = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, parameter_list, regularization, grad_clip, name)
        self.set_number("mu", "momentum", momentum)
        self.set_number("lars_coeff", "lars_coeff", lars_coeff)
        self.set_number("lars_weight_decay", "lars_weight_decay", lars_weight_decay)


class AdamOptimizer(Optimizer):
    """Adam: adaptive moment estimation.

    Source: Kingma and Ba, "Adam: a method for stochastic optimization", 2015.

    Arguments:
        learning_rate: a float; in imperative mode also a LearningRateDecay, in a static Program also a Variable [1].
        beta1: the decay rate of the mean of gradients, a float or a Variable of one element.
        beta2: the decay rate of the mean of squared gradients, a float or a Variable of one element.
        epsilon: the number added to the square root of the mean of squares.
        parameter_list: the parameters to train; required in imperative mode.
        regularization: the L1Decay or L2Decay of parameters without their own regularizer.
        grad_clip: a gradient clip, or None.
        name: a part of the names of the accumulators.
        lazy_mode: with a sparse gradient, update only the rows that it has.

    Raises:
        ArgumentTypeError: an argument has another type, or parameter_list is missing in imperative mode.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     w = fluid.layers.create_parameter([1], 'float32', default_initializer=fluid.initializer.Constant(2.0))
    ...     loss = fluid.layers.reduce_sum(w * w)
    ...     loss.backward()
    ...     _ = fluid.optimizer.Adam(0.1, parameter_list=[w]).minimize(loss)
    ...     round(w.numpy().item(), 3)
    1.9
    """

    operator = adam.adam
    accumulators = (
        Accumulator("Moment1", "moment1"),
        Accumulator("Moment2", "moment2"),
        Accumulator("Beta1Pow", "beta1_pow_acc", fill="beta1", one=True),
        Accumulator("Beta2Pow", "beta2_pow_acc", fill="beta2", one=True),
    )

    @formerly("self learning_rate beta1 beta2 epsilon regularization name lazy_mode")
    def __init__(
        self,
        learning_rate: float | LearningRateDecay = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: float = 1e-8,
        parameter_list: Iterable[Any] | None = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
        lazy_mode: bool = False,
    ) -> None:
        super().__init__(learning_rate, parameter_list, regularization, grad_clip, name)
        for name, value in (("beta1", beta1), ("beta2", beta2), ("epsilon", epsilon)):
            self.set_number(name, name, value)
        self.attrs["lazy_mode"] = bool(lazy_mode)


class DpsgdOptimizer(Optimizer):
    """Gradient descent with differential privacy.

    param -= learning_rate * (grad / max(1, |grad| / clip) + noise / batch_size), where noise is one number for each
    parameter from the normal distribution with standard deviation sigma.

    Source: Abadi et al., "Deep learning with differential privacy", 2016.

    Arguments:
        learning_rate: a float; in imperative mode also a LearningRateDecay, in a static Program also a Variable [1].
        clip: the largest norm of a gradient.
        batch_size: the divisor of the noise.
        sigma: the standard deviation of the noise.
        parameter_list: the parameters to train; required in imperative mode.

    Raises:
        ArgumentTypeError: an argument has another type, or parameter_list is missing in imperative mode.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     w = fluid.layers.create_parameter([1], 'float32', default_initializer=fluid.initializer.Constant(2.0))
    ...     loss = fluid.layers.reduce_sum(w * w)
    ...     loss.backward()
    ...     _ = fluid.optimizer.Dpsgd(0.1, clip=10.0, batch_size=16.0, sigma=0.0, parameter_list=[w]).minimize(loss)
    ...     round(w.numpy().item(), 3)
    1.6
    """

    operator = sgd.dpsgd

    def __init__(
        self,
        learning_rate: float | LearningRateDecay = 0.001,
        clip: float = 0.9,
        batch_size: float = 0.999,
        sigma: float = 1e-8,
        parameter_list: Iterable[Any] | None = None,
    ) -> None:
        super().__init__(learning_rate, parameter_list)
        for attribute, value in (("clip", clip), ("batch_size", batch_size), ("sigma", sigma)):
            self.set_number(attribute, attribute, value)
        self.attrs["seed"] = 0


SGD = SGDOptimizer
Momentum = MomentumOptimizer
LarsMomentum = LarsMomentumOptimizer
Adam = AdamOptimizer
Dpsgd = DpsgdOptimizer
