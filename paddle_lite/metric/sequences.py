"""Metrics of predicted sequences: chunks and edit distance."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.errors import ShapeError, describe, message
from .base import MetricBase, array, no_data, number

__all__ = ["ChunkEvaluator", "EditDistance"]


class ChunkEvaluator(MetricBase):
    """Accumulates precision, recall and F1 of chunks (for example named entities) in sequences of tags.

    Arguments:
        name: the name of the metric; the name of the class where it is None.

    >>> import paddle_lite.fluid as fluid
    >>> chunks = fluid.metrics.ChunkEvaluator()
    >>> chunks.update(num_infer_chunks=10, num_label_chunks=8, num_correct_chunks=6)
    >>> precision, recall, f1 = chunks.eval()
    >>> precision, recall
    (0.6, 0.75)
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__(name)
        self.num_infer_chunks: Any = 0
        self.num_label_chunks: Any = 0
        self.num_correct_chunks: Any = 0

    def update(  # type: ignore[override]
        self, num_infer_chunks: Any, num_label_chunks: Any, num_correct_chunks: Any
    ) -> None:
        """Add a batch.

        Arguments:
            num_infer_chunks: the number of predicted chunks, an int or an ndarray of one element.
            num_label_chunks: the number of true chunks.
            num_correct_chunks: the number of correctly predicted chunks.

        Raises:
            ArgumentTypeError: a count is not an integer or an ndarray.
            ShapeError: it is more than one number.
        """
        where = "ChunkEvaluator.update"
        counts = (num_infer_chunks, num_label_chunks, num_correct_chunks)
        for name, count in zip(("num_infer_chunks", "num_label_chunks", "num_correct_chunks"), counts, strict=True):
            if np.size(count) != 1:
                raise ShapeError(message(where, name, describe(count), "one number"))
        found = number(where, "num_infer_chunks", num_infer_chunks, whole=True)
        there = number(where, "num_label_chunks", num_label_chunks, whole=True)
        correct = number(where, "num_correct_chunks", num_correct_chunks, whole=True)
        self.num_infer_chunks = self.num_infer_chunks + found
        self.num_label_chunks = self.num_label_chunks + there
        self.num_correct_chunks = self.num_correct_chunks + correct

    def eval(self) -> tuple[Any, Any, Any]:
        """Return (precision, recall, F1); each is 0 where it is undefined."""
        correct = self.num_correct_chunks
        precision = correct / self.num_infer_chunks if self.num_infer_chunks else 0
        recall = correct / self.num_label_chunks if self.num_label_chunks else 0
        return precision, recall, 2 * precision * recall / (precision + recall) if correct else 0


class EditDistance(MetricBase):
    """Accumulates the mean edit distance of sequences, and the fraction of wrong sequences.

    Arguments:
        name: the name of the metric.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> distance = fluid.metrics.EditDistance("distance")
    >>> distance.update(distances=np.array([[0.0], [2.0], [1.0], [0.0]]), seq_num=4)
    >>> mean, wrong = distance.eval()
    >>> float(mean), float(wrong)
    (0.75, 0.5)
    """

    def __init__(self, name: str | None) -> None:
        super().__init__(name)
        self.total_distance: Any = 0.0
        self.seq_num: Any = 0
        self.instance_error: Any = 0

    def update(self, distances: Any, seq_num: Any) -> None:
        """Add a batch.

        Arguments:
            distances: an ndarray with the edit distance of each sequence.
            seq_num: the number of sequences, an int or an ndarray of one element.

        Raises:
            ArgumentTypeError: distances is not an ndarray, or seq_num is not a number.
        """
        where = "EditDistance.update"
        right = int(np.sum(array(where, "distances", distances) == 0))
        self.seq_num = self.seq_num + number(where, "seq_num", seq_num)
        self.instance_error = self.instance_error + (seq_num - right)
        self.total_distance = self.total_distance + float(np.sum(distances))

    def eval(self) -> tuple[Any, Any]:
        """Return (mean distance, fraction of sequences with a distance above 0).

        Raises:
            ArgumentValueError: there was no batch.
        """
        if np.all(self.seq_num == 0):
            raise no_data("EditDistance", "edit distances")
        return self.total_distance / self.seq_num, self.instance_error / self.seq_num
