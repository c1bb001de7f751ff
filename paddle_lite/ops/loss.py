"""Loss operators."""

from __future__ import annotations

from typing import Any

from ..core.errors import ArgumentValueError, DtypeError, IndexRangeError, ShapeError, message
from .spec import Declaration, Grad, Meta, op

TINY = 1e-20  # -log(0) is 1e20 in Paddle, not infinity


def _infer_labels(type: str, X: Meta, Label: Meta, soft_label: bool, axis: int = -1) -> tuple[int, ...]:
    """The shape of a loss: X's with 1 at the class axis; raises where Label does not fit."""
    rank = len(X.shape)
    if not -rank <= axis < rank:
        raise ArgumentValueError(
            message(type, "attribute 'axis'", axis, f"{-rank} to {rank - 1} for X {list(X.shape)}")
        )
    axis %= rank
    loss = tuple(1 if i == axis else n for i, n in enumerate(X.shape))
    if soft_label:
        if Label.dtype != X.dtype:
            raise DtypeError(message(type, "Input(Label)", f"dtype {Label.dtype}", f"{X.dtype}, with soft_label=True"))
        needs = X.shape
    else:
        if Label.dtype.kind not in "iu":
            raise DtypeError(
                message(
                    type,
                    "Input(Label)",
                    f"dtype {Label.dtype}",
                    "int64 class indices",
                    "Set soft_label=True for probabilities.",
                )
            )
        needs = loss
    shape = Label.shape
    fits = len(shape) == rank and all(-1 in (a, b) or a == b for a, b in zip(shape, needs))
    if not fits and not (not soft_label and shape == tuple(n for i, n in enumerate(loss) if i != axis)):
        raise ShapeError(
            message(type, "Input(Label)", f"shape {list(shape)}", f"shape {list(needs)}, for input {list(X.shape)}",
                    "Reshape it; hard labels are int64 [N, 1].")
        )  # fmt: skip
    return loss


def _labels(xp: Any, type: str, labels: Any, shape: tuple, classes: int, ignore_index: int) -> tuple[Any, Any]:
    """(labels of the loss's shape with ignored ones as 0, which are not ignored); raises on labels out of range."""
    labels = labels.reshape(shape)
    kept = labels != ignore_index
    wrong = kept & ((labels < 0) | (labels >= classes))
    if wrong.any():
        worst = int(labels[wrong][0])
        raise IndexRangeError(
            message(type, "Input(Label)", f"label {worst}", f"0 to {classes - 1}, or ignore_index {ignore_index}")
        )
    return xp.where(kept, labels, 0), kept


def _pick(xp: Any, x: Any, labels: Any, axis: int) -> Any:
    return xp.take_along_axis(x, labels, axis=axis)


def _place(xp: Any, values: Any, labels: Any, like: Any, axis: int) -> Any:
    """Zeros of `like`'s shape with `values` at `labels` along the axis."""
    classes = xp.arange(like.shape[axis]).reshape(
        [-1 if i == axis % len(like.shape) else 1 for i in range(len(like.shape))]
    )
    return xp.where(classes == labels, values, xp.zeros((), like.dtype))


@op("cross_entropy", inputs="X Label", outputs="Y", attrs={"soft_label": False, "ignore_index": -100}, checked=True)
class cross_entropy(Declaration):
    """Y = -log(X[label]), or -sum(Label * log(X)) with soft labels; X holds probabilities."""

    def infer(X, Label, *, soft_label, ignore_index):
        return Meta(_infer_labels("cross_entropy", X, Label, soft_label), X.dtype, X.lod_level)

    def reference(xp, X, Label, *, soft_label, ignore_index):
        if soft_label:
            return -(Label * xp.log(xp.maximum(X, xp.asarray(TINY, dtype=X.dtype)))).sum(axis=-1, keepdims=True)
        labels, kept = _labels(xp, "cross_entropy", Label, (*X.shape[:-1], 1), X.shape[-1], ignore_index)
        return xp.where(kept, _minus_log(xp, _pick(xp, X, labels, -1)), xp.zeros((), X.dtype))

    def gradient(xp, X, Label, dY, *, soft_label, ignore_index):
        if soft_label:
            return -dY * Label / X
        labels, kept = _labels(xp, "cross_entropy", Label, (*X.shape[:-1], 1), X.shape[-1], ignore_index)
        return _place(xp, xp.where(kept, -dY / _pick(xp, X, labels, -1), 0).astype(X.dtype), labels, X, -1)

    grad = Grad("X Label Y@GRAD", "X@GRAD", gradient)


def _minus_log(xp: Any, p: Any) -> Any:
    """-log(p), and 1e20 for log(0)."""
    safe = xp.where(p > 0, p, xp.ones((), p.dtype))
    return xp.where(p > 0, -xp.log(safe), xp.asarray(1e20, dtype=p.dtype))


@op("cross_entropy2", inputs="X Label", outputs="Y XShape MatchX", attrs={"ignore_index": -100}, checked=True)
class cross_entropy2(Declaration):
    """Y = -log(X[label]); MatchX keeps X[label], XShape the shape of X, for the gradient."""

    def infer(X, Label, *, ignore_index):
        loss = Meta(_infer_labels("cross_entropy2", X, Label, False), X.dtype, X.lod_level)
        return loss, Meta((0, *X.shape), X.dtype, X.lod_level), loss

    def reference(xp, X, Label, *, ignore_index):
        labels, kept = _labels(xp, "cross_entropy2", Label, (*X.shape[:-1], 1), X.shape[-1], ignore_index)
        match = xp.where(kept, _pick(xp, X, labels, -1), xp.zeros((), X.dtype))
        y = xp.where(kept, _minus_log(xp, match), xp.zeros((), X.dtype))
        return y, xp.empty((0, *X.shape), X.dtype), match

    def gradient(xp, Label, XShape, MatchX, dY, *, ignore_index):
        shape = XShape.shape[1:]
        labels, kept = _labels(xp, "cross_entropy2", Label, (*shape[:-1], 1), shape[-1], ignore_index)
        at = xp.where(kept, -dY / xp.where(kept, MatchX, xp.ones((), dY.dtype)), xp.zeros((), dY.dtype))
        dx = xp.zeros(shape, dY.dtype)
        xp.put_along_axis(dx, labels, at, axis=-1)
        return dx

    grad = Grad("Label XShape MatchX Y@GRAD", "X@GRAD", gradient, type="cross_entropy_grad2")


@op(
    "softmax_with_cross_entropy",
    inputs="Logits Label",
    outputs="Softmax~ Loss",
    attrs={"soft_label": False, "numeric_stable_mode": True, "ignore_index": -100, "axis": -1},
    checked=True,
)
class softmax_with_cross_entropy(Declaration):
    """Loss = -log(softmax(Logits)[label]) along `axis`, computed without overflow."""

    def infer(Logits, Label, *, soft_label, ignore_index, axis):
        loss = _infer_labels("softmax_with_cross_entropy", Logits, Label, soft_label, axis)
        return Logits, Meta(loss, Logits.dtype, Logits.lod_level)

    def reference(xp, Logits, Label, *, soft_label, ignore_index, axis):
        shifted = Logits - Logits.max(axis=axis, keepdims=True)
        exponent = xp.exp(shifted)
        total = exponent.sum(axis=axis, keepdims=True)
        log_softmax = shifted - xp.log(total)
        if soft_label:
            loss = -(Label * log_softmax).sum(axis=axis, keepdims=True)
        else:
            labels, kept = _labels(
                xp, "softmax_with_cross_entropy", Label, total.shape, Logits.shape[axis], ignore_index
            )
            loss = xp.where(kept, -_pick(xp, log_softmax, labels, axis), xp.zeros((), Logits.dtype))
        return exponent / total, loss

    def gradient(xp, Label, Softmax, dLoss, *, soft_label, ignore_index, axis):
        if soft_label:
            return (Softmax * Label.sum(axis=axis, keepdims=True) - Label) * dLoss
        labels, kept = _labels(xp, "softmax_with_cross_entropy", Label, dLoss.shape, Softmax.shape[axis], ignore_index)
        d = xp.where(kept, dLoss, xp.zeros((), dLoss.dtype))
        return Softmax * d - _place(xp, d, labels, Softmax, axis)

    grad = Grad("Label Softmax Loss@GRAD", "Logits@GRAD", gradient)
