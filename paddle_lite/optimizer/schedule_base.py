"""LearningRateDecay: the base class of learning-rate schedules of imperative mode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core import unique_name
from ..core.dtype import to_numpy
from ..core.errors import ArgumentTypeError, ArgumentValueError, MissingKeyError, describe, message
from ..core.mode import ByMode
from ..imperative.python_operators import is_variable
from ..imperative.variable import Variable
from ..layers.control.global_variables import create_global_var
from ..ops.support.require import is_number


def number(value: Any, where: str, argument: str) -> float:
    """Convert a number or a Variable of one element to a float; raise for anything else."""
    array = value.array if is_variable(value) else value
    if not is_number(array):
        raise ArgumentTypeError(message(where, argument, describe(value), "a number, or a Variable of one element"))
    return float(array.reshape(-1)[0]) if is_variable(value) else float(array)


def count(value: Any, where: str, argument: str, least: int = 0) -> int:
    """Convert an integer of at least `least` to an int; raise for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise ArgumentTypeError(message(where, argument, describe(value), "an int"))
    if value < least:
        raise ArgumentValueError(message(where, argument, value, f"an int of {least} or more"))
    return int(value)


_rate = ByMode(
    imperative=lambda name, rate, dtype: Variable(np.array([rate], to_numpy(dtype)), name=name),
    static=lambda name, rate, dtype: create_global_var([1], rate, dtype, persistable=True, name=name),
)


class LearningRateDecay:
    """Base class of learning-rate schedules: an optimizer reads the rate of each step from it.

    A custom schedule overrides `step`, which computes the rate from `self.step_num`, or `__call__`, which also counts.

    Arguments:
        begin: the initial value of `step_num`.
        step: the increase of `step_num` in each step.
        dtype: the dtype of the Variable that a call returns.

    >>> import paddle_lite as paddle, paddle_lite.fluid as fluid
    >>> class Halving(fluid.dygraph.LearningRateDecay):
    ...     def step(self):
    ...         return 0.5 ** self.step_num
    >>> paddle.enable_imperative()
    >>> halving = Halving()
    >>> [float(halving().numpy()[0]) for _ in range(3)]
    [1.0, 0.5, 0.25]
    """

    keys: tuple[str, ...] = ("step_num",)
    counts_steps = True  # whether the state of an optimizer contains the count as "global_step", too

    def __init__(self, begin: int = 0, step: int = 1, dtype: Any = "float32") -> None:
        for name, value in (("begin", begin), ("step", step)):
            number(value, type(self).__name__, name)
        self.step_num = begin
        self.step_size = step
        self.dtype = dtype

    def step(self) -> Any:
        """Return the rate at `self.step_num`, a number or a Variable."""
        raise NotImplementedError(f"{type(self).__name__} does not say what the rate is: define step()")

    def __call__(self) -> Any:
        """Return the rate of this step as a Variable [1], and advance to the next step."""
        return self.create_lr_var(self.advance())

    def create_lr_var(self, lr: float) -> Any:
        """Return a rate as a Variable [1]; in static mode one to which the startup Program gives the rate."""
        return _rate(unique_name.generate("learning_rate"), lr, self.dtype)

    def advance(self) -> float:
        """Return the rate of this step, and advance to the next step."""
        rate = self._rate_of_step()
        self.step_num += self.step_size
        return rate

    def peek(self) -> float:
        """Return the rate of this step without advancing."""
        return self._rate_of_step()

    def _rate_of_step(self) -> float:
        """Return what `step` says as a float."""
        return number(self.step(), f"{type(self).__name__}.step", "the rate")

    def state_dict(self) -> dict[str, Any]:
        """Return the state to save, by name."""
        state = {key: getattr(self, key) for key in self.keys}
        return {k: number(v, type(self).__name__, k) if is_variable(v) else v for k, v in state.items()}

    def set_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Load the state that `state_dict` returned.

        Raises:
            MissingKeyError: entries are missing; the error names all of them.
        """
        missing = [key for key in self.keys if key not in state_dict]
        if missing:
            needs = f"the state of a {type(self).__name__}: {', '.join(self.keys)}"
            raise MissingKeyError(
                message(f"{type(self).__name__}.set_dict", "state_dict", f"no entry for {', '.join(missing)}", needs)
            )
        for key in self.keys:
            value = state_dict[key]
            value = value.array if is_variable(value) else value
            setattr(self, key, value.reshape(-1)[0].item() if isinstance(value, np.ndarray) else value)

    load_dict = set_dict


class FormulaDecay(LearningRateDecay):
    """Base class of schedules whose `step` returns a Variable, as PaddlePaddle 1.8's do: `rate` is the formula."""

    def rate(self) -> float:
        """Return the rate at `self.step_num`; a subclass defines it."""
        raise NotImplementedError(f"{type(self).__name__} does not say what its rate is: define rate()")

    def step(self) -> Any:
        """Return the rate at `self.step_num` as a Variable [1]."""
        return self.create_lr_var(self.rate())

    def _rate_of_step(self) -> float:
        """Return the rate; of a subclass that defines `step` anew, what that says."""
        return self.rate() if type(self).step is FormulaDecay.step else super()._rate_of_step()
