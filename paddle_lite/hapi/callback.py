"""The base class of callbacks, and lists of callbacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..core.errors import ArgumentValueError, describe, message

__all__ = ["Callback", "CallbackList"]

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
