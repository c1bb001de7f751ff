"""Readers that several processes share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from ...core.errors import ArgumentTypeError, describe, message
from ...core.guarded import boundary
from ..environment import ParallelEnv, check_trainer

__all__ = ["distributed_batch_reader"]


def distributed_batch_reader(batch_reader: Callable[[], Iterable[Any]]) -> Callable[[], Iterator[Any]]:
    """Give each trainer of a job its share of the batches: of n trainers the i-th one reads the batches i, n + i, 2 n + i ...

    The last batches are left out where they are not enough for all trainers. With one trainer it reads all batches.

    Arguments:
        batch_reader: a function that returns an iterator of batches, as `fluid.io.batch` returns it.

    Returns:
        A function that returns an iterator of batches.

    Raises:
        ArgumentTypeError: `batch_reader` is no function.
        ArgumentValueError: PADDLE_TRAINER_ID is not less than PADDLE_TRAINERS_NUM.

    >>> import paddle_lite.fluid as fluid
    >>> reader = fluid.contrib.reader.distributed_batch_reader(fluid.io.batch(lambda: iter(range(4)), 2))
    >>> list(reader())
    [[0, 1], [2, 3]]
    """
    if not callable(batch_reader):
        needs = "a function that returns an iterator of batches"
        raise ArgumentTypeError(message("distributed_batch_reader", "batch_reader", describe(batch_reader), needs))
    job = ParallelEnv()
    check_trainer("distributed_batch_reader", job.local_rank, job.nranks)

    @boundary
    def share() -> Iterator[Any]:
        batches = iter(batch_reader())
        while len(group := list(islice(batches, job.nranks))) == job.nranks:
            yield group[job.local_rank]

    return share
