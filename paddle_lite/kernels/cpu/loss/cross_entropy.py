"""Cross entropy of rows of probabilities with class labels, on NumPy arrays in float32 or float64."""

from __future__ import annotations

import numpy as np

from ...numba_jit import jit
from ...threads import parallel_slices

__all__ = ["cross_entropy", "cross_entropy_grad", "first_invalid_label"]

ROW = 16  # the work of a row for threads.parallel_slices
LOG_OF_ZERO = 1e20  # the value of -log(0) in PaddlePaddle, instead of infinity


def first_invalid_label(labels: np.ndarray, classes: int, ignore_index: int) -> int | None:
    """Return the first label that is neither a class nor `ignore_index`, or None.

    Args:
        labels: int64 of any shape.
        classes: the number of classes; valid labels are 0 to classes - 1.
        ignore_index: the label that is ignored.

    Example:
        >>> first_invalid_label(np.array([0, 3, -100, 4]), 4, -100)
        4
    """
    flat = labels.reshape(-1)
    at = _first_unknown(flat, classes, ignore_index)
    return None if at < 0 else int(flat[at])


def cross_entropy(x: np.ndarray, labels: np.ndarray, ignore_index: int = -100) -> tuple[np.ndarray, np.ndarray]:
    """Return -log of the probability of each row's class.

    Args:
        x: probabilities [N, D].
        labels: int64 [N], classes (see `first_invalid_label`) or `ignore_index`.
        ignore_index: the label of rows with loss 0.

    Returns:
        loss [N], 1e20 where the probability is 0, and the probabilities [N] of the classes, 0 in ignored rows.

    Example:
        >>> cross_entropy(np.array([[0.5, 0.5], [1.0, 0.0]]), np.array([0, 0]))[1]
        array([0.5, 1. ])
    """
    loss, match = np.empty(len(x), x.dtype), np.empty(len(x), x.dtype)
    args = np.ascontiguousarray(x), labels, ignore_index, loss, match
    parallel_slices(_cross_entropy, args, (0, 1, 3, 4), ROW * len(x))
    return loss, match


def cross_entropy_grad(
    match: np.ndarray, labels: np.ndarray, dloss: np.ndarray, classes: int, ignore_index: int = -100
) -> np.ndarray:
    """Return the gradient of `cross_entropy` with respect to x: -dloss / match at the class of each row.

    Args:
        match: the probabilities of the classes, [N].
        labels: int64 [N].
        dloss: gradient of the loss, [N].
        classes: D.
        ignore_index: the class whose rows have loss 0.

    Returns:
        [N, D].
    """
    dx = np.zeros((len(match), classes), dloss.dtype)
    parallel_slices(_cross_entropy_grad, (match, labels, dloss, ignore_index, dx), (0, 1, 2, 4), ROW * len(dx))
    return dx


@jit
def _first_unknown(labels, classes, ignore_index):
    for r in range(labels.size):
        if labels[r] != ignore_index and not 0 <= labels[r] < classes:
            return r
    return -1


@jit(shared=True)
def _cross_entropy(x, labels, ignore_index, loss, match):
    for r in range(x.shape[0]):
        loss[r] = match[r] = 0
        if labels[r] != ignore_index:
            p = x[r, labels[r]]
            match[r] = p
            loss[r] = x.dtype.type(LOG_OF_ZERO) if p == 0 else -np.log(p)


@jit(shared=True)
def _cross_entropy_grad(match, labels, dloss, ignore_index, dx):
    for r in range(match.size):
        if labels[r] != ignore_index and dloss[r] != 0:
            dx[r, labels[r]] = -dloss[r] / match[r]
