"""CPU kernels of losses over classes; the reference handles unsupported and invalid calls."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ....ops.support.class_labels import invalid_label_error
from ...registry import kernel
from ..support.kernel_applies import kernel_applies
from . import cross_entropy as by_class
from . import softmax as rows


def _takes(x: np.ndarray, labels: np.ndarray, axis: int = -1) -> bool:
    """Return whether a kernel supports x and there is a label for each row."""
    column = (*x.shape[:-1], 1)
    return (
        kernel_applies(x, axis)
        and labels.dtype == np.int64
        and (labels.shape == column or labels.shape == x.shape[:-1])
    )


def _classes(type: str, labels: np.ndarray, classes: int, ignore_index: int) -> np.ndarray:
    """Return the labels as a flat array; raise if one is not a class."""
    unknown = by_class.first_invalid_label(labels, classes, ignore_index)
    if unknown is not None:
        raise invalid_label_error(type, unknown, classes, ignore_index)
    return labels.reshape(-1)


@kernel("cross_entropy2")
def cross_entropy2(
    X: np.ndarray, Label: np.ndarray, *, ignore_index: int, reference: Callable
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    if not _takes(X, Label):
        return reference(X, Label, ignore_index=ignore_index)
    labels = _classes("cross_entropy2", Label, X.shape[-1], ignore_index)
    loss, match = by_class.cross_entropy(X.reshape(-1, X.shape[-1]), labels, ignore_index)
    return loss.reshape(Label.shape), np.empty((0, *X.shape), X.dtype), match.reshape(*X.shape[:-1], 1)


@kernel("cross_entropy_grad2")
def cross_entropy_grad2(
    Label: np.ndarray, XShape: np.ndarray, MatchX: np.ndarray, dY: np.ndarray, *, ignore_index: int, reference: Callable
) -> np.ndarray:
    shape = XShape.shape[1:]
    if not (math.prod(shape) and dY.dtype.char in "fd"):
        return reference(Label, XShape, MatchX, dY, ignore_index=ignore_index)
    dx = by_class.cross_entropy_grad(MatchX.reshape(-1), Label.reshape(-1), dY.reshape(-1), shape[-1], ignore_index)
    return dx.reshape(shape)


@kernel("softmax_with_cross_entropy")
def softmax_with_cross_entropy(
    Logits: np.ndarray, Label: np.ndarray, *, soft_label: bool, ignore_index: int, axis: int, reference: Callable
) -> tuple[np.ndarray, np.ndarray]:
    column = (*Logits.shape[:-1], 1)
    if soft_label:
        taken = kernel_applies(Logits, axis) and Label.shape == Logits.shape and Label.dtype == Logits.dtype
    else:
        taken = _takes(Logits, Label, axis) and Label.shape == column
    if not taken:
        return reference(Logits, Label, soft_label=soft_label, ignore_index=ignore_index, axis=axis)
    x = Logits.reshape(-1, Logits.shape[-1])
    if soft_label:
        y, loss = rows.softmax_with_soft_labels(x, Label.reshape(x.shape))
    else:
        labels = _classes("softmax_with_cross_entropy", Label, x.shape[1], ignore_index)
        y, loss = rows.softmax_with_cross_entropy(x, labels, ignore_index)
    return y.reshape(Logits.shape), loss.reshape(column)


@kernel("softmax_with_cross_entropy_grad")
def softmax_with_cross_entropy_grad(
    Label: np.ndarray, Softmax: np.ndarray, dLoss: np.ndarray, *, soft_label: bool, ignore_index: int, axis: int,
    reference: Callable,
) -> np.ndarray:  # fmt: skip
    if not kernel_applies(Softmax, axis):
        return reference(Label, Softmax, dLoss, soft_label=soft_label, ignore_index=ignore_index, axis=axis)
    y, dloss = Softmax.reshape(-1, Softmax.shape[-1]), dLoss.reshape(-1)
    if soft_label:
        return rows.softmax_with_soft_labels_grad(y, Label.reshape(y.shape), dloss).reshape(Softmax.shape)
    return rows.softmax_with_cross_entropy_grad(y, Label.reshape(-1), dloss, ignore_index).reshape(Softmax.shape)
