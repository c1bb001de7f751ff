"""Callbacks: what happens before and after the batches and epochs of a Model, such as printing, saving and logging."""

from __future__ import annotations

from typing import Any

from ..core.errors import ArgumentValueError, describe, message
from ..distributed.environment import ParallelEnv
from .callback import Callback, CallbackList
from .log_callbacks import History, LogCallback, TensorBoard, VisualDL
from .progressbar import ProgressBar

__all__ = ["Callback", "History", "LogCallback", "ModelCheckpoint", "ProgBarLogger", "TensorBoard", "VisualDL"]


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
