"""Regularizers: weight penalties whose gradients are added to those of the loss."""

from __future__ import annotations

from typing import Any

from ..core.errors import ArgumentTypeError, describe, message
from ..ops.framework import registry
from ..ops.math.arithmetic import scale
from ..ops.support.require import is_number
from .gradients import L1, L2


class WeightDecayRegularizer:
    """Base class of regularizers. A custom one defines `__call__`, which returns what is added to the gradient of a
    parameter.

    Attributes:
        row: the row of `regularization_coeff` in a table of changes (see params.gradients); None for a regularizer that
            has to be called.
    """

    row: int | None = None
    regularization_coeff: float

    def __init_subclass__(cls) -> None:
        if "__call__" in vars(cls) and "row" not in vars(cls):
            cls.row = None

    def __call__(self, param: Any, grad: Any, block: Any = None) -> Any:
        """Return the gradient of the penalty, a Variable of the shape of the parameter."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it adds to a gradient: define __call__")


class _Decay(WeightDecayRegularizer):
    """Base class of penalties with one coefficient."""

    def __init__(self, regularization_coeff: float = 0.0) -> None:
        number = regularization_coeff
        if not is_number(number):
            raise ArgumentTypeError(
                message(self._short(), "regularization_coeff", describe(number), "a number, e.g. 1e-4")
            )
        self.regularization_coeff = float(number)

    @property
    def _regularization_coeff(self) -> float:
        """The coefficient, by the name that Paddle has for it."""
        return self.regularization_coeff

    @classmethod
    def _short(cls) -> str:
        """Return the name that programs use: L2Decay for L2DecayRegularizer."""
        return cls.__name__.removesuffix("Regularizer")

    def __repr__(self) -> str:
        return f"{self._short()}(regularization_coeff={self.regularization_coeff})"

    def __str__(self) -> str:
        return f"{self._short()}, regularization_coeff={self.regularization_coeff:f}"


class L2DecayRegularizer(_Decay):
    """The penalty regularization_coeff / 2 * sum(param^2), which adds regularization_coeff * param to the gradient.

    Arguments:
        regularization_coeff: the coefficient, a number.

    Raises:
        ArgumentTypeError: the coefficient is not a number.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.regularizer.L2Decay(0.1)
    L2Decay(regularization_coeff=0.1)
    """

    row = L2

    def __call__(self, param: Any, grad: Any, block: Any = None) -> Any:
        """Return regularization_coeff * param."""
        return scale.call(param, scale=self.regularization_coeff)


class L1DecayRegularizer(_Decay):
    """The penalty regularization_coeff * sum(|param|), which adds regularization_coeff * sign(param) to the gradient.

    Arguments:
        regularization_coeff: the coefficient, a number.

    Raises:
        ArgumentTypeError: the coefficient is not a number.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.regularizer.L1Decay(0.1)
    L1Decay(regularization_coeff=0.1)
    """

    row = L1

    def __call__(self, param: Any, grad: Any, block: Any = None) -> Any:
        """Return regularization_coeff * sign(param)."""
        return scale.call(registry.get("sign").call(param), scale=self.regularization_coeff)


L1Decay = L1DecayRegularizer
L2Decay = L2DecayRegularizer
