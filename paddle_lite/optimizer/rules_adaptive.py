"""Adaptive optimizers: the step size of each element depends on its previous gradients."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..core.calls.former import formerly
from ..core.errors import ArgumentTypeError, describe, message
from ..ops.optim import adagrad, adam, ftrl
from .optimizer import Optimizer
from .rule import Accumulator
from .schedule_base import LearningRateDecay, number


class AdagradOptimizer(Optimizer):
    """Adagrad: moment += grad^2; param -= learning_rate * grad / (sqrt(moment) + epsilon).

    Source: Duchi, Hazan and Singer, "Adaptive subgradient methods for online learning and stochastic optimization",
    2011.

    Arguments:
        learning_rate: a float; in imperative mode also a LearningRateDecay, in a static Program also a Variable [1].
        epsilon: the number added to the square root of the moment.
        parameter_list: the parameters to train; required in imperative mode.
        regularization: the L1Decay or L2Decay of parameters without their own regularizer.
        grad_clip: a gradient clip, or None.
        name: a part of the names of the accumulators.
        initial_accumulator_value: the initial value of the moment.

    Raises:
        ArgumentTypeError: an argument has another type, or parameter_list is missing in imperative mode.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     w = fluid.layers.create_parameter([1], 'float32', default_initializer=fluid.initializer.Constant(2.0))
    ...     loss = fluid.layers.reduce_sum(w * w)
    ...     loss.backward()
    ...     _ = fluid.optimizer.Adagrad(0.1, parameter_list=[w]).minimize(loss)
    ...     round(w.numpy().item(), 3)
    1.9
    """

    operator = adagrad.adagrad
    accumulators = (Accumulator("Moment", "moment"),)

    @formerly("self learning_rate epsilon regularization name initial_accumulator_value")
    def __init__(
        self,
        learning_rate: float | LearningRateDecay,
        epsilon: float = 1e-6,
        parameter_list: Iterable[Any] | None = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
        initial_accumulator_value: float = 0.0,
    ) -> None:
        super().__init__(learning_rate, parameter_list, regularization, grad_clip, name)
        self.set_number("epsilon", "epsilon", epsilon)
        start = number(initial_accumulator_value, self.__class__.__name__, "initial_accumulator_value")
        self.accumulators = (self.accumulators[0]._replace(fill=start),)


class DecayedAdagradOptimizer(Optimizer):
    """Adagrad with a decaying moment.

    moment = decay * moment + (1 - decay) * grad^2; param -= learning_rate * grad / (sqrt(moment) + epsilon).

    Arguments:
        learning_rate: a float; in imperative mode also a LearningRateDecay, in a static Program also a Variable [1].
        decay: the decay rate of the moment, between 0 and 1.
        epsilon: the number added to the square root of the moment.
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
    ...     _ = fluid.optimizer.DecayedAdagrad(0.1, parameter_list=[w]).minimize(loss)
    ...     round(w.numpy().item(), 3)
    1.553
    """

    operator = adagrad.decayed_adagrad
    accumulators = (Accumulator("Moment", "moment"),)

    @formerly("self learning_rate decay epsilon regularization name")
    def __init__(
        self,
        learning_rate: float | LearningRateDecay,
        decay: float = 0.95,
        epsilon: float = 1e-6,
        parameter_list: Iterable[Any] | None = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, parameter_list, regularization, grad_clip, name)
        self.set_number("decay", "decay", decay)
        self.set_number("epsilon", "epsilon", epsilon)


class AdamaxOptimizer(Optimizer):
    """Adam with the infinity norm of the gradients instead of the square root of the mean of squares.

    moment = beta1 * moment + (1 - beta1) * grad; inf_norm = max(|grad|, beta2 * inf_norm + epsilon); param -=
    learning_rate / (1 - beta1^t) * moment / inf_norm.

    Source: Kingma and Ba, "Adam: a method for stochastic optimization", 2015, section 7.1.

    Arguments:
        learning_rate: a float; in imperative mode also a LearningRateDecay, in a static Program also a Variable [1].
        beta1: the decay rate of the mean of gradients.
        beta2: the decay rate of the infinity norm.
        epsilon: the number added to the infinity norm, to prevent a division by 0.
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
    ...     _ = fluid.optimizer.Adamax(0.1, parameter_list=[w]).minimize(loss)
    ...     round(w.numpy().item(), 3)
    1.9
    """

    operator = adam.adamax
    accumulators = (
        Accumulator("Moment", "moment"),
        Accumulator("InfNorm", "inf_norm"),
        Accumulator("Beta1Pow", "beta1_pow_acc", fill="beta1", one=True, factor="beta1"),
    )

    @formerly("self learning_rate beta1 beta2 epsilon regularization name")
    def __init__(
        self,
        learning_rate: float | LearningRateDecay = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        parameter_list: Iterable[Any] | None = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, parameter_list, regularization, grad_clip, name)
        self.set_number("beta1", "beta1", beta1)
        self.set_number("beta2", "beta2", beta2)
        self.set_number("epsilon", "epsilon", epsilon)


class AdadeltaOptimizer(Optimizer):
    """Adadelta, as PaddlePaddle 1.8 computes it: the learning rate is required but has no effect.

    squares = rho * squares + (1 - rho) * grad^2; change = sqrt((changes + epsilon) / (squares + epsilon)) * grad;
    changes = rho * changes + (1 - rho) * change^2; param -= sqrt((changes + epsilon) / (squares + epsilon)) * grad.

    Source: Zeiler, "ADADELTA: an adaptive learning rate method", 2012.

    Arguments:
        learning_rate: a float or a LearningRateDecay; it has no effect.
        epsilon: the number added to both means.
        rho: the decay rate of the means, between 0 and 1.
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
    ...     _ = fluid.optimizer.Adadelta(0.1, parameter_list=[w]).minimize(loss)
    ...     round(w.numpy().item(), 3)
    1.994
    """

    operator = adagrad.adadelta
    accumulators = (
        Accumulator("AvgSquaredGrad", "_avg_squared_grad"),
        Accumulator("AvgSquaredUpdate", "_avg_squared_update"),
    )

    @formerly("self learning_rate epsilon rho regularization name")
    def __init__(
        self,
        learning_rate: float | LearningRateDecay,
        epsilon: float = 1e-6,
        rho: float = 0.95,
        parameter_list: Iterable[Any] | None = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, parameter_list, regularization, grad_clip, name)
        self.set_number("epsilon", "epsilon", epsilon)
        self.set_number("rho", "rho", rho)


class RMSPropOptimizer(Optimizer):
    """RMSProp with momentum.

    mean_square = rho * mean_square + (1 - rho) * grad^2; momentum_ = momentum * momentum_ + learning_rate * grad /
    sqrt(mean_square + epsilon); param -= momentum_. With centered, the square of the mean of gradients is subtracted
    from mean_square under the root.

    Source: Hinton, "Neural networks for machine learning", lecture 6, 2012; centered: Graves, "Generating sequences
    with recurrent neural networks", 2013.

    Arguments:
        learning_rate: a float; in imperative mode also a LearningRateDecay, in a static Program also a Variable [1].
        rho: the decay rate of the means, between 0 and 1.
        epsilon: the number added under the root.
        momentum: the decay rate of the momentum.
        centered: whether to divide by the standard deviation of the gradients rather than by their root mean square.
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
    ...     _ = fluid.optimizer.RMSProp(0.1, parameter_list=[w]).minimize(loss)
    ...     round(w.numpy().item(), 3)
    1.553
    """

    operator = adagrad.rmsprop
    accumulators = (
        Accumulator("Moment", "momentum"),
        Accumulator("MeanSquare", "mean_square"),
        Accumulator("MeanGrad", "mean_grad"),
    )

    @formerly("self learning_rate rho epsilon momentum centered regularization name")
    def __init__(
        self,
        learning_rate: float | LearningRateDecay,
        rho: float = 0.95,
        epsilon: float = 1e-6,
        momentum: float = 0.0,
        centered: bool = False,
        parameter_list: Iterable[Any] | None = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, parameter_list, regularization, grad_clip, name)
        self.set_number("epsilon", "epsilon", epsilon)
        self.set_number("decay", "rho", rho)
        self.set_number("momentum", "momentum", momentum)
        self.attrs["centered"] = bool(centered)


class FtrlOptimizer(Optimizer):
    """Follow the regularized leader (FTRL).

    new = squared + grad^2; linear += grad - (new^-lr_power - squared^-lr_power) / learning_rate * param; squared = new;
    param = 0 where |linear| <= l1, else (l1 * sign(linear) - linear) / (squared^-lr_power / learning_rate + 2 * l2).

    Source: McMahan et al., "Ad click prediction: a view from the trenches", 2013.

    Arguments:
        learning_rate: a float; in imperative mode also a LearningRateDecay, in a static Program also a Variable [1].
        l1: the coefficient of the L1 penalty.
        l2: the coefficient of the L2 penalty. (PaddlePaddle 1.8 uses l1 here, whatever l2 is.)
        lr_power: the power of `squared` by which the learning rate decreases.
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
    ...     _ = fluid.optimizer.Ftrl(0.1, parameter_list=[w]).minimize(loss)
    ...     round(w.numpy().item(), 3)
    1.9
    """

    operator = ftrl.ftrl
    accumulators = (Accumulator("SquaredAccumulator", "squared"), Accumulator("LinearAccumulator", "linear"))

    @formerly("self learning_rate l1 l2 lr_power regularization name")
    def __init__(
        self,
        learning_rate: float | LearningRateDecay,
        l1: float = 0.0,
        l2: float = 0.0,
        lr_power: float = -0.5,
        parameter_list: Iterable[Any] | None = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, parameter_list, regularization, grad_clip, name)
        self.set_number("l1", "l1", l1)
        self.set_number("l2", "l2", l2)
        self.set_number("lr_power", "lr_power", lr_power)


class LambOptimizer(Optimizer):
    """Adam with layer-wise adaptive learning rates (LAMB), computed from the norms of a parameter and its step.

    direction = moment1 / (sqrt(moment2) + epsilon) + lamb_weight_decay * param; param -= learning_rate * |param| /
    |direction| * direction. The moments have no bias correction.

    Source: You et al., "Large batch optimization for deep learning: training BERT in 76 minutes", 2020.

    Arguments:
        learning_rate: a float; in imperative mode also a LearningRateDecay, in a static Program also a Variable [1].
        lamb_weight_decay: the coefficient of weight decay.
        beta1: the decay rate of the mean of gradients.
        beta2: the decay rate of the mean of squared gradients.
        epsilon: the number added to the square root of the mean of squares.
        parameter_list: the parameters to train; required in imperative mode.
        regularization: the L1Decay or L2Decay of parameters without their own regularizer.
        grad_clip: a gradient clip, or None.
        exclude_from_weight_decay_fn: `f(parameter)` returns whether lamb_weight_decay is 0 for a parameter.
        name: a part of the names of the accumulators.

    Raises:
        ArgumentTypeError: an argument has another type, or parameter_list is missing in imperative mode.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     w = fluid.layers.create_parameter([1], 'float32', default_initializer=fluid.initializer.Constant(2.0))
    ...     loss = fluid.layers.reduce_sum(w * w)
    ...     loss.backward()
    ...     _ = fluid.optimizer.Lamb(0.1, parameter_list=[w]).minimize(loss)
    ...     round(w.numpy().item(), 3)
    1.8
    """

    operator = adam.lamb
    accumulators = (
        Accumulator("Moment1", "moment1"),
        Accumulator("Moment2", "moment2"),
        Accumulator("Beta1Pow", "beta1_pow_acc", fill="beta1", one=True),
        Accumulator("Beta2Pow", "beta2_pow_acc", fill="beta2", one=True),
    )

    @formerly(
        "self learning_rate lamb_weight_decay beta1 beta2 epsilon regularization exclude_from_weight_decay_fn name",
        "self learning_rate lamb_weight_decay beta1 beta2 epsilon regularization name",
    )
    def __init__(
        self,
        learning_rate: float | LearningRateDecay = 0.001,
        lamb_weight_decay: float = 0.01,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-6,
        parameter_list: Iterable[Any] | None = None,
        regularization: Any = None,
        grad_clip: Any = None,
        exclude_from_weight_decay_fn: Callable[[Any], bool] | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, parameter_list, regularization, grad_clip, name)
        self.set_number("weight_decay", "lamb_weight_decay", lamb_weight_decay)
        for attribute, value in (("beta1", beta1), ("beta2", beta2), ("epsilon", epsilon)):
            self.set_number(attribute, attribute, value)
        excluded = exclude_from_weight_decay_fn
        if excluded is not None and not callable(excluded):
            needs = "a function that takes a parameter and returns True or False, or None"
            where = self.__class__.__name__
            raise ArgumentTypeError(message(where, "exclude_from_weight_decay_fn", describe(excluded), needs))
        self._exclude_from_weight_decay_fn = excluded

    def attrs_of(self, param: Any) -> dict[str, Any]:
        """Return the attributes of the operator for a parameter; weight_decay is 0 for excluded parameters."""
        attrs = super().attrs_of(param)
        return (
            {**attrs, "weight_decay": 0.0}
            if self._exclude_from_weight_decay_fn is not None and self._exclude_from_weight_decay_fn(param)
            else attrs
        )


Adagrad = AdagradOptimizer
DecayedAdagrad = DecayedAdagradOptimizer
Adamax = AdamaxOptimizer
Adadelta = AdadeltaOptimizer
RMSProp = RMSPropOptimizer
Ftrl = FtrlOptimizer
Lamb = LambOptimizer
