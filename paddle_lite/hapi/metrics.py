"""Metrics of a Model: numbers that accumulate over the batches of an epoch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.guarded import guarded_whole
from ..layers.math.arithmetic import cast
from ..layers.shape.sort import argsort

__all__ = ["Accuracy", "Metric"]


class Metric(ABC):
    """Base class of metrics of a Model.

    For each batch, `add_metric_op` computes from the outputs and labels of the Model, by operators; what it returns is
    passed to `update` as ndarrays. `accumulate` returns the metric of all batches since `reset`.

    >>> import numpy as np, paddle_lite as paddle
    >>> class Hits(paddle.hapi.metrics.Metric):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.reset()
    ...     def reset(self):
    ...         self.hits = 0
    ...     def update(self, output, label):
    ...         self.hits += int((output.argmax(1) == label[:, 0]).sum())
    ...         return self.hits
    ...     def accumulate(self):
    ...         return self.hits
    ...     def name(self):
    ...         return 'hits'
    >>> hits = Hits()
    >>> hits.update(np.float32([[0.2, 0.8], [0.7, 0.3]]), np.array([[1], [1]]))
    1
    """

    @abstractmethod
    def reset(self) -> None:
        """Forget all batches."""

    @abstractmethod
    def update(self, *args: Any) -> Any:
        """Add a batch.

        Arguments:
            args: what `add_metric_op` returned, as ndarrays.

        Returns:
            The metric of this batch, which `Model.train_batch` returns.
        """

    @abstractmethod
    def accumulate(self) -> Any:
        """Return the metric of all batches: a number, or a list of numbers."""

    @abstractmethod
    def name(self) -> str | list[str]:
        """Return the name of the metric, or one for each number."""

    def add_metric_op(self, *args: Any) -> Any:
        """Compute by operators from a batch; by default return outputs and labels as they are.

        Arguments:
            args: the outputs of the Model, then the labels: Variables.

        Returns:
            A Variable, or several.
        """
        return args


@guarded_whole
class Accuracy(Metric):
    """The share of samples whose label is among the `k` classes of the largest outputs, for each k of `topk`.

    Arguments:
        topk: the numbers k.
        name: the name of the metric, "acc" by default; with a k above 1, "_top" and k are appended.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> accuracy = paddle.hapi.metrics.Accuracy(topk=(1, 2))
    >>> output = paddle.imperative.to_variable(np.float32([[0.1, 0.6, 0.3], [0.1, 0.6, 0.3]]))
    >>> label = paddle.imperative.to_variable(np.array([[1], [2]]))
    >>> accuracy.update(accuracy.add_metric_op(output, label).numpy())
    [0.5, 1.0]
    >>> accuracy.name(), accuracy.accumulate()
    (['acc_top1', 'acc_top2'], [0.5, 1.0])
    """

    def __init__(self, topk: Sequence[int] = (1,), name: str | None = None) -> None:
        super().__init__()
        self.topk = topk
        self.maxk = max(topk)
        base = name or "acc"
        self._name = [base] if self.maxk == 1 else [f"{base}_top{k}" for k in topk]
        self.reset()

    def add_metric_op(self, pred: Any, label: Any, *args: Any) -> Any:
        """Return a float32 Variable [N, max(topk)]: 1 where the class of the k-th largest output is the label.

        Arguments:
            pred: the outputs [N, classes].
            label: the labels [N, 1].
            args: ignored.
        """
        largest = argsort(pred, descending=True)[1][:, : self.maxk]
        return cast(largest == label, "float32")

    def update(self, correct: np.ndarray, *args: Any) -> list[float]:
        """Add a batch; return its accuracy for each k.

        Arguments:
            correct: what `add_metric_op` returned, as an ndarray.
            args: ignored.
        """
        shares = []
        for i, k in enumerate(self.topk):
            hits = correct[:, :k].sum()
            self.total[i] += hits
            self.count[i] += len(correct)
            shares.append(float(hits) / len(correct))
        return shares

    def reset(self) -> None:
        """Forget all batches."""
        self.total = [0.0] * len(self.topk)
        self.count = [0] * len(self.topk)

    def accumulate(self) -> list[float]:
        """Return the accuracy of all batches for each k.

        Raises:
            ZeroDivisionError: there was no batch.
        """
        if 0 in self.count:
            raise ZeroDivisionError("Accuracy.accumulate: got no sample yet, needs an update() with a batch before.")
        return [float(total) / count for total, count in zip(self.total, self.count, strict=True)]

    def name(self) -> list[str]:
        """Return a name for each k."""
        return self._name
