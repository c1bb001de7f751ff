"""ReduceLROnPlateau: a schedule that depends on the loss."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.dtype import to_numpy
from ..core.errors import ArgumentValueError, ShapeError, describe, message
from ..imperative.python_operators import is_variable
from .schedule_base import LearningRateDecay, count, number


class ReduceLROnPlateau(LearningRateDecay):
    """Reduces the rate when the loss has not improved for a number of steps; the training loop calls `step(loss)`.

    Arguments:
        learning_rate: the initial learning rate.
        mode: "min" if a lower loss is better, "max" if a higher one is (for example an accuracy).
        decay_rate: the factor of each reduction, below 1.
        patience: the number of consecutive steps without improvement that are tolerated.
        verbose: whether to print a line at each reduction.
        threshold: the smallest difference that counts as an improvement.
        threshold_mode: "rel": the threshold is relative to the best loss; "abs": it is absolute.
        cooldown: the number of steps after a reduction in which the loss is ignored.
        min_lr: the lowest rate.
        eps: reductions by this or less are skipped.
        dtype: the dtype of the Variable that a call returns.

    Raises:
        ArgumentTypeError: an argument is not a number.
        ArgumentValueError: mode or threshold_mode is unknown, or a number is out of range.

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
        self.best_loss: Any = None
        self.num_bad_epochs = 0
        self.epoch_num = 0

    def advance(self) -> float:
        """Return the current rate."""
        return float(self.learning_rate)

    peek = advance

    def step(self, loss: Any = None) -> None:
        """Record a loss, and reduce the rate if it has not improved.

        Arguments:
            loss: a Variable of shape [1], or an ndarray.

        Raises:
            ShapeError: loss is something else.
        """
        if not (is_variable(loss) or isinstance(loss, np.ndarray)) or list(loss.shape) != [1]:
            fix = "Take its mean first: layers.mean(loss)."
            raise ShapeError(message("ReduceLROnPlateau.step", "loss", describe(loss), "a Variable of shape [1]", fix))
        current = self._number(loss)
        self.epoch_num += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            return
        if self.best_loss is None or self._is_better(current, self._number(self.best_loss)):
            self.best_loss, self.num_bad_epochs = loss.detach() if is_variable(loss) else loss.copy(), 0
            return
        self.num_bad_epochs += 1
        if self.num_bad_epochs > self.patience:
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
            self._lower()

    @staticmethod
    def _number(loss: Any) -> float:
        """Return the number in a loss: a Variable or an ndarray of shape [1], or the number that a loaded state holds."""
        return number(loss[0] if isinstance(loss, np.ndarray) else loss, "ReduceLROnPlateau.step", "loss")

    def _lower(self) -> None:
        """Reduce the rate."""
        before = float(self.learning_rate)
        after = max(before * self.decay_rate, self.min_lr)
        if before - after > self.eps:
            self.learning_rate = after
            if self.verbose:
                print(f"Epoch {self.epoch_num}: reducing learning rate from {before} to {after}.")

    def _is_better(self, loss: float, best: float) -> bool:
        """Return whether a loss is an improvement over the best one."""
        number = to_numpy(
            self.dtype
        ).type  # compare in the precision of the losses, where a difference can equal the threshold
        loss, best, threshold = number(loss), number(best), number(self.threshold)
        margin = threshold * best if self.threshold_mode == "rel" else threshold
        return bool(loss < best - margin if self.mode == "min" else loss > best + margin)
