"""Learning-rate schedules as functions, such as `fluid.layers.piecewise_decay`.

In imperative mode each returns the corresponding schedule object; the step count starts at 0, for `noam_decay` and
`linear_lr_warmup` at 1. In a static Program each appends operators and returns the learning rate as a Variable [1]; the
step count is the number of runs of the Program, which all its schedules share. It starts at 0, or at 1 if `noam_decay`
is the first schedule.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.mode import ByMode
from . import static_schedules as static
from .schedule_steps import (
    CosineDecay,
    ExponentialDecay,
    InverseTimeDecay,
    LinearLrWarmup,
    NaturalExpDecay,
    NoamDecay,
    PiecewiseDecay,
    PolynomialDecay,
)

__all__ = [
    "cosine_decay",
    "exponential_decay",
    "inverse_time_decay",
    "linear_lr_warmup",
    "natural_exp_decay",
    "noam_decay",
    "piecewise_decay",
    "polynomial_decay",
]


_noam = ByMode(imperative=lambda d, w, rate: NoamDecay(d, w, learning_rate=rate), static=static.noam)
_exponential = ByMode(imperative=ExponentialDecay, static=static.exponential)
_natural_exp = ByMode(imperative=NaturalExpDecay, static=static.natural_exp)
_inverse_time = ByMode(imperative=InverseTimeDecay, static=static.inverse_time)
_polynomial = ByMode(imperative=PolynomialDecay, static=static.polynomial)
_piecewise = ByMode(
    imperative=lambda boundaries, values: PiecewiseDecay(boundaries, values, 0), static=static.piecewise
)
_cosine = ByMode(imperative=CosineDecay, static=static.cosine)
_linear_warmup = ByMode(imperative=LinearLrWarmup, static=static.linear_warmup)


def noam_decay(d_model: Any, warmup_steps: Any, learning_rate: Any = 1.0) -> Any:
    """Return the schedule learning_rate * d_model^-0.5 * min(n^-0.5, n * warmup_steps^-1.5), n the step count.

    Source: Vaswani et al., "Attention is all you need", 2017.

    Arguments:
        d_model: the width of the model.
        warmup_steps: the number of steps during which the rate rises.
        learning_rate: a factor.

    Returns:
        A schedule object in imperative mode, a Variable [1] in a static Program.

    Raises:
        ArgumentTypeError: in imperative mode, if an argument is not a number.
        ArgumentValueError: in imperative mode, if d_model or warmup_steps is not above 0.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     print(fluid.layers.noam_decay(100, 4)().numpy())
    [0.0125]
    """
    return _noam(d_model, warmup_steps, learning_rate)


def exponential_decay(learning_rate: Any, decay_steps: int, decay_rate: float, staircase: bool = False) -> Any:
    """Return the schedule learning_rate * decay_rate^(n / decay_steps), n the step count.

    Arguments:
        learning_rate: the initial learning rate.
        decay_steps: the number of steps in which the rate is multiplied by `decay_rate`.
        decay_rate: the factor.
        staircase: whether to change the rate only every `decay_steps` steps.

    Returns:
        A schedule object in imperative mode, a Variable [1] in a static Program.

    Raises:
        ArgumentTypeError: in imperative mode, if an argument is not a number.
        ArgumentValueError: in imperative mode, if decay_steps is not above 0.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     schedule = fluid.layers.exponential_decay(0.5, 1, 0.5)
    ...     print(schedule().numpy(), schedule().numpy())
    [0.5] [0.25]
    """
    return _exponential(learning_rate, decay_steps, decay_rate, staircase)


def natural_exp_decay(learning_rate: Any, decay_steps: int, decay_rate: float, staircase: bool = False) -> Any:
    """Return the schedule learning_rate * e^(-decay_rate * n / decay_steps), n the step count.

    Arguments:
        learning_rate: the initial learning rate.
        decay_steps, decay_rate: the rate is divided by e in decay_steps / decay_rate steps.
        staircase: whether to change the rate only every `decay_steps` steps.

    Returns:
        A schedule object in imperative mode, a Variable [1] in a static Program.

    Raises:
        ArgumentTypeError: in imperative mode, if an argument is not a number.
        ArgumentValueError: in imperative mode, if decay_steps is not above 0.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     print(fluid.layers.natural_exp_decay(0.5, 10, 0.1)().numpy())
    [0.5]
    """
    return _natural_exp(learning_rate, decay_steps, decay_rate, staircase)


def inverse_time_decay(learning_rate: Any, decay_steps: int, decay_rate: float, staircase: bool = False) -> Any:
    """Return the schedule learning_rate / (1 + decay_rate * n / decay_steps), n the step count.

    Arguments:
        learning_rate: the initial learning rate.
        decay_steps, decay_rate: the rate is halved after decay_steps / decay_rate steps.
        staircase: whether to change the rate only every `decay_steps` steps.

    Returns:
        A schedule object in imperative mode, a Variable [1] in a static Program.

    Raises:
        ArgumentTypeError: in imperative mode, if an argument is not a number.
        ArgumentValueError: in imperative mode, if decay_steps is not above 0.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     schedule = fluid.layers.inverse_time_decay(0.5, 1, 1.0)
    ...     print(schedule().numpy(), schedule().numpy())
    [0.5] [0.25]
    """
    return _inverse_time(learning_rate, decay_steps, decay_rate, staircase)


def polynomial_decay(
    learning_rate: Any,
    decay_steps: int,
    end_learning_rate: float = 0.0001,
    power: float = 1.0,
    cycle: bool = False,
) -> Any:
    """Return a schedule from learning_rate to end_learning_rate in decay_steps steps, following (1 - n /
    decay_steps)^power.

    Arguments:
        learning_rate: the initial learning rate.
        decay_steps: the number of steps.
        end_learning_rate: the final learning rate.
        power: the exponent; 1 for linear decay.
        cycle: whether to restart with a multiple of decay_steps, instead of keeping the final rate.

    Returns:
        A schedule object in imperative mode, a Variable [1] in a static Program.

    Raises:
        ArgumentTypeError: in imperative mode, if an argument is not a number.
        ArgumentValueError: in imperative mode, if decay_steps is not above 0.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     schedule = fluid.layers.polynomial_decay(0.5, 2, end_learning_rate=0.0)
    ...     print(schedule().numpy(), schedule().numpy())
    [0.5] [0.25]
    """
    return _polynomial(learning_rate, decay_steps, end_learning_rate, power, cycle)


def piecewise_decay(boundaries: Sequence[int], values: Sequence[float]) -> Any:
    """Return the schedule values[0] before step boundaries[0], then values[1] before boundaries[1], and so on.

    Arguments:
        boundaries: step counts in ascending order.
        values: the learning rates, one more than boundaries.

    Returns:
        A schedule object in imperative mode, a Variable [1] in a static Program.

    Raises:
        ArgumentValueError: values has not one element more than boundaries.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     schedule = fluid.layers.piecewise_decay([1], [0.5, 0.25])
    ...     print(schedule().numpy(), schedule().numpy())
    [0.5] [0.25]
    """
    return _piecewise(boundaries, values)


def cosine_decay(learning_rate: Any, step_each_epoch: int, epochs: int) -> Any:
    """Return the schedule learning_rate * (1 + cos(pi * epoch / epochs)) / 2, where epoch is n // step_each_epoch.

    Source: Loshchilov and Hutter, "SGDR: stochastic gradient descent with warm restarts", 2017, without the restarts.

    Arguments:
        learning_rate: the initial learning rate.
        step_each_epoch: the number of steps in an epoch.
        epochs: the number of epochs after which the rate is 0.

    Returns:
        A schedule object in imperative mode, a Variable [1] in a static Program.

    Raises:
        ArgumentTypeError: in imperative mode, if an argument is not a number.
        ArgumentValueError: in imperative mode, if step_each_epoch or epochs is not above 0.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     schedule = fluid.layers.cosine_decay(0.5, step_each_epoch=1, epochs=2)
    ...     print(schedule().numpy(), schedule().numpy())
    [0.5] [0.25]
    """
    return _cosine(learning_rate, step_each_epoch, epochs)


def linear_lr_warmup(learning_rate: Any, warmup_steps: int, start_lr: float, end_lr: float) -> Any:
    """Return a schedule that rises linearly from start_lr to end_lr in warmup_steps steps, then follows another one.

    The other schedule counts steps from the first step of the warmup.

    Arguments:
        learning_rate: the schedule or the constant rate after the warmup.
        warmup_steps: the number of steps of the warmup.
        start_lr, end_lr: the rates at the start and the end of the warmup; in imperative mode end_lr is above start_lr.

    Returns:
        A schedule object in imperative mode, a Variable [1] in a static Program.

    Raises:
        ArgumentTypeError: in imperative mode, if learning_rate is neither a number nor a LearningRateDecay.
        ArgumentValueError: in imperative mode, if end_lr is not above start_lr.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     schedule = fluid.layers.linear_lr_warmup(0.5, 2, start_lr=0.0, end_lr=0.5)
    ...     print(schedule().numpy(), schedule().numpy())
    [0.25] [0.5]
    """
    return _linear_warmup(learning_rate, warmup_steps, start_lr, end_lr)
