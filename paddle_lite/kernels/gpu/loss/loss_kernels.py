"""GPU kernels of losses over classes; the reference takes soft labels and other axes than the last.

A wrong label is raised at the next copy to the host, since looking at labels at once would wait for the device.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ....core.errors import IndexRangeError
from ....ops.support.class_labels import invalid_label_error
from ...registry import array_module, kernel
from ..device.kernel import launch
from ..support.index_checks import index_checks
from ..support.shape import MOST_THREADS, blocks_for, rows_and_width, threads_for
from .classes import cross_entropy_rows, cross_entropy_rows_grad
from .rows import softmax_cross_entropy_rows, softmax_cross_entropy_rows_grad


def _takes(x: Any, labels: Any, axis: int) -> tuple[int, int] | None:
    """Return the number of rows and their length; None if the call is one for the reference, or wrong."""
    shape = rows_and_width(x, axis)
    return shape if shape and labels.dtype == "int64" and labels.shape == (*x.shape[:-1], 1) else None


def _wrong_label(ignored: int, label: int, classes: int) -> IndexRangeError:
    return invalid_label_error("softmax_with_cross_entropy", label, classes, ignored)


@kernel("softmax_with_cross_entropy", device="gpu")
def softmax_with_cross_entropy(
    Logits: Any, Label: Any, *, soft_label: bool, ignore_index: int, axis: int, reference: Callable
) -> tuple:
    shape = None if soft_label else _takes(Logits, Label, axis)
    if shape is None:
        return reference(Logits, Label, soft_label=soft_label, ignore_index=ignore_index, axis=axis)
    xp = array_module("gpu")
    x, labels, (rows, width) = xp.ascontiguousarray(Logits), xp.ascontiguousarray(Label), shape
    out, loss = xp.empty_like(x), xp.empty(Label.shape, x.dtype)
    table = index_checks.row("softmax_with_cross_entropy", partial(_wrong_label, ignore_index))
    launch(softmax_cross_entropy_rows, rows, threads_for(width), x, labels, out, loss, width, ignore_index, *table)
    return out, loss


@kernel("softmax_with_cross_entropy_grad", device="gpu")
def softmax_with_cross_entropy_grad(
    Label: Any, Softmax: Any, dLoss: Any, *, soft_label: bool, ignore_index: int, axis: int, reference: Callable
) -> Any:
    shape = None if soft_label else _takes(Softmax, Label, axis)
    if shape is None:
        return reference(Label, Softmax, dLoss, soft_label=soft_label, ignore_index=ignore_index, axis=axis)
    xp = array_module("gpu")
    out, labels, (rows, width) = xp.ascontiguousarray(Softmax), xp.ascontiguousarray(Label), shape
    dx = xp.empty_like(out)
    given = labels, out, xp.ascontiguousarray(dLoss), dx
    launch(softmax_cross_entropy_rows_grad, rows, threads_for(width), *given, width, ignore_index)
    return dx


# --- of probabilities -------------------------------------------------------------------------------------------------


def _label_rows(x: Any, labels: Any) -> tuple[int, int] | None:
    """Return the number of rows and of classes; None if the call is one for the reference, or wrong."""
    shapes = (*x.shape[:-1], 1), x.shape[:-1]
    return (labels.size, x.shape[-1]) if x.size and labels.dtype == "int64" and labels.shape in shapes else None


def _cross_entropy(type: str, X: Any, Label: Any, ignore_index: int, matched: bool) -> tuple[Any, Any]:
    """Return the loss of each label, in the labels' shape, and the probability of each if `matched`."""
    xp, x, labels = array_module("gpu"), *map(array_module("gpu").ascontiguousarray, (X, Label))
    loss = xp.empty(Label.shape, x.dtype)
    match = xp.empty((*X.shape[:-1], 1), x.dtype) if matched else loss
    table = index_checks.row(type, lambda label, classes: invalid_label_error(type, label, classes, ignore_index))
    given = loss.size, x.shape[-1], ignore_index, int(matched)
    launch(cross_entropy_rows, blocks_for(loss.size), MOST_THREADS, x, labels, loss, match, *given, *table)
    return loss, match


def _cross_entropy_grad(Label: Any, match: Any, dY: Any, shape: tuple, ignore_index: int, matched: bool) -> Any:
    xp = array_module("gpu")
    dx = xp.empty(shape, dY.dtype)
    arrays = [xp.ascontiguousarray(each) for each in (Label, match, dY)]
    given = dx.size, shape[-1], ignore_index, int(matched)
    launch(cross_entropy_rows_grad, blocks_for(dx.size), MOST_THREADS, *arrays, dx, *given)
    return dx


@kernel("cross_entropy", device="gpu")
def cross_entropy(X: Any, Label: Any, *, soft_label: bool, ignore_index: int, reference: Callable) -> Any:
    if soft_label or _label_rows(X, Label) is None:
        return reference(X, Label, soft_label=soft_label, ignore_index=ignore_index)
    return _cross_entropy("cross_entropy", X, Label, ignore_index, False)[0]


@kernel("cross_entropy_grad", device="gpu")
def cross_entropy_grad(X: Any, Label: Any, dY: Any, *, soft_label: bool, ignore_index: int, reference: Callable) -> Any:
    if soft_label or _label_rows(X, Label) is None or X.dtype != dY.dtype:
        return reference(X, Label, dY, soft_label=soft_label, ignore_index=ignore_index)
    return _cross_entropy_grad(Label, X, dY, X.shape, ignore_index, False)


@kernel("cross_entropy2", device="gpu")
def cross_entropy2(X: Any, Label: Any, *, ignore_index: int, reference: Callable) -> tuple:
    if _label_rows(X, Label) is None:
        return reference(X, Label, ignore_index=ignore_index)
    loss, match = _cross_entropy("cross_entropy2", X, Label, ignore_index, True)
    return loss, array_module("gpu").empty((0, *X.shape), X.dtype), match


@kernel("cross_entropy_grad2", device="gpu")
def cross_entropy_grad2(
    Label: Any, XShape: Any, MatchX: Any, dY: Any, *, ignore_index: int, reference: Callable
) -> Any:
    if not Label.size or Label.dtype != "int64" or MatchX.dtype != dY.dtype:
        return reference(Label, XShape, MatchX, dY, ignore_index=ignore_index)
    return _cross_entropy_grad(Label, MatchX, dY, tuple(XShape.shape[1:]), ignore_index, True)
