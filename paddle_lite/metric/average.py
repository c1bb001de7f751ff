"""Weighted averages over batches."""

from __future__ import annotations

from typing import Any

from .base import no_data, number

__all__ = ["WeightedAverage"]


class WeightedAverage:
    """Accumulates the weighted average of values.

    >>> import paddle_lite.fluid as fluid
    >>> mean = fluid.average.WeightedAverage()
    >>> mean.add(value=2.0, weight=1)
    >>> mean.add(value=4.0, weight=3)
    >>> mean.eval()
    3.5
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Discard all values."""
        self.numerator: Any = 0
        self.denominator: Any = 0

    def add(self, value: Any, weight: Any) -> None:
        """Add a value.

        Arguments:
            value: a number or an ndarray.
            weight: a number, or an ndarray of one element.
        """
        number("WeightedAverage.add", "value", value)
        number("WeightedAverage.add", "weight", weight)
        self.numerator = self.numerator + value * weight
        self.denominator = self.denominator + weight

    def eval(self) -> Any:
        """Return the weighted average, of the type of the values.

        Raises:
            ArgumentValueError: no value was added.
        """
        if self.denominator == 0:
            raise no_data("WeightedAverage", "values", "add")
        return self.numerator / self.denominator
