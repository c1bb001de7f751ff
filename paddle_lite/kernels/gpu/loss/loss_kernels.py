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
from ..support.shape import rows_and_width, threads_for
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
