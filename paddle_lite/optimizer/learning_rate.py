"""Learning-rate schedules as functions: `fluid.layers.piecewise_decay` and its relatives.

In imperative mode each returns the schedule object of the same meaning; the count of steps starts at 0, that of
`noam_decay` and `linear_lr_warmup` at 1. In a static Program each appends operators to it and returns the learning rate as
a Variable [1]; the count there is that of the Program's runs, the same for all its schedules, from 0 on, or from 1 where
`noam_decay` is the first of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.mode import in_imperative_mode
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


def noam_decay(d_model: Any, warmup_steps: Any, learning_rate: Any = 1.0) -> Any:
    """learning_rate * d_model^-0.5 * min(n^-0.5, n * warmup_steps^-1.5), n being the count of steps.

    Vaswani et al., "Attention is all you need", 2017.

    Arguments:
        d_model: the width of the model.
        warmup_steps: for how many steps the rate rises.
        learning_rate: a factor.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     print(fluid.layers.noam_decay(100, 4)().numpy())
    [0.0125]
    """
    if not in_imperative_mode():
        return static.noam(d_model, warmup_steps, learning_rate)
    return NoamDecay(d_model, warmup_steps, learning_rate=learning_rate)


def exponential_decay(learning_rate: Any, decay_steps: int, decay_rate: float, staircase: bool = False) -> Any:
    """learning_rate * decay_rate^(n / decay_steps), n being the count of steps.

    Arguments:
        learning_rate: the first rate.
        decay_steps: in so many steps the rate is multiplied by `decay_rate`.
        decay_rate: the factor.
        staircase: lower the rate only every `decay_steps` steps.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     schedule = fluid.layers.exponential_decay(0.5, 1, 0.5)
    ...     print(schedule().numpy(), schedule().numpy())
    [0.5] [0.25]
    """
    if not in_imperative_mode():
        return static.exponential(learning_rate, decay_steps, decay_rate, staircase)
    return ExponentialDecay(learning_rate, decay_steps, decay_rate, staircase)


def natural_exp_decay(learning_rate: Any, decay_steps: int, decay_rate: float, staircase: bool = False) -> Any:
    """learning_rate * e^(-decay_rate * n / decay_steps), n being the count of steps.

    Arguments:
        learning_rate: the first rate.
        decay_steps, decay_rate: the rate shrinks by the factor e in decay_steps / decay_rate steps.
        staircase: lower the rate only every `decay_steps` steps.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     print(fluid.layers.natural_exp_decay(0.5, 10, 0.1)().numpy())
    [0.5]
    """
    if not in_imperative_mode():
        return static.natural_exp(learning_rate, decay_steps, decay_rate, staircase)
    return NaturalExpDecay(learning_rate, decay_steps, decay_rate, staircase)


def inverse_time_decay(learning_rate: Any, decay_steps: int, decay_rate: float, staircase: bool = False) -> Any:
    """learning_rate / (1 + decay_rate * n / decay_steps), n being the count of steps.

    Arguments:
        learning_rate: the first rate.
        decay_steps, decay_rate: the rate is half of it after decay_steps / decay_rate steps.
        staircase: lower the rate only every `decay_steps` steps.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     schedule = fluid.layers.inverse_time_decay(0.5, 1, 1.0)
    ...     print(schedule().numpy(), schedule().numpy())
    [0.5] [0.25]
    """
    if not in_imperative_mode():
        return static.inverse_time(learning_rate, decay_steps, decay_rate, staircase)
    return InverseTimeDecay(learning_rate, decay_steps, decay_rate, staircase)


def polynomial_decay(
    learning_rate: Any,
    decay_steps: int,
    end_learning_rate: float = 0.0001,
    power: float = 1.0,
    cycle: bool = False,
) -> Any:
    """From learning_rate to end_learning_rate in decay_steps steps, along (1 - n / decay_steps)^power.

    Arguments:
        learning_rate: the first rate.
        decay_steps: the number of steps.
        end_learning_rate: the last rate, kept from there on.
        power: 1 for a straight line.
        cycle: rather than stay at the end, start again, with as many times decay_steps as have begun.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     schedule = fluid.layers.polynomial_decay(0.5, 2, end_learning_rate=0.0)
    ...     print(schedule().numpy(), schedule().numpy())
    [0.5] [0.25]
    """
    if not in_imperative_mode():
        return static.polynomial(learning_rate, decay_steps, end_learning_rate, power, cycle)
    return PolynomialDecay(learning_rate, decay_steps, end_learning_rate, power, cycle)


def piecewise_decay(boundaries: Sequence[int], values: Sequence[float]) -> Any:
    """values[0] until step boundaries[0], then values[1] until boundaries[1], and so on.

    Arguments:
        boundaries: rising step counts.
        values: the rates between them, one more than boundaries.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     schedule = fluid.layers.piecewise_decay([1], [0.5, 0.25])
    ...     print(schedule().numpy(), schedule().numpy())
    [0.5] [0.25]
    """
    if not in_imperative_mode():
        return static.piecewise(boundaries, values)
    return PiecewiseDecay(boundaries, values, 0)


def cosine_decay(learning_rate: Any, step_each_epoch: int, epochs: int) -> Any:
    """learning_rate * (1 + cos(pi * epoch / epochs)) / 2, where epoch is n // step_each_epoch.

    Loshchilov and Hutter, "SGDR: stochastic gradient descent with warm restarts", 2017, without the restarts.

    Arguments:
        learning_rate: the first rate.
        step_each_epoch: the number of steps in an epoch.
        epochs: after so many epochs the rate is 0.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     schedule = fluid.layers.cosine_decay(0.5, step_each_epoch=1, epochs=2)
    ...     print(schedule().numpy(), schedule().numpy())
    [0.5] [0.25]
    """
    if not in_imperative_mode():
        return static.cosine(learning_rate, step_each_epoch, epochs)
    return CosineDecay(learning_rate, step_each_epoch, epochs)


def linear_lr_warmup(learning_rate: Any, warmup_steps: int, start_lr: float, end_lr: float) -> Any:
    """A straight line from start_lr to end_lr in warmup_steps steps, then another schedule, or a constant rate.

    The other schedule counts from the first step on.

    Arguments:
        learning_rate: the schedule, or the rate, that follows.
        warmup_steps: the number of steps.
        start_lr, end_lr: the rates at both ends of the line; end_lr must be above start_lr.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     schedule = fluid.layers.linear_lr_warmup(0.5, 2, start_lr=0.0, end_lr=0.5)
    ...     print(schedule().numpy(), schedule().numpy())
    [0.25] [0.5]
    """
    if not in_imperative_mode():
        return static.linear_warmup(learning_rate, warmup_steps, start_lr, end_lr)
    return LinearLrWarmup(learning_rate, warmup_steps, start_lr, end_lr)
