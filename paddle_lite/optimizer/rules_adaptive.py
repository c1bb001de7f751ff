"""Optimizers whose step in each element depends on the gradients that it had."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..ops import optimizer as operators
from .optimizer import Optimizer
from .rule import Accumulator
from .schedule_base import LearningRateDecay, number


class Adagrad(Optimizer):
    """Adagrad: moment += grad^2; param -= learning_rate * grad / (sqrt(moment) + epsilon).

    Duchi, Hazan and Singer, "Adaptive subgradient methods for online learning and stochastic optimization", 2011.

    Arguments:
        learning_rate: a float, or a LearningRateDecay.
        epsilon: added to the root of the moment.
        parameter_list: the parameters to train; needed in imperative mode.
        regularization: L1Decay or L2Decay for parameters without one of their own.
        grad_clip: a gradient clip.
        name: stands in the names of what the optimizer keeps.
        initial_accumulator_value: the first value of the moment.
    """

    operator = operators.adagrad
    accumulators = (Accumulator("Moment", "moment"),)

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


class DecayedAdagrad(Optimizer):
    """Adagrad that forgets: moment = decay * moment + (1 - decay) * grad^2;
    param -= learning_rate * grad / (sqrt(moment) + epsilon).

    Arguments:
        learning_rate: a float, or a LearningRateDecay.
        decay: how much of the moment stays, between 0 and 1.
        epsilon: added to the root of the moment.
        parameter_list: the parameters to train; needed in imperative mode.
        regularization: L1Decay or L2Decay for parameters without one of their own.
        grad_clip: a gradient clip.
        name: stands in the names of what the optimizer keeps.
    """

    operator = operators.decayed_adagrad
    accumulators = (Accumulator("Moment", "moment"),)

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


AdagradOptimizer = Adagrad
DecayedAdagradOptimizer = DecayedAdagrad
