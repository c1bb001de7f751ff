"""Softmax over the last axis, alone and with cross entropy, on NumPy arrays in float32 or float64.

Differences to a row's maximum are limited to -64, as in PaddlePaddle: e^-64 is negligible beside the maximum's 1, and the
loss of the least likely class stays finite.
"""

from __future__ import annotations

import numpy as np

from paddle_lite.kernels.cpu.support.vector_reductions import LANES, row_maximum
from paddle_lite.kernels.cpu.vecmath import exp
from paddle_lite.kernels.numba_jit import inline, jit
from paddle_lite.kernels.threads import parallel_slices

__all__ = [
    "softmax",
    "softmax_grad",
    "softmax_with_cross_entropy",
    "softmax_with_cross_entropy_grad",
    "softmax_with_soft_labels",
    "softmax_with_soft_labels_grad",
]

FLOOR = -64
EXP, ROW = 5, 200  # the work of an element and of a row of a softmax for threads.parallel_slices


def softmax(x: np.ndarray) -> np.ndarray:
    """Return the softmax of each row: e^x divided by the row's sum.

    Args:
        x: [..., D].

    Returns:
        An array like x whose rows sum to 1; NaN in rows where x has NaN or +infinity.

    Example:
        >>> softmax(np.array([[0.0, 0.0], [3.0, 3.0]]))
        array([[0.5, 0.5],
               [0.5, 0.5]])
    """
    rows = _rows(x)
    y = np.empty_like(rows)
    parallel_slices(_softmax, (rows, y), (0, 1), EXP * y.size + ROW * len(y))
    return y.reshape(x.shape)


def softmax_grad(y: np.ndarray, dy: np.ndarray) -> np.ndarray:
    """Return the gradient of `softmax`: y * (dy - sum(y * dy)) of each row.

    Args:
        y: the result of softmax, [..., D].
        dy: the gradient of y.

    Returns:
        An array like y.
    """
    dx = np.empty(y.shape, y.dtype)
    parallel_slices(_softmax_grad, (_rows(y), _rows(dy), dx.reshape(-1, y.shape[-1])), (0, 1, 2), 3 * y.size)
    return dx


def softmax_with_cross_entropy(
    logits: np.ndarray, labels: np.ndarray, ignore_index: int = -100
) -> tuple[np.ndarray, np.ndarray]:
    """Return the softmax of each row, and the cross entropy with the row's class.

    Args:
        logits: [N, D].
        labels: integer [N], classes from 0 to D - 1; `ignore_index` and labels outside of that range give loss 0.
        ignore_index: the label of rows with loss 0.

    Returns:
        softmax [N, D] and loss [N].

    Example:
        >>> softmax_with_cross_entropy(np.zeros((1, 4)), np.array([2]))[1].round(4)
        array([1.3863])
    """
    rows = _rows(logits)
    y, loss = np.empty_like(rows), np.empty(len(rows), rows.dtype)
    args = rows, np.ascontiguousarray(labels), ignore_index, y, loss
    parallel_slices(_softmax_and_loss, args, (0, 1, 3, 4), EXP * y.size + ROW * len(y))
    return y, loss


def softmax_with_cross_entropy_grad(
    y: np.ndarray, labels: np.ndarray, dloss: np.ndarray, ignore_index: int = -100
) -> np.ndarray:
    """Return the gradient of the loss with respect to the logits: (softmax - one_hot(label)) * dloss, 0 in ignored rows.

    Args:
        y: the softmax, [N, D].
        labels: integer [N].
        dloss: gradient of the loss, [N].
        ignore_index: the class whose rows have no loss.

    Returns:
        [N, D].
    """
    dx = np.empty(y.shape, y.dtype)
    args = _rows(y), np.ascontiguousarray(labels), ignore_index, np.ascontiguousarray(dloss), dx
    parallel_slices(_loss_grad, args, (0, 1, 3, 4), y.size + 40 * len(y))
    return dx


def softmax_with_soft_labels(logits: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the softmax of each row, and its cross entropy with the row's distribution over the classes.

    Args:
        logits: [N, D].
        labels: [N, D] of the same dtype.

    Returns:
        softmax [N, D] and loss [N].

    Example:
        >>> softmax_with_soft_labels(np.zeros((1, 2)), np.array([[0.5, 0.5]]))[1].round(4)
        array([0.6931])
    """
    rows = _rows(logits)
    y, loss = np.empty_like(rows), np.empty(len(rows), rows.dtype)
    parallel_slices(_softmax_and_soft_loss, (rows, _rows(labels), y, loss), (0, 1, 2, 3), EXP * y.size + ROW * len(y))
    return y, loss


def softmax_with_soft_labels_grad(y: np.ndarray, labels: np.ndarray, dloss: np.ndarray) -> np.ndarray:
    """Return the gradient of the loss with respect to the logits: (softmax * sum(labels) - labels) * dloss.

    Args:
        y: the softmax, [N, D].
        labels: [N, D].
        dloss: gradient of the loss, [N].

    Returns:
        [N, D].
    """
    dx = np.empty(y.shape, y.dtype)
    parallel_slices(
        _soft_loss_grad, (_rows(y), _rows(labels), np.ascontiguousarray(dloss), dx), (0, 1, 2, 3), 2 * y.size
    )
    return dx


def _rows(x: np.ndarray) -> np.ndarray:
    """Return an array as contiguous rows [rows, D]."""
    return np.ascontiguousarray(x).reshape(-1, x.shape[-1])


@inline(reassoc=True)
def _softmax_row(row, out, lanes):
    """Compute the softmax of one row; return its maximum and the sum of e^(x - maximum)."""
    best, floor, total = row_maximum(row, lanes), row.dtype.type(FLOOR), row.dtype.type(0)
    for k in range(row.size):
        below = row[k] - best
        out[k] = exp(floor if below < floor else below)
    for k in range(row.size):
        total += out[k]
    scale = 1 / total
    for k in range(row.size):
        out[k] *= scale
    return best, total


@jit(shared=True)
def _softmax(x, y):
    """Compute y from x."""
    lanes = np.empty(LANES, x.dtype)
    for r in range(x.shape[0]):
        _softmax_row(x[r], y[r], lanes)


@jit(shared=True)
def _softmax_and_loss(x, labels, ignore_index, y, loss):
    """Compute y and the losses from x and the classes."""
    lanes = np.empty(LANES, x.dtype)
    for r in range(x.shape[0]):
        best, total = _softmax_row(x[r], y[r], lanes)
        loss[r] = 0
        if labels[r] != ignore_index and 0 <= labels[r] < x.shape[1]:
            below = x[r, labels[r]] - best
            loss[r] = np.log(total) - (x.dtype.type(FLOOR) if below < FLOOR else below)


@jit(shared=True)
def _loss_grad(y, labels, ignore_index, dloss, dx):
    """Compute dx from y, the classes and the gradient of the losses."""
    for r in range(y.shape[0]):
        row, out, share = y[r], dx[r], dloss[r]
        if labels[r] != ignore_index and 0 <= labels[r] < y.shape[1]:
            for k in range(row.size):
                out[k] = row[k] * share
            out[labels[r]] -= share
        else:
            out[:] = 0


@jit(reassoc=True, shared=True)
def _softmax_grad(y, dy, dx):
    """Compute dx from y and dy."""
    for r in range(y.shape[0]):
        row, gradient, out = y[r], dy[r], dx[r]
        total = y.dtype.type(0)
        for k in range(row.size):
            total += row[k] * gradient[k]
        for k in range(row.size):
            out[k] = row[k] * (gradient[k] - total)


@jit(reassoc=True, shared=True)
def _softmax_and_soft_loss(x, labels, y, loss):
    """Compute y and the losses from x and the distributions."""
    lanes = np.empty(LANES, x.dtype)
    for r in range(x.shape[0]):
        row, label = x[r], labels[r]
        best, total = _softmax_row(row, y[r], lanes)
        floor, shift, sum_ = x.dtype.type(FLOOR), x.dtype.type(np.log(total)), x.dtype.type(0)
        for k in range(row.size):
            below = row[k] - best
            sum_ += label[k] * (shift - (floor if below < floor else below))
        loss[r] = sum_


@jit(reassoc=True, shared=True)
def _soft_loss_grad(y, labels, dloss, dx):
    """Compute dx from y, the distributions and the gradient of the losses."""
    for r in range(y.shape[0]):
        row, label, out, share = y[r], labels[r], dx[r], dloss[r]
        total = y.dtype.type(0)
        for k in range(row.size):
            total += label[k]
        for k in range(row.size):
            out[k] = (row[k] * total - label[k]) * share
