"""What a model of these tests tells of itself; a file of this folder holds one, and `ALL` of ../models_of.py finds it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from paddle_lite import fluid


class Model:
    """A network with a small problem for it. `net` is made by `build()`, under fixed seeds.

    rounds: steps of training in which declared and plain are compared, each with another batch.
    atol: how far gradients and parameters may be apart, beyond a ten-thousandth of their values; losses and outputs have the hundredth of it.
    apart: the ends of names of parameters that may be farther apart, and how far.
    rate: of the optimizer.
    fit, falls: after `fit` steps on one batch the loss is below `falls` times the first one.
    control: the types of the operators with blocks that the saved model holds.
    """

    rounds = 3
    atol = 2e-5
    apart: Mapping[str, float] = {}
    rate = 0.01
    fit, falls = 20, 0.5
    control: frozenset[str] | set[str] = frozenset()

    def __init__(self) -> None:
        self.net = self.build()

    def tolerance(self, name: str) -> float:
        """Return how far the gradients and values of a parameter may be apart."""
        return next((far for end, far in self.apart.items() if name.endswith(end)), self.atol)

    def build(self) -> fluid.dygraph.Layer:
        """The network, of which at least what `loss` and `predict` call is declared."""
        raise NotImplementedError

    def batch(self, numbers: np.random.RandomState) -> list[Any]:
        """The arguments of `loss`: Variables. The test asks for gradients of those that hold fractions."""
        raise NotImplementedError

    def loss(self, *batch: Any) -> Any:
        """The loss [1]; or a tuple, of it and of other Variables to compare."""
        return self.net(*batch)

    def optimizer(self, parameters: list[Any]) -> Any:
        """What trains the parameters."""
        return fluid.optimizer.AdamOptimizer(self.rate, parameter_list=parameters)

    def inputs(self, numbers: np.random.RandomState, size: int) -> list[Any]:
        """The arguments of `predict` for a batch of some size: arrays, or LoDTensors."""
        raise NotImplementedError

    def examples(self, numbers: np.random.RandomState) -> list[list[Any]]:
        """Arguments of `predict` to compare; with those of the first the model is saved.

        Where values decide what runs, among the others there are some for which other branches run.
        """
        return [self.inputs(numbers, size) for size in (2, 1, 5)]

    def predict(self, *inputs: Any) -> Any:
        """What the saved model computes, called in eval mode: one call of something declared."""
        return self.net(*inputs)
