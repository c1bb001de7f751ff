"""Callbacks: what happens before and after the batches and epochs of a Model, such as printing and saving."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..core.errors import ArgumentValueError, describe, message
from ..distributed.environment import ParallelEnv
from .progressbar import ProgressBar

__all__ = ["Callback", "ModelCheckpoint", "ProgBarLogger"]

MODES = ("train", "eval", "test")


class Callback:
    """Base class of callbacks: each method is called at one point of `Model.fit`, `evaluate` or `predict`.

    Attributes:
        model: the Model.
        params: a dict with "batch_size", "epochs", "steps" (of an epoch), "verbose" and "metrics" (their names).

    `logs` is a dict, or None; after a batch and an epoch it holds "loss", the metrics by name, "step" and "batch_size".

    >>> import paddle_lite as paddle
    >>> class Epochs(paddle.hapi.callbacks.Callback):
    ...     def on_epoch_begin(self, epoch, logs=None):
    ...         print('epoch', epoch, 'of', self.params['epochs'])
    >>> epochs = Epochs()
    >>> epochs.set_params({'epochs': 2})
    >>> epochs.on_epoch_begin(0)
    epoch 0 of 2
    """

    def __init__(self) -> None:
        self.model: Any = None
        self.params: dict[str, Any] = {}

    def set_params(self, params: dict[str, Any]) -> None:
        """Set `params`."""
        self.params = params

    def set_model(self, model: Any) -> None:
        """Set `model`."""
        self.model = model

    def on_train_begin(self, logs: Any = None) -> None:
        """Do something before training."""

    def on_train_end(self, logs: Any = None) -> None:
        """Do something after training."""

    def on_eval_begin(self, logs: Any = None) -> None:
        """Do something before an evaluation; `logs` holds "steps" and "metrics"."""

    def on_eval_end(self, logs: Any = None) -> None:
        """Do something after an evaluation."""

    def on_test_begin(self, logs: Any = None) -> None:
        """Do something before predicting; `logs` holds "steps"."""

    def on_test_end(self, logs: Any = None) -> None:
        """Do something after predicting."""

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Do something before an epoch of training, whose number starts at 0."""

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Do something after an epoch of training."""

    def on_train_batch_begin(self, step: int, logs: Any = None) -> None:
        """Do something before a batch of training, whose number starts at 0."""

    def on_train_batch_end(self, step: int, logs: Any = None) -> None:
        """Do something after a batch of training."""

    def on_eval_batch_begin(self, step: int, logs: Any = None) -> None:
        """Do something before a batch of an evaluation."""

    def on_eval_batch_end(self, step: int, logs: Any = None) -> None:
        """Do something after a batch of an evaluation."""

    def on_test_batch_begin(self, step: int, logs: Any = None) -> None:
        """Do something before a batch of predicting."""

    def on_test_batch_end(self, step: int, logs: Any = None) -> None:
        """Do something after a batch of predicting."""


class CallbackList:
    """Callbacks that are called one after the other.

    Arguments:
        callbacks: the Callbacks.
    """

    def __init__(self, callbacks: Iterable[Callback] | None = None) -> None:
        self.callbacks = list(callbacks or ())
        self.params: dict[str, Any] = {}
        self.model: Any = None

    def append(self, callback: Callback) -> None:
        """Add a Callback at the end."""
        self.callbacks.append(callback)

    def __iter__(self) -> Iterator[Callback]:
        return iter(self.callbacks)

    def set_params(self, params: dict[str, Any]) -> None:
        """Set the params of all."""
        for callback in self.callbacks:
            callback.set_params(params)

    def set_model(self, model: Any) -> None:
        """Set the Model of all."""
        for callback in self.callbacks:
            callback.set_model(model)

    def _call(self, name: str, *args: Any) -> None:
        for callback in self.callbacks:
            getattr(callback, name)(*args)

    def _call_of(self, mode: str, name: str, *args: Any) -> None:
        """Call the methods of a mode: "train", "eval" or "test"."""
        if mode not in MODES:
            raise ArgumentValueError(message("CallbackList", "mode", describe(mode), f"one of {', '.join(MODES)}"))
        self._call(f"on_{mode}_{name}", *args)

    def on_begin(self, mode: str, logs: Any = None) -> None:
        """Call `on_train_begin`, `on_eval_begin` or `on_test_begin`."""
        self._call_of(mode, "begin", logs)

    def on_end(self, mode: str, logs: Any = None) -> None:
        """Call `on_train_end`, `on_eval_end` or `on_test_end`."""
        self._call_of(mode, "end", logs)

    def on_epoch_begin(self, epoch: int | None = None, logs: Any = None) -> None:
        """Call `on_epoch_begin`."""
        self._call("on_epoch_begin", epoch, logs)

    def on_epoch_end(self, epoch: int | None = None, logs: Any = None) -> None:
        """Call `on_epoch_end`."""
        self._call("on_epoch_end", epoch, logs)

    def on_batch_begin(self, mode: str, step: int | None = None, logs: Any = None) -> None:
        """Call `on_train_batch_begin`, `on_eval_batch_begin` or `on_test_batch_begin`."""
        self._call_of(mode, "batch_begin", step, logs)

    def on_batch_end(self, mode: str, step: int | None = None, logs: Any = None) -> None:
        """Call `on_train_batch_end`, `on_eval_batch_end` or `on_test_batch_end`."""
        self._call_of(mode, "batch_end", step, logs)


def config_callbacks(
    callbacks: Any = None,
    model: Any = None,
    batch_size: int | None = None,
    epochs: int | None = None,
    steps: int | None = None,
    log_freq: int = 2,
    verbose: int = 2,
    save_freq: int = 1,
    save_dir: str | None = None,
    metrics: Any = None,
    mode: str = "train",
) -> CallbackList:
    """Return the callbacks of a run: those given, a ProgBarLogger in front and a ModelCheckpoint behind them.

    Arguments:
        callbacks: a Callback, or a list of them; one of the two classes takes the place of the one that is added.
        model: the Model.
        batch_size, epochs, steps, metrics: of the run; they become `params`.
        log_freq, verbose: of the ProgBarLogger; with verbose 0 there is none.
        save_freq, save_dir: of the ModelCheckpoint.
        mode: "test" has no metrics.

    Returns:
        A CallbackList.
    """
    given = list(callbacks) if isinstance(callbacks, (list, tuple)) else [callbacks] if callbacks else []
    if verbose and not any(isinstance(each, ProgBarLogger) for each in given):
        given.insert(0, ProgBarLogger(log_freq, verbose=verbose))
    if not any(isinstance(each, ModelCheckpoint) for each in given):
        given.append(ModelCheckpoint(save_freq, save_dir))
    made = CallbackList(given)
    made.set_model(model)
    names = metrics or [] if mode != "test" else []
    made.set_params({"batch_size": batch_size, "epochs": epochs, "steps": steps, "verbose": verbose, "metrics": names})
    return made


class ProgBarLogger(Callback):
    """Prints the loss and the metrics while a Model trains, evaluates and predicts.

    Arguments:
        log_freq: the number of steps between two prints.
        verbose: 0 prints nothing, 1 a bar, 2 a line each time.

    >>> import paddle_lite as paddle
    >>> paddle.hapi.callbacks.ProgBarLogger(log_freq=10).log_freq
    10
    """

    def __init__(self, log_freq: int = 1, verbose: int = 2) -> None:
        super().__init__()
        self.epochs: int | None = None
        self.steps: int | None = None
        self.progbar = None
        self.verbose, self.log_freq = verbose, log_freq

    def _is_print(self) -> bool:
        return bool(self.verbose) and ParallelEnv().local_rank == 0

    def _start(self, mode: str, logs: Any) -> None:
        logs = logs or {}
        steps = logs.get("steps")
        setattr(self, f"{mode}_steps", steps)
        setattr(self, f"{mode}_metrics", logs.get("metrics", []))
        setattr(self, f"{mode}_step", 0)
        setattr(self, f"{mode}_progbar", ProgressBar(num=steps, verbose=self.verbose))

    def _updates(self, logs: Any, mode: str) -> None:
        """Print the state of a mode."""
        values = [(name, logs[name]) for name in getattr(self, f"{mode}_metrics") if name in logs]
        getattr(self, f"{mode}_progbar").update(getattr(self, f"{mode}_step"), values)

    def _is_due(self, step: int, steps: int | None) -> bool:
        """Return whether to print after a step; the last one is printed when all is done."""
        return self._is_print() and step % self.log_freq == 0 and (steps is None or step < steps)

    def on_train_begin(self, logs: Any = None) -> None:
        """Take the number of epochs and the names of the metrics.

        Raises:
            ArgumentValueError: `params` lacks one of them.
        """
        self.epochs, self.train_metrics = self.params["epochs"], self.params["metrics"]
        for name in ("epochs", "metrics"):
            if not self.params[name]:
                got, fix = describe(self.params[name]), "Pass it to config_callbacks."
                raise ArgumentValueError(message("ProgBarLogger", f"params[{name!r}]", got, "a value", fix))

    def on_epoch_begin(self, epoch: int | None = None, logs: Any = None) -> None:
        """Print the number of the epoch."""
        self.steps, self.epoch, self.train_step = self.params["steps"], epoch, 0
        if self.epochs and self._is_print():
            print(f"Epoch {(epoch or 0) + 1}/{self.epochs}")
        self.train_progbar = ProgressBar(num=self.steps, verbose=self.verbose)

    def on_train_batch_end(self, step: int, logs: Any = None) -> None:
        """Print the state of the training, each `log_freq` steps."""
        self.train_step += 1
        if self._is_due(self.train_step, self.steps):
            self._updates(logs or {}, "train")

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Print the state at the end of the epoch."""
        if self._is_print() and self.steps is not None:
            self._updates(logs or {}, "train")

    def on_eval_begin(self, logs: Any = None) -> None:
        """Print that an evaluation begins."""
        self._start("eval", logs)
        self.evaled_samples = 0
        if self._is_print():
            print("Eval begin...")

    def on_eval_batch_end(self, step: int, logs: Any = None) -> None:
        """Print the state of the evaluation, each `log_freq` steps."""
        logs = logs or {}
        self.eval_step += 1
        self.evaled_samples += logs.get("batch_size", 1)
        if self._is_due(self.eval_step, self.eval_steps):
            self._updates(logs, "eval")

    def on_eval_end(self, logs: Any = None) -> None:
        """Print the result, and the number of samples."""
        if self._is_print() and self.eval_steps is not None:
            self._updates(logs or {}, "eval")
            print(f"Eval samples: {self.evaled_samples}")

    def on_test_begin(self, logs: Any = None) -> None:
        """Print that predicting begins."""
        self._start("test", logs)
        self.tested_samples = 0
        if self._is_print():
            print("Predict begin...")

    def on_test_batch_end(self, step: int, logs: Any = None) -> None:
        """Print the number of the step, each `log_freq` steps."""
        logs = logs or {}
        self.test_step += 1
        self.tested_samples += logs.get("batch_size", 1)
        if self._is_due(self.test_step, self.test_steps):
            self._updates(logs, "test")

    def on_test_end(self, logs: Any = None) -> None:
        """Print the number of samples."""
        if self._is_print():
            if self.test_step % self.log_freq != 0 or self.verbose == 1:
                self._updates(logs or {}, "test")
            print(f"Predict samples: {self.tested_samples}")

    test_steps: int | None
    test_step: int
    eval_steps: int | None
    eval_step: int


class ModelCheckpoint(Callback):
    """Saves a Model after epochs, as `save_dir/0`, `save_dir/1` ..., and at the end of training, as `save_dir/final`.

    Arguments:
        save_freq: the number of epochs between two saves.
        save_dir: the folder; None: nothing is saved.

    >>> import paddle_lite as paddle
    >>> paddle.hapi.callbacks.ModelCheckpoint(save_dir='checkpoints').save_freq
    1
    """

    def __init__(self, save_freq: int = 1, save_dir: str | None = None) -> None:
        super().__init__()
        self.save_freq, self.save_dir = save_freq, save_dir

    def on_epoch_begin(self, epoch: int | None = None, logs: Any = None) -> None:
        """Take the number of the epoch."""
        self.epoch = epoch or 0

    def _save(self, name: Any) -> None:
        if self.model is not None and self.save_dir and ParallelEnv().local_rank == 0:
            path = f"{self.save_dir}/{name}"
            print(f"save checkpoint at {path}")
            self.model.save(path)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Save the Model if it is time."""
        if self.epoch % self.save_freq == 0:
            self._save(epoch)

    def on_train_end(self, logs: Any = None) -> None:
        """Save the Model."""
        self._save("final")
