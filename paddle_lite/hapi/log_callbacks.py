"""Callbacks that keep the numbers of a training, or write them into logs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..distributed.environment import ParallelEnv
from ..logs.numbers import as_number
from ..logs.reading import Series
from ..logs.writer import LogWriter
from .callback import Callback

__all__ = ["History", "LogCallback", "TensorBoard", "VisualDL"]


class _Numbers(Callback):
    """Hands the numbers of steps and evaluations to `record`."""

    def __init__(self, log_freq: int = 1) -> None:
        super().__init__()
        self.log_freq = log_freq
        self.step = 0
        self._losses: dict[str, list[float]] = {}

    def record(self, name: str, value: float, step: int) -> None:
        """Take a number, such as "train/loss"."""
        raise NotImplementedError

    def on_train_batch_end(self, step: int, logs: Any = None) -> None:
        """Record the numbers of a step."""
        self.step += 1
        if self.step % self.log_freq == 0:
            for name, value in self._numbers(logs):
                self.record(f"train/{name}", value, self.step)

    def on_eval_begin(self, logs: Any = None) -> None:
        """Begin the means of the losses."""
        self._losses = {}

    def on_eval_batch_end(self, step: int, logs: Any = None) -> None:
        """Collect the losses of a batch."""
        for name, value in self._numbers(logs):
            if name.startswith("loss"):
                self._losses.setdefault(name, []).append(value)

    def on_eval_end(self, logs: Any = None) -> None:
        """Record the numbers of an evaluation: the mean of the losses of its batches, and the metrics."""
        means = {name: sum(values) / len(values) for name, values in self._losses.items()}
        for name, value in self._numbers(logs):
            self.record(f"eval/{name}", means.get(name, value), self.step)

    def _numbers(self, logs: Any) -> Iterator[tuple[str, float]]:
        """Yield the losses and metrics by name; of several losses each has its number."""
        for name, value in (logs or {}).items():
            if name in ("step", "batch_size"):
                continue
            several = list(value) if isinstance(value, (list, tuple)) else [value]
            for place, each in enumerate(several):
                yield name if len(several) == 1 else f"{name}_{place}", as_number(each, "hapi callback", name)


class History(_Numbers):
    """Keeps the numbers of a training in memory; `Model.fit` returns one, and `paddle_lite.plot.curves` draws it.

    Attributes:
        curves: name -> Series(steps, values): "train/loss" and metrics for each step, "eval/loss" and metrics for each evaluation.
        history: name -> a value for each epoch: "loss" (the mean), the metrics at the end, and "eval_loss" ... for each evaluation.

    >>> import paddle_lite as paddle
    >>> history = paddle.hapi.callbacks.History()
    >>> history.on_train_batch_end(0, {'loss': [0.5], 'acc': 0.25})
    >>> history.curves['train/loss'].values
    [0.5]
    """

    def __init__(self) -> None:
        super().__init__()
        self.curves: dict[str, Series] = {}
        self.history: dict[str, list[float]] = {}
        self._began = 0

    def record(self, name: str, value: float, step: int) -> None:
        """Keep a number."""
        series = self.curves.setdefault(name, Series([], []))
        series.steps.append(step)
        series.values.append(value)
        if name.startswith("eval/"):
            self.history.setdefault(name.replace("/", "_", 1), []).append(value)

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Note the first step of an epoch."""
        self._began = self.step

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Keep the numbers of an epoch."""
        for name, last in self._numbers(logs):
            values = self.curves[f"train/{name}"].values[self._began - self.step :]
            self.history.setdefault(name, []).append(sum(values) / len(values) if name.startswith("loss") else last)


class LogCallback(_Numbers):
    """Writes the numbers of a training into a log: "train/loss" and the metrics of steps, "eval/loss" and those of evaluations.

    Arguments:
        writer: a `paddle_lite.utils.LogWriter`.
        log_freq: the number of steps between two entries.

    >>> import tempfile, paddle_lite as paddle
    >>> writer = paddle.utils.LogWriter(tempfile.mkdtemp(), to=['csv', 'jsonl'])
    >>> callback = paddle.hapi.callbacks.LogCallback(writer)
    >>> callback.on_train_batch_end(0, {'loss': [0.5]})
    >>> callback.on_train_end()
    >>> paddle.utils.read_log(writer.logdir)['train/loss'].values
    [0.5]
    """

    def __init__(self, writer: LogWriter, log_freq: int = 1) -> None:
        super().__init__(log_freq)
        self.writer = writer

    def record(self, name: str, value: float, step: int) -> None:
        """Write a number; of several processes only the first one does."""
        if ParallelEnv().local_rank == 0:
            self.writer.add_scalar(name, value, step)

    def on_eval_end(self, logs: Any = None) -> None:
        """Write the numbers of an evaluation."""
        super().on_eval_end(logs)
        self.writer.flush()

    def on_train_end(self, logs: Any = None) -> None:
        """Write what is left; the log stays open for another training."""
        self.writer.flush()


class TensorBoard(LogCallback):
    """Writes the numbers of a training for TensorBoard; it needs the extra `log`. Then: tensorboard --logdir runs

    Arguments:
        log_dir: the folder.
        log_freq: the number of steps between two entries.

    >>> import paddle_lite as paddle
    >>> paddle.hapi.callbacks.TensorBoard('runs/first')    # doctest: +SKIP
    """

    def __init__(self, log_dir: str = "runs", log_freq: int = 1) -> None:
        super().__init__(LogWriter(log_dir, "tensorboard"), log_freq)


class VisualDL(LogCallback):
    """Writes the numbers of a training for VisualDL; it needs the extra `log`. Then: visualdl --logdir runs

    Arguments:
        log_dir: the folder.
        log_freq: the number of steps between two entries.

    >>> import paddle_lite as paddle
    >>> paddle.hapi.callbacks.VisualDL('runs/first')    # doctest: +SKIP
    """

    def __init__(self, log_dir: str = "runs", log_freq: int = 1) -> None:
        super().__init__(LogWriter(log_dir, "visualdl"), log_freq)
