"""ReduceLROnPlateau: a schedule that follows the loss."""

from __future__ import annotations

from typing import Any

from ..core.dtype import to_numpy
from ..core.errors import ArgumentValueError, ShapeError, describe, message
from ..imperative.variable import Variable
from .schedule_base import LearningRateDecay, count, number


class ReduceLROnPlateau(LearningRateDecay):
    """Lowers the rate when the loss has not become better for a while; the training loop calls `step(loss)`.

    Arguments:
        learning_rate: the first rate.
        mode: "min" if a lower loss is better, "max" if a higher one is (an accuracy, say).
        decay_rate: the factor, below 1.
        patience: for how many steps in a row the loss may be no better.
        verbose: print a line when the rate is lowered.
        threshold: by how much a loss has to be better to count as such.
        threshold_mode: "rel" for a threshold times the best loss, "abs" for a plain difference.
        cooldown: for how many steps after lowering the rate the loss is not looked at.
        min_lr: the lowest rate.
        eps: a rate is not lowered by this or less.
        dtype: of the Variable that a call returns.

    >>> import numpy as np, paddle_lite as paddle, paddle_lite.fluid as fluid
    >>> paddle.enable_imperative()
    >>> plateau = fluid.dygraph.ReduceLROnPlateau(0.5, decay_rate=0.5, patience=1)
    >>> for loss in (1., 1., 1.):
    ...     plateau.step(paddle.imperative.to_variable(np.array([loss], 'float32')))
    >>> plateau().numpy()
    array([0.25], dtype=float32)
    """

    keys = ("cooldown_counter", "best_loss", "num_bad_epochs", "epoch_num", "learning_rate")

    def __init__(
        self,
        learning_rate: Any,
        mode: str = "min",
        decay_rate: float = 0.1,
        patience: int = 10,
        verbose: bool = False,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: float = 0,
        eps: float = 1e-8,
        dtype: Any = "float32",
    ) -> None:
        super().__init__(dtype=dtype)
        where = "ReduceLROnPlateau"
        for argument, value, choices in (
            ("mode", mode, ("min", "max")),
            ("threshold_mode", threshold_mode, ("rel", "abs")),
        ):
            if value not in choices:
                raise ArgumentValueError(message(where, argument, repr(value), " or ".join(map(repr, choices))))
        self.mode, self.threshold_mode = mode, threshold_mode
        self.decay_rate = number(decay_rate, where, "decay_rate")
        if self.decay_rate >= 1:
            raise ArgumentValueError(message(where, "decay_rate", decay_rate, "a number below 1"))
        self.learning_rate: Any = number(learning_rate, where, "learning_rate")
        self.patience = count(patience, where, "patience")
        self.cooldown = count(cooldown, where, "cooldown")
        self.threshold = number(threshold, where, "threshold")
        self.min_lr = number(min_lr, where, "min_lr")
        self.eps = number(eps, where, "eps")
        self.verbose = verbose
        self.cooldown_counter = 0
        self.best_loss: float | None = None
        self.num_bad_epochs = 0
        self.epoch_num = 0

    def advance(self) -> float:
        """The rate as it is."""
        return float(self.learning_rate)

    peek = advance

    def step(self, loss: Any = None) -> None:
        """Take notice of a loss.

        Arguments:
            loss: a Variable of shape [1].
        """
        if not isinstance(loss, Variable) or loss.shape != [1]:
            fix = "Take its mean first: layers.mean(loss)."
            raise ShapeError(message("ReduceLROnPlateau.step", "loss", describe(loss), "a Variable of shape [1]", fix))
        current = number(loss, "ReduceLROnPlateau.step", "loss")
        self.epoch_num += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            return
        if self.best_loss is None or self._is_better(current, self.best_loss):
            self.best_loss, self.num_bad_epochs = current, 0
            return
        self.num_bad_epochs += 1
        if self.num_bad_epochs > self.patience:
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
            self._lower()

    def _lower(self) -> None:
        before = float(self.learning_rate)
        after = max(before * self.decay_rate, self.min_lr)
        if before - after > self.eps:
            self.learning_rate = after
            if self.verbose:
                print(f"Epoch {self.epoch_num}: reducing learning rate from {before} to {after}.")

    def _is_better(self, loss: float, best: float) -> bool:
        number = to_numpy(self.dtype).type  # in the precision of losses a difference can be just the threshold
        loss, best, threshold = number(loss), number(best), number(self.threshold)
        margin = threshold * best if self.threshold_mode == "rel" else threshold
        return bool(loss < best - margin if self.mode == "min" else loss > best + margin)
