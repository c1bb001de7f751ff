"""The other processes of a job in which a Model runs: gradients are averaged, results of evaluation and prediction collected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..distributed.collective.current import group
from ..distributed.environment import ParallelEnv
from .utils import flatten_list, restore_flatten_list


class Workers:
    """The processes of a job, each of which has the whole Model and a part of the data.

    Attributes:
        env: which one this is.
        many: whether there are others.
        left: samples of the dataset whose results are not there yet; None where it is not known.
    """

    def __init__(self) -> None:
        self.env = ParallelEnv()
        self.many = self.env.nranks > 1
        self.left: int | None = None

    def begin(self, loader: Any) -> None:
        """Note how many samples a pass over the data has; the last batches of some processes repeat the first samples."""
        sampler = getattr(loader, "batch_sampler", None)
        self.left = getattr(sampler, "_count", None) if self.many else None

    def collect(self, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Return the rows of all processes, in the order of the data, without those that are there twice."""
        if not self.many or not arrays:
            return list(arrays)
        found = [np.concatenate(group().allgather(array)) for array in arrays]
        if self.left is not None:
            kept = min(self.left, len(found[0]))
            self.left -= kept
            found = [array[:kept] for array in found]
        return found

    def results(self, metrics: Sequence[Any], losses: Sequence[Any], states: Sequence[Any], whole: bool) -> Any:
        """Return the losses of a batch, and in a tuple with them what the `update` of each metric returned, if there are any.

        Arguments:
            metrics: of the Model.
            losses: of this process.
            states: for each metric the arrays that its `update` takes, with a row for each sample.
            whole: whether the results of all processes count, not those of this one.
        """
        arrays, lengths = flatten_list(states)
        if whole:
            losses, arrays = self._mean(losses), self.collect(arrays)
        updated = [
            metric.update(*state) for metric, state in zip(metrics, restore_flatten_list(arrays, lengths), strict=True)
        ]
        return (losses, updated) if updated else losses

    def _mean(self, losses: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Return the means of losses over the processes."""
        if not self.many or not losses:
            return list(losses)
        sums = [np.array(loss) for loss in losses]
        group().allreduce(sums)
        return [total / total.dtype.type(self.env.nranks) for total in sums]
