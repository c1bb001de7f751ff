"""An epoch of a Model: its batches, and what callbacks are told of them."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..distributed.environment import ParallelEnv
from ..ops.support.nested_structure import flatten
from ..reader.dataset import Dataset
from ..reader.loader import DataLoader
from .callbacks import CallbackList
from .distributed import DistributedBatchSampler
from .utils import to_list

if TYPE_CHECKING:
    from .model import Model


def loader_of(
    data: Any, place: Any, batch_size: int, num_workers: int, shuffle: bool = False, drop_last: bool = False
) -> Any:
    """Return a DataLoader for a Dataset; anything else as it is, for it holds batches.

    Arguments:
        data: a Dataset, an iterable over batches, a function that returns one, or None.
        place: the place of the DataLoader.
        batch_size, num_workers, shuffle, drop_last: as for the DataLoader.
    """
    if not isinstance(data, Dataset):
        return data
    sampler = DistributedBatchSampler(data, batch_size=batch_size, shuffle=shuffle, drop_last=drop_last)
    return DataLoader(data, batch_sampler=sampler, places=place, num_workers=num_workers, return_list=True)


def length_of(loader: Any) -> int | None:
    """Return the number of batches; None where it is not known."""
    try:
        return len(loader)
    except Exception:
        return None


def run_epoch(model: Model, loader: Any, callbacks: CallbackList, mode: str) -> tuple[dict[str, Any], list[Any]]:
    """Run all batches; reset the metrics at the end.

    Arguments:
        model: the Model.
        loader: an iterable over batches, nested lists of inputs and labels, or a function that returns one.
        callbacks: what is called before and after each batch.
        mode: "train", "eval" or "test".

    Returns:
        (the logs of the last batch; for "test" the outputs of each batch).
    """
    logs: dict[str, Any] = {}
    outputs = []
    ranks = ParallelEnv().nranks
    given = _count_of_inputs(model)
    model._adapter.workers.begin(loader)
    batches = loader() if callable(loader) and not isinstance(loader, Iterable) else loader
    for step, batch in enumerate(batches):
        data = flatten(batch)
        callbacks.on_batch_begin(mode, step, logs)
        if mode == "test":
            outputs.append(model.test_batch(data[:given]))
        else:
            run = model.train_batch if mode == "train" else model.eval_batch
            results = run(data[:given], data[len(data) if given is None else given :])
            logs.update(zip(model._metrics_name(), _numbers(model, results), strict=True))
        shape = data[0].shape() if callable(data[0].shape) else data[0].shape  # a LoDTensor's is a method
        logs["step"] = step
        logs["batch_size"] = shape[0] * ranks
        callbacks.on_batch_end(mode, step, logs)
    model._reset_metrics()
    return logs, outputs


def _count_of_inputs(model: Model) -> int | None:
    """Return the number of inputs: those described, else the arguments of `forward`; None: all data are inputs."""
    if model._inputs is not None:
        return len(model._inputs)
    arguments = inspect.getfullargspec(model.forward)
    return None if arguments.varargs else len([name for name in arguments.args if name != "self"])


def _numbers(model: Model, results: Any) -> list[Any]:
    """Return the losses of a batch, and what the metrics have accumulated."""
    losses = results[0] if model._metrics else results
    numbers: list[Any] = [[loss[0] for loss in losses]]
    for metric in model._metrics:
        numbers.extend(to_list(metric.accumulate()))
    return numbers
