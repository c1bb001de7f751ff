"""Base classes of metrics that accumulate over batches."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message

__all__ = ["CompositeMetric", "MetricBase"]


class MetricBase:
    """Base class of metrics: `update` accumulates into attributes, from which `eval` computes the metric.

    Arguments:
        name: the name of the metric; the name of the class where it is None.

    >>> import paddle_lite.fluid as fluid
    >>> class Loss(fluid.metrics.MetricBase):
    ...     def __init__(self):
    ...         super().__init__("loss")
    ...         self.total = 0.0
    ...     def update(self, preds, labels):
    ...         self.total += abs(preds - labels)
    ...     def eval(self):
    ...         return self.total
    >>> loss = Loss()
    >>> loss.update(3.0, 1.0)
    >>> loss.eval(), loss.get_config()
    (2.0, {'name': 'loss', 'states': {'total': 2.0}})
    """

    def __init__(self, name: str | None) -> None:
        self._name = str(name) if name is not None else type(self).__name__

    def __str__(self) -> str:
        return self._name

    def _states(self) -> dict[str, Any]:
        """Return the attributes that are accumulated: those without a leading underscore."""
        return {name: value for name, value in vars(self).items() if not name.startswith("_")}

    def reset(self) -> None:
        """Discard all batches: set numbers and arrays to 0 and other attributes to None. Private attributes are kept."""
        for name, value in self._states().items():
            if isinstance(value, (np.ndarray, np.generic)):
                setattr(self, name, np.zeros_like(value))
            else:
                setattr(self, name, type(value)(0) if isinstance(value, (int, float)) else None)

    def get_config(self) -> dict[str, Any]:
        """Return the name and a copy of the accumulated attributes."""
        return {"name": self._name, "states": copy.deepcopy(self._states())}

    def update(self, preds: Any, labels: Any) -> None:
        """Add a batch."""
        raise NotImplementedError(f"{type(self).__name__}.update: a metric defines it")

    def eval(self) -> Any:
        """Return the metric over all batches since the last reset."""
        raise NotImplementedError(f"{type(self).__name__}.eval: a metric defines it")


class CompositeMetric(MetricBase):
    """Computes several metrics of the same predictions.

    Arguments:
        name: the name of the metric.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> both = fluid.metrics.CompositeMetric()
    >>> both.add_metric(fluid.metrics.Precision())
    >>> both.add_metric(fluid.metrics.Recall())
    >>> both.update(preds=np.array([0.1, 0.7, 0.8]), labels=np.array([0, 1, 0]))
    >>> both.eval()
    [0.5, 1.0]
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__(name)
        self._metrics: list[MetricBase] = []

    def add_metric(self, metric: MetricBase) -> None:
        """Add a metric.

        Raises:
            ArgumentTypeError: metric is not a MetricBase.
        """
        if not isinstance(metric, MetricBase):
            raise ArgumentTypeError(message("CompositeMetric.add_metric", "metric", describe(metric), "a metric"))
        self._metrics.append(metric)

    def update(self, preds: Any, labels: Any) -> None:
        """Add a batch to each metric."""
        for metric in self._metrics:
            metric.update(preds, labels)

    def reset(self) -> None:
        """Discard all batches of each metric."""
        for metric in self._metrics:
            metric.reset()

    def eval(self) -> list[Any]:
        """Return a list with the value of each metric, in the order in which they were added."""
        return [metric.eval() for metric in self._metrics]


def number(where: str, argument: str, value: Any, whole: bool = False) -> Any:
    """Return `value` if it is a number or an ndarray; raise otherwise. With `whole` only integers are accepted."""
    kinds = (int, np.integer) if whole else (int, float, np.number)
    if not isinstance(value, (*kinds, np.ndarray)):
        needs = "a whole number or an ndarray" if whole else "a number or an ndarray"
        raise ArgumentTypeError(message(where, argument, describe(value), needs))
    return value


def array(where: str, argument: str, value: Any) -> np.ndarray:
    """Return `value` if it is an ndarray; raise otherwise."""
    if not isinstance(value, np.ndarray):
        fix = "A Variable has it in numpy()."
        raise ArgumentTypeError(message(where, argument, describe(value), "an ndarray", fix))
    return value


def no_data(where: str, source: str, call: str = "update") -> ArgumentValueError:
    """Return the error of a metric that is evaluated before the first batch."""
    fix = f"Call {call}() with {source}."
    return ArgumentValueError(message(f"{where}.eval", "the metric", "no data", "a batch", fix))
