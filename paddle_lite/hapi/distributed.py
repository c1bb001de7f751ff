"""The parts of a data set for the processes of a job."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..distributed.environment import ParallelEnv
from ..distributed.parallel import prepare_context
from ..reader.dataset import BatchSampler

__all__ = ["DistributedBatchSampler"]


class DistributedBatchSampler(BatchSampler):
    """Iterates over the indices of the batches of this process; the processes of a job share the samples evenly.

    The first samples are repeated at the end where their number is not divisible by that of the processes. The order of
    an epoch depends on its number only, the same in all processes.

    Arguments:
        dataset: data with a length, for example a paddle.io.Dataset.
        batch_size: the number of indices in a batch, at least 1.
        shuffle: whether to shuffle the samples, anew in each epoch.
        drop_last: whether to drop the last batch if it is incomplete.

    Raises:
        ArgumentValueError: `batch_size` is not a positive int.
        ArgumentTypeError: `shuffle` or `drop_last` is not a bool.

    >>> import paddle_lite as paddle
    >>> sampler = paddle.hapi.distributed.DistributedBatchSampler(range(5), batch_size=2)
    >>> list(sampler), len(sampler)
    ([[0, 1], [2, 3], [4]], 3)
    """

    def __init__(self, dataset: Any, batch_size: int, shuffle: bool = False, drop_last: bool = False) -> None:
        where = "DistributedBatchSampler"
        if isinstance(batch_size, bool) or not isinstance(batch_size, int) or batch_size < 1:
            raise ArgumentValueError(message(where, "batch_size", describe(batch_size), "a positive int"))
        for name, value in (("shuffle", shuffle), ("drop_last", drop_last)):
            if not isinstance(value, bool):
                raise ArgumentTypeError(message(where, name, describe(value), "True or False"))
        self.dataset, self.batch_size, self.shuffle, self.drop_last = dataset, batch_size, shuffle, drop_last
        env = ParallelEnv()
        self.nranks, self.local_rank = env.nranks, env.local_rank
        self.epoch = 0
        self._count = len(dataset)
        self.num_samples = math.ceil(self._count / self.nranks)
        self.total_size = self.num_samples * self.nranks

    def __iter__(self) -> Iterator[list[int]]:
        """Iterate over the index lists of an epoch; the next iteration is the next epoch."""
        order = list(range(self._count))
        order += order[: self.total_size - len(order)]
        if self.shuffle:
            np.random.RandomState(self.epoch).shuffle(order)
            self.epoch += 1
        own = self._of_this_process(order)
        for start in range(0, len(own), self.batch_size):
            batch = own[start : start + self.batch_size]
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def _of_this_process(self, order: list[int]) -> list[int]:
        """Return the samples of this process: one batch of each full round, and its share of the rest."""
        in_a_round = self.batch_size * self.nranks
        in_rounds = len(order) // in_a_round * in_a_round
        own = []
        for start in range(self.local_rank * self.batch_size, in_rounds, in_a_round):
            own += order[start : start + self.batch_size]
        share = (len(order) - in_rounds) // self.nranks
        first = in_rounds + self.local_rank * share
        return own + order[first : first + share]

    def __len__(self) -> int:
        """Return the number of batches in an epoch."""
        return (self.num_samples + (0 if self.drop_last else self.batch_size - 1)) // self.batch_size

    def set_epoch(self, epoch: int) -> None:
        """Set the number of the next epoch, on which its order depends."""
        self.epoch = epoch


def prepare_distributed_context(place: Any = None) -> None:
    """Connect the processes of a job; with one process do nothing.

    Arguments:
        place: the place of this process; ignored.

    Raises:
        ModeError: MPI is not installed, or the endpoints of the processes are not known.
        PeerError: a process is lost, or does not come before FLAGS_rpc_deadline.

    >>> prepare_distributed_context()
    """
    prepare_context()
