"""Schedules by epoch: the training loop calls `epoch()` after each epoch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from .schedule_base import LearningRateDecay, count, number


class EpochDecay(LearningRateDecay):
    """Base class of schedules that `epoch()` advances. A custom one overrides `get_lr`.

    Arguments:
        learning_rate: the rate of the first epoch, `self.base_lr` in `get_lr`.
        dtype: the dtype of the Variable that a call returns.

    Raises:
        ArgumentTypeError: learning_rate is not a number.
        ArgumentValueError: it is negative.
    """

    keys = ("epoch_num", "learning_rate")
    counts_steps = False

    def __init__(self, learning_rate: float, dtype: Any = "float32") -> None:
        super().__init__(dtype=dtype)
        if isinstance(learning_rate, bool) or not isinstance(learning_rate, (float, int)):
            needs = "a float or an int"
            raise ArgumentTypeError(message(type(self).__name__, "learning_rate", describe(learning_rate), needs))
        if learning_rate < 0:
            raise ArgumentValueError(message(type(self).__name__, "learning_rate", learning_rate, "0 or more"))
        self.base_lr = float(learning_rate)
        self.learning_rate = self.base_lr
        self.epoch_num = 0

    def get_lr(self) -> Any:
        """Return the rate of epoch `self.epoch_num`."""
        raise NotImplementedError(f"{type(self).__name__} does not say what the rate is: define get_lr()")

    def epoch(self, epoch: int | None = None) -> None:
        """Advance to the next epoch, or to the given one.

        Raises:
            ArgumentTypeError: `epoch` is no number.
        """
        if epoch is not None:
            number(epoch, f"{type(self).__name__}.epoch", "epoch")
        self.epoch_num = self.epoch_num + 1 if epoch is None else epoch
        self.learning_rate = self.get_lr()

    def step(self) -> Any:
        return self.learning_rate


def _factor(value: Any, where: str) -> float:
    """Convert a decay rate to a float; raise unless it is below 1."""
    if isinstance(value, bool) or not isinstance(value, (float, int)):
        raise ArgumentTypeError(message(where, "decay_rate", describe(value), "a number below 1"))
    if value >= 1:
        raise ArgumentValueError(message(where, "decay_rate", value, "a number below 1"))
    return float(value)


class StepDecay(EpochDecay):
    """The schedule learning_rate * decay_rate^(epoch // step_size).

    Arguments:
        learning_rate: the initial learning rate.
        step_size: the number of epochs between two changes.
        decay_rate: the factor of each change, below 1.

    Raises:
        ArgumentTypeError: an argument has another type.
        ArgumentValueError: step_size is below 1, or decay_rate is not below 1.

    >>> import paddle_lite.fluid as fluid
    >>> decay = fluid.dygraph.StepDecay(0.5, step_size=2, decay_rate=0.5)
    >>> decay.epoch(2)
    >>> decay.get_lr()
    0.25
    """

    def __init__(self, learning_rate: float, step_size: int, decay_rate: float = 0.1) -> None:
        super().__init__(learning_rate)
        self.step_size = count(step_size, "StepDecay", "step_size", least=1)
        self.decay_rate = _factor(decay_rate, "StepDecay")

    def get_lr(self) -> float:
        return self.base_lr * self.decay_rate ** (self.epoch_num // self.step_size)


class MultiStepDecay(EpochDecay):
    """The schedule learning_rate * decay_rate^(number of milestones reached).

    Arguments:
        learning_rate: the initial learning rate.
        milestones: epochs in ascending order.
        decay_rate: the factor at each milestone, below 1.

    Raises:
        ArgumentTypeError: an argument has another type.
        ArgumentValueError: milestones is not ascending, or decay_rate is not below 1.

    >>> import paddle_lite.fluid as fluid
    >>> decay = fluid.dygraph.MultiStepDecay(0.5, [2, 5], decay_rate=0.5)
    >>> decay.epoch(5)
    >>> decay.get_lr()
    0.125
    """

    def __init__(self, learning_rate: float, milestones: Sequence[int], decay_rate: float = 0.1) -> None:
        super().__init__(learning_rate)
        if not isinstance(milestones, (tuple, list)):
            raise ArgumentTypeError(message("MultiStepDecay", "milestones", describe(milestones), "a list of epochs"))
        if any(a >= b for a, b in pairwise(milestones)):
            raise ArgumentValueError(message("MultiStepDecay", "milestones", list(milestones), "rising epochs"))
        self.milestones = list(milestones)
        self.decay_rate = _factor(decay_rate, "MultiStepDecay")

    def get_lr(self) -> float:
        return self.base_lr * self.decay_rate ** sum(self.epoch_num >= m for m in self.milestones)


class LambdaDecay(EpochDecay):
    """The schedule learning_rate * lr_lambda(epoch).

    Arguments:
        learning_rate: the initial learning rate.
        lr_lambda: a function from the epoch to the factor.

    Raises:
        ArgumentTypeError: an argument has another type.

    >>> import paddle_lite.fluid as fluid
    >>> decay = fluid.dygraph.LambdaDecay(0.5, lambda epoch: 0.5 ** epoch)
    >>> decay.epoch()
    >>> decay.get_lr()
    0.25
    """

    def __init__(self, learning_rate: float, lr_lambda: Callable[[int], float]) -> None:
        super().__init__(learning_rate)
        if not callable(lr_lambda):
            needs = "a function of the epoch number"
            raise ArgumentTypeError(message("LambdaDecay", "lr_lambda", describe(lr_lambda), needs))
        self.lr_lambda = lr_lambda

    def get_lr(self) -> float:
        return self.base_lr * self.lr_lambda(self.epoch_num)
