"""Schedules by step."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from .schedule_base import FormulaDecay, LearningRateDecay, number


class NoamDecay(FormulaDecay):
    """The schedule learning_rate * d_model^-0.5 * min(n^-0.5, n * warmup_steps^-1.5), n the step count.

    Source: Vaswani et al., "Attention is all you need", 2017.

    Arguments:
        d_model: the width of the model.
        warmup_steps: the number of steps during which the rate rises.
        begin, step, dtype: as in LearningRateDecay.
        learning_rate: a factor.

    Raises:
        ArgumentTypeError: an argument is not a number.
        ArgumentValueError: d_model or warmup_steps is not above 0.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     round(float(fluid.dygraph.NoamDecay(100, 4).step().numpy()[0]), 6)
    0.0125
    """

    def __init__(
        self,
        d_model: Any,
        warmup_steps: Any,
        begin: int = 1,
        step: int = 1,
        dtype: Any = "float32",
        learning_rate: Any = 1.0,
    ) -> None:
        super().__init__(begin, step, dtype)
        self.learning_rate = number(learning_rate, "NoamDecay", "learning_rate")
        self.d_model = number(d_model, "NoamDecay", "d_model")
        self.warmup_steps = number(warmup_steps, "NoamDecay", "warmup_steps")
        for name in ("d_model", "warmup_steps"):
            if not getattr(self, name) > 0:
                raise ArgumentValueError(message("NoamDecay", name, getattr(self, name), "a number above 0"))

    def rate(self) -> float:
        n = self.step_num
        rising = n * self.warmup_steps**-1.5
        return self.learning_rate * self.d_model**-0.5 * (min(n**-0.5, rising) if n > 0 else rising)


class PiecewiseDecay(LearningRateDecay):
    """The schedule values[0] before step boundaries[0], then values[1] before boundaries[1], and so on.

    Arguments:
        boundaries: step counts in ascending order.
        values: the learning rates, one more than boundaries.
        begin, step, dtype: as in LearningRateDecay.

    Raises:
        ArgumentTypeError: an argument is not a number.
        ArgumentValueError: values has not one element more than boundaries.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.dygraph.PiecewiseDecay([2, 4], [0.1, 0.2, 0.3], begin=3).step()
    0.2
    """

    def __init__(
        self, boundaries: Sequence[int], values: Sequence[float], begin: int, step: int = 1, dtype: Any = "float32"
    ) -> None:
        super().__init__(begin, step, dtype)
        if len(values) != len(boundaries) + 1:
            needs = f"{len(boundaries) + 1}, one more than boundaries"
            raise ArgumentValueError(message("PiecewiseDecay", "values", f"{len(values)} numbers", needs))
        self.boundaries = [number(v, "PiecewiseDecay", f"boundaries[{i}]") for i, v in enumerate(boundaries)]
        self.values = self.vars = [number(v, "PiecewiseDecay", f"values[{i}]") for i, v in enumerate(values)]

    def step(self) -> Any:
        """Return the rate at `self.step_num`: a number; the last one, as PaddlePaddle 1.8 has it, as a Variable [1]."""
        for boundary, value in zip(self.boundaries, self.values, strict=False):
            if self.step_num < boundary:
                return value
        return self.create_lr_var(self.values[-1])


class _RateDecay(FormulaDecay):
    """Base class of schedules that are a function of step_num / decay_steps and decay_rate."""

    def __init__(
        self,
        learning_rate: Any,
        decay_steps: int,
        decay_rate: float,
        staircase: bool = False,
        begin: int = 0,
        step: int = 1,
        dtype: Any = "float32",
    ) -> None:
        super().__init__(begin, step, dtype)
        where = type(self).__name__
        self.learning_rate = number(learning_rate, where, "learning_rate")
        self.decay_steps = positive(decay_steps, where, "decay_steps")
        self.decay_rate = number(decay_rate, where, "decay_rate")
        self.staircase = staircase

    def time(self) -> float:
        """Return step_num / decay_steps; with staircase rounded down."""
        time = self.step_num / self.decay_steps
        return math.floor(time) if self.staircase else time


def positive(value: Any, where: str, argument: str) -> float:
    """Convert a number to a float; raise unless it is above 0."""
    found = number(value, where, argument)
    if not found > 0:
        raise ArgumentValueError(message(where, argument, describe(value), "a number above 0"))
    return found


class ExponentialDecay(_RateDecay):
    """The schedule learning_rate * decay_rate^(step_num / decay_steps).

    Arguments:
        learning_rate: the initial learning rate.
        decay_steps: the number of steps in which the rate is multiplied by `decay_rate`.
        decay_rate: the factor.
        staircase: whether to change the rate only every `decay_steps` steps.
        begin, step, dtype: as in LearningRateDecay.

    Raises:
        ArgumentTypeError: an argument is not a number.
        ArgumentValueError: decay_steps is not above 0.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     round(float(fluid.dygraph.ExponentialDecay(0.1, 3, 0.5, begin=6).step().numpy()[0]), 6)
    0.025
    """

    def rate(self) -> float:
        return self.learning_rate * self.decay_rate ** self.time()


class NaturalExpDecay(_RateDecay):
    """The schedule learning_rate * e^(-decay_rate * step_num / decay_steps).

    Arguments:
        learning_rate: the initial learning rate.
        decay_steps, decay_rate: the rate is divided by e in decay_steps / decay_rate steps.
        staircase: whether to change the rate only every `decay_steps` steps.
        begin, step, dtype: as in LearningRateDecay.

    Raises:
        ArgumentTypeError: an argument is not a number.
        ArgumentValueError: decay_steps is not above 0.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     round(float(fluid.dygraph.NaturalExpDecay(0.1, 3, 0.5, begin=6).step().numpy()[0]), 6)
    0.036788
    """

    def rate(self) -> float:
        return self.learning_rate * math.exp(-self.decay_rate * self.time())


class InverseTimeDecay(_RateDecay):
    """The schedule learning_rate / (1 + decay_rate * step_num / decay_steps).

    Arguments:
        learning_rate: the initial learning rate.
        decay_steps, decay_rate: the rate is halved after decay_steps / decay_rate steps.
        staircase: whether to change the rate only every `decay_steps` steps.
        begin, step, dtype: as in LearningRateDecay.

    Raises:
        ArgumentTypeError: an argument is not a number.
        ArgumentValueError: decay_steps is not above 0.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     round(float(fluid.dygraph.InverseTimeDecay(0.1, 3, 0.5, begin=6).step().numpy()[0]), 6)
    0.05
    """

    def rate(self) -> float:
        return self.learning_rate / (1 + self.decay_rate * self.time())


class PolynomialDecay(FormulaDecay):
    """A schedule from learning_rate to end_learning_rate in decay_steps steps, following (1 - step_num /
    decay_steps)^power.

    Arguments:
        learning_rate: the initial learning rate.
        decay_steps: the number of steps.
        end_learning_rate: the final learning rate.
        power: the exponent; 1 for linear decay.
        cycle: whether to restart with a multiple of decay_steps, instead of keeping the final rate.
        begin, step, dtype: as in LearningRateDecay.

    Raises:
        ArgumentTypeError: an argument is not a number.
        ArgumentValueError: decay_steps is not above 0.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     round(float(fluid.dygraph.PolynomialDecay(0.5, 4, 0.25, begin=2).step().numpy()[0]), 6)
    0.375
    """

    def __init__(
        self,
        learning_rate: Any,
        decay_steps: int,
        end_learning_rate: float = 0.0001,
        power: float = 1.0,
        cycle: bool = False,
        begin: int = 0,
        step: int = 1,
        dtype: Any = "float32",
    ) -> None:
        super().__init__(begin, step, dtype)
        self.learning_rate = number(learning_rate, "PolynomialDecay", "learning_rate")
        self.decay_steps = positive(decay_steps, "PolynomialDecay", "decay_steps")
        self.end_learning_rate = number(end_learning_rate, "PolynomialDecay", "end_learning_rate")
        self.power = number(power, "PolynomialDecay", "power")
        self.cycle = cycle

    def rate(self) -> float:
        begun = max(1, math.ceil(self.step_num / self.decay_steps)) if self.cycle else 1
        part = min(1.0, self.step_num / (begun * self.decay_steps))
        return (self.learning_rate - self.end_learning_rate) * (1 - part) ** self.power + self.end_learning_rate


class CosineDecay(FormulaDecay):
    """The schedule learning_rate * (1 + cos(pi * epoch / epochs)) / 2, where epoch is step_num // step_each_epoch.

    Source: Loshchilov and Hutter, "SGDR: stochastic gradient descent with warm restarts", 2017, without the restarts.

    Arguments:
        learning_rate: the initial learning rate.
        step_each_epoch: the number of steps in an epoch.
        epochs: the number of epochs after which the rate is 0.
        begin, step, dtype: as in LearningRateDecay.

    Raises:
        ArgumentTypeError: an argument is not a number.
        ArgumentValueError: step_each_epoch or epochs is not above 0.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     round(float(fluid.dygraph.CosineDecay(0.1, 10, 3, begin=25).step().numpy()[0]), 6)
    0.025
    """

    def __init__(
        self,
        learning_rate: Any,
        step_each_epoch: int,
        epochs: int,
        begin: int = 0,
        step: int = 1,
        dtype: Any = "float32",
    ) -> None:
        super().__init__(begin, step, dtype)
        self.learning_rate = number(learning_rate, "CosineDecay", "learning_rate")
        self.step_each_epoch = positive(step_each_epoch, "CosineDecay", "step_each_epoch")
        self.epochs = positive(epochs, "CosineDecay", "epochs")

    def rate(self) -> float:
        epoch = math.floor(self.step_num / self.step_each_epoch)
        return self.learning_rate * 0.5 * (math.cos(epoch * math.pi / self.epochs) + 1)


class LinearLrWarmup(LearningRateDecay):
    """A schedule that rises linearly from start_lr to end_lr in warmup_steps steps, then follows another schedule or a
    constant.

    The other schedule counts steps from the first step of the warmup.

    Arguments:
        learning_rate: the schedule or the constant rate after the warmup.
        warmup_steps: the number of steps of the warmup.
        start_lr, end_lr: the rates at the start and the end of the warmup; end_lr must be above start_lr.
        begin, step, dtype: as in LearningRateDecay.

    Raises:
        ArgumentTypeError: learning_rate is neither a number nor a LearningRateDecay.
        ArgumentValueError: end_lr is not above start_lr, or warmup_steps is not above 0.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.dygraph.LinearLrWarmup(0.5, 4, 0.25, 0.5, begin=2).step()
    0.375
    """

    def __init__(
        self,
        learning_rate: Any,
        warmup_steps: int,
        start_lr: float,
        end_lr: float,
        begin: int = 1,
        step: int = 1,
        dtype: Any = "float32",
    ) -> None:
        super().__init__(begin, step, dtype)
        if isinstance(learning_rate, bool) or not isinstance(learning_rate, (int, float, LearningRateDecay)):
            needs = "a number or a LearningRateDecay"
            raise ArgumentTypeError(message("LinearLrWarmup", "learning_rate", describe(learning_rate), needs))
        self.learning_rate = learning_rate
        self.warmup_steps = positive(warmup_steps, "LinearLrWarmup", "warmup_steps")
        self.start_lr = number(start_lr, "LinearLrWarmup", "start_lr")
        end = number(end_lr, "LinearLrWarmup", "end_lr")
        if not end > self.start_lr:
            raise ArgumentValueError(
                message("LinearLrWarmup", "end_lr", end, f"a rate above start_lr, {self.start_lr}")
            )
        self.lr_ratio_before_warmup = (end - self.start_lr) / self.warmup_steps

    def step(self) -> Any:
        """Return the rate at `self.step_num`: a number; of another schedule, which advances, a Variable [1]."""
        after = self.learning_rate
        return self._now(after() if isinstance(after, LearningRateDecay) else after)

    def peek(self) -> float:
        """Return the rate of this step without advancing either schedule."""
        after = self.learning_rate
        return self._now(after.peek() if isinstance(after, LearningRateDecay) else after)

    def _now(self, after: Any) -> Any:
        """Return the rate of the warmup, or the one after it."""
        if self.step_num < self.warmup_steps:
            return self.start_lr + self.lr_ratio_before_warmup * self.step_num
        return after

    def set_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Load the state that `state_dict` returned; the other schedule advances by the same number of steps."""
        before, after = self.step_num, self.learning_rate
        super().set_dict(state_dict)
        if isinstance(after, LearningRateDecay):
            after.step_num += (self.step_num - before) // self.step_size * after.step_size
