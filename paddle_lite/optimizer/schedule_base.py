"""LearningRateDecay: the base of learning-rate schedules of imperative mode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core import unique_name
from ..core.dtype import to_numpy
from ..core.errors import ArgumentTypeError, ArgumentValueError, MissingKeyError, describe, message
from ..imperative.variable import Variable


def number(value: Any, where: str, argument: str) -> float:
    """A float from a number or a Variable of one element."""
    array = value.array if isinstance(value, Variable) else value
    if isinstance(value, (bool, str)) or not hasattr(array, "__float__") or getattr(array, "size", 1) != 1:
        raise ArgumentTypeError(message(where, argument, describe(value), "a number, or a Variable of one element"))
    return float(array.reshape(-1)[0]) if isinstance(value, Variable) else float(array)


def count(value: Any, where: str, argument: str, least: int = 0) -> int:
    """A whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise ArgumentTypeError(message(where, argument, describe(value), "an int"))
    if value < least:
        raise ArgumentValueError(message(where, argument, value, f"an int of {least} or more"))
    return int(value)


class LearningRateDecay:
    """Base of learning-rate schedules: an optimizer asks it for the rate of each step.

    A schedule of your own overrides `step`, which computes the rate from `self.step_num`.

    Arguments:
        begin: the first value of `step_num`.
        step: by how much `step_num` grows with each step.
        dtype: of the Variable that a call returns.

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
    counts_steps = True  # whether an optimizer's state has the count as "global_step" too

    def __init__(self, begin: int = 0, step: int = 1, dtype: Any = "float32") -> None:
        self.step_num = begin
        self.step_size = step
        self.dtype = dtype

    def step(self) -> Any:
        """The rate at `self.step_num`, a number or a Variable."""
        raise NotImplementedError(f"{type(self).__name__} does not say what the rate is: define step()")

    def __call__(self) -> Variable:
        """The rate of this step as a Variable [1]; the schedule moves on to the next."""
        return self.create_lr_var(self.advance())

    def create_lr_var(self, lr: float) -> Variable:
        """A rate as a Variable [1]."""
        return Variable(np.array([lr], to_numpy(self.dtype)), name=unique_name.generate("learning_rate"))

    def advance(self) -> float:
        """The rate of this step; the schedule moves on to the next."""
        rate = number(self.step(), f"{type(self).__name__}.step", "the rate")
        self.step_num += self.step_size
        return rate

    def peek(self) -> float:
        """The rate of this step; nothing moves on."""
        return number(self.step(), f"{type(self).__name__}.step", "the rate")

    def state_dict(self) -> dict[str, Any]:
        """What has to be saved to go on from here, by name."""
        state = {key: getattr(self, key) for key in self.keys}
        return {k: number(v, type(self).__name__, k) if isinstance(v, Variable) else v for k, v in state.items()}

    def set_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on from where `state_dict` was taken.

        Raises:
            MissingKeyError: entries are missing; all of them are named.
        """
        missing = [key for key in self.keys if key not in state_dict]
        if missing:
            needs = f"the state of a {type(self).__name__}: {', '.join(self.keys)}"
            raise MissingKeyError(
                message(f"{type(self).__name__}.set_dict", "state_dict", f"no entry for {', '.join(missing)}", needs)
            )
        for key in self.keys:
            value = state_dict[key]
            value = value.array if isinstance(value, Variable) else value
            setattr(self, key, value.reshape(-1)[0].item() if isinstance(value, np.ndarray) else value)

    load_dict = set_dict
