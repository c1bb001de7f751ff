"""Loss operators."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, DtypeError, ShapeError, message
from ...core.indexed import checked_later
from ..framework.costs import PerElement
from ..framework.spec import Declaration, Grad, op
from ..nn.activation import FLOOR
from ..support.class_labels import invalid_label_error
from ..support.meta import Meta

SOFT = "cross_entropy({}, one_hot(label, classes), soft_label=True) can."  # be differentiated twice
LOG_OF_ZERO = 1e20  # -log(0) in Paddle, not infinity


def _infer_labels(
    type: str, slot: str, X: Meta, Label: Meta, soft_label: bool, axis: int = -1, bare: bool = False
) -> tuple[int, ...]:
    """Return the shape of a loss, X's with 1 at the class axis; raise if Label does not fit.

    bare: hard labels may come without the dimension of the classes, and then the loss is without it too.
    """
    rank = len(X.shape)
    if X.dtype.kind != "f":
        raise DtypeError(message(type, f"Input({slot})", f"dtype {X.dtype}", "float32 or float64"))
    if not -rank <= axis < rank:
        needs = f"{-rank} to {rank - 1} for {slot} of shape {list(X.shape)}"
        raise ArgumentValueError(message(type, "attribute 'axis'", axis, needs))
    if X.shape[axis] == 0:
        raise ShapeError(message(type, f"Input({slot})", f"shape {list(X.shape)}", "at least one class"))
    loss = tuple(1 if i == axis % rank else n for i, n in enumerate(X.shape))
    if soft_label and Label.dtype != X.dtype:
        raise DtypeError(message(type, "Input(Label)", f"dtype {Label.dtype}", f"{X.dtype}, with soft_label=True"))
    if not soft_label and Label.dtype != "int64":
        fix = "Convert class numbers with astype('int64'); set soft_label=True for probabilities."
        raise DtypeError(message(type, "Input(Label)", f"dtype {Label.dtype}", "int64 class numbers", fix))
    if bare and not soft_label and len(Label.shape) == rank - 1:
        loss = loss[:-1]
    shape = X.shape if soft_label else loss
    if not _fits(Label.shape, shape):
        fix = "" if soft_label else "Reshape it; labels have a last dimension of 1."
        got = f"shape {list(Label.shape)}"
        raise ShapeError(message(type, "Input(Label)", got, f"{list(shape)} for {slot} {list(X.shape)}", fix))
    return loss


def _fits(shape: tuple[int, ...], needs: tuple[int, ...]) -> bool:
    return len(shape) == len(needs) and all(-1 in (a, b) or a == b for a, b in zip(shape, needs))


def _known(
    xp: Any, type: str, shape: tuple, labels: Any, ignore_index: int, axis: int = -1, bare: bool = False
) -> tuple[Any, Any]:
    """Return the classes of hard labels, 0 for ignored ones, and the mask of the others, with size 1 at the axis.

    Raises for what is no label. bare: labels may come without the dimension of the classes.
    """
    loss = tuple(1 if i == axis % len(shape) else n for i, n in enumerate(shape))
    if labels.dtype != "int64" or not shape[axis] or not (labels.shape == loss or (bare and labels.shape == loss[:-1])):
        raise ShapeError(message(type, "Input(Label)", f"{labels.dtype} {list(labels.shape)}", f"int64 {list(loss)}"))
    labels = labels.reshape(loss)
    kept = labels != ignore_index
    classes = xp.where(kept, labels, 0)
    if checked_later(
        type, classes, shape[axis], lambda label, end: invalid_label_error(type, label, end, ignore_index)
    ):
        return classes % shape[axis], kept
    wrong = kept & ((labels < 0) | (labels >= shape[axis]))
    if wrong.any():
        raise invalid_label_error(type, int(labels[wrong][0]), shape[axis], ignore_index)
    return classes, kept


def _soft(type: str, x: Any, labels: Any, axis: int = -1) -> Any:
    """Return soft labels unchanged; raise unless they have the shape and dtype of x."""
    if labels.shape != x.shape or labels.dtype != x.dtype or not x.shape[axis]:
        raise ShapeError(
            message(type, "Input(Label)", f"{labels.dtype} {list(labels.shape)}", f"{x.dtype} {list(x.shape)}")
        )
    return labels


def _place(xp: Any, values: Any, labels: Any, shape: tuple, axis: int) -> Any:
    """Return zeros of a shape with `values` at `labels` along the axis."""
    classes = xp.arange(shape[axis]).reshape([-1 if i == axis % len(shape) else 1 for i in range(len(shape))])
    return xp.where(classes == labels, values, xp.zeros((), values.dtype))


def _minus_log(xp: Any, p: Any) -> Any:
    """Return -log(p): 1e20 for 0, NaN for negative p."""
    bad = xp.where(p == 0, xp.full((), LOG_OF_ZERO, p.dtype), xp.full((), xp.nan, p.dtype))
    return xp.where(p > 0, -xp.log(xp.where(p > 0, p, xp.ones((), p.dtype))), bad)


def _over(xp: Any, d: Any, p: Any) -> Any:
    """Return d / p: infinite for p = 0, but 0 if d is 0 as well."""
    endless = xp.where(d == 0, xp.zeros((), d.dtype), xp.copysign(xp.full((), xp.inf, d.dtype), d))
    return xp.where(p != 0, d / xp.where(p != 0, p, xp.ones((), p.dtype)), endless)


@op(
    "cross_entropy",
    inputs="X Label",
    outputs="Y",
    attrs={"soft_label": False, "ignore_index": -100},
    flops=PerElement(2, "Y"),
    fed_as="Label",
)
class cross_entropy(Declaration):
    """Y = -log(X[label]), or -sum(Label * log(X)) with soft labels; X holds probabilities."""

    def infer(X, Label, *, soft_label, **_):
        shape = _infer_labels("cross_entropy", "X", X, Label, soft_label, bare=True)
        return Meta(shape, X.dtype, X.lod_level)

    def reference(xp, X, Label, *, soft_label, ignore_index):
        if soft_label:
            return (_soft("cross_entropy", X, Label) * _minus_log(xp, X)).sum(axis=-1, keepdims=True)
        labels, kept = _known(xp, "cross_entropy", X.shape, Label, ignore_index, bare=True)
        loss = _minus_log(xp, xp.take_along_axis(X, labels, axis=-1))
        return xp.where(kept, loss, xp.zeros((), X.dtype)).reshape(Label.shape)

    def gradient(xp, X, Label, dY, *, soft_label, ignore_index):
        if soft_label:
            return _over(xp, -dY * Label, X)
        labels, kept = _known(xp, "cross_entropy", X.shape, Label, ignore_index, bare=True)
        d = xp.where(kept, -dY.reshape(labels.shape), xp.zeros((), X.dtype))
        return _place(xp, _over(xp, d, xp.take_along_axis(X, labels, axis=-1)), labels, X.shape, -1)

    def twice(xp, X, Label, dY, ddX, *, soft_label, ignore_index):
        if soft_label:
            return _over(xp, _over(xp, dY * Label * ddX, X), X), _over(xp, -Label * ddX, X).sum(axis=-1, keepdims=True)
        labels, kept = _known(xp, "cross_entropy", X.shape, Label, ignore_index, bare=True)
        p = xp.take_along_axis(X, labels, axis=-1)
        change = xp.where(kept, xp.take_along_axis(ddX, labels, axis=-1), xp.zeros((), X.dtype))
        dx = _place(xp, _over(xp, _over(xp, dY.reshape(labels.shape) * change, p), p), labels, X.shape, -1)
        return dx, _over(xp, -change, p).reshape(dY.shape)

    grad = Grad(
        "X Label Y@GRAD",
        "X@GRAD",
        gradient,
        flops=PerElement(2, "Y@GRAD"),
        fresh=True,
        grad=Grad("X Label Y@GRAD X@GRAD@GRAD", "X@GRAD Y@GRAD@GRAD", twice, type="cross_entropy_grad_grad"),
    )


@op(
    "cross_entropy2",
    inputs="X Label",
    outputs="Y XShape MatchX",
    attrs={"ignore_index": -100},
    lod=lambda lods, ins, outs, attrs: (lods[0], None, None),
    flops=PerElement(2, "Y"),
    fed_as="Label",
)
class cross_entropy2(Declaration):
    """Y = -log(X[label]); MatchX keeps X[label], XShape the shape of X, for the gradient."""

    def infer(X, Label, **_):
        shape = _infer_labels("cross_entropy2", "X", X, Label, False, bare=True)
        return Meta(shape, X.dtype, X.lod_level), Meta((0, *X.shape), X.dtype), Meta((*X.shape[:-1], 1), X.dtype)

    def reference(xp, X, Label, *, ignore_index):
        labels, kept = _known(xp, "cross_entropy2", X.shape, Label, ignore_index, bare=True)
        zero = xp.zeros((), X.dtype)
        match = xp.where(kept, xp.take_along_axis(X, labels, axis=-1), zero)
        loss = xp.where(kept, _minus_log(xp, match), zero).reshape(Label.shape)
        return loss, xp.empty((0, *X.shape), X.dtype), match

    def gradient(xp, Label, XShape, MatchX, dY, *, ignore_index):
        shape = XShape.shape[1:]
        labels, kept = _known(xp, "cross_entropy2", shape, Label, ignore_index, bare=True)
        d = xp.where(kept, -dY.reshape(labels.shape), xp.zeros((), dY.dtype))
        return _place(xp, _over(xp, d, MatchX), labels, shape, -1)

    grad = Grad(
        "Label XShape MatchX Y@GRAD",
        "X@GRAD",
        gradient,
        type="cross_entropy_grad2",
        flops=PerElement(2, "Y@GRAD"),
        fresh=True,
        differentiated_as="cross_entropy_grad",
        twice=SOFT.format("x"),
    )


@op(
    "softmax_with_cross_entropy",
    inputs="Logits Label",
    outputs="Softmax~ Loss",
    attrs={"soft_label": False, "numeric_stable_mode": True, "ignore_index": -100, "axis": -1},
    flops=PerElement(6, "Logits"),
    fed_as="Label",
)
class softmax_with_cross_entropy(Declaration):
    """Compute Loss = -log(softmax(Logits)[label]) along `axis` without overflow; the gradient reads Softmax."""

    def infer(Logits, Label, *, soft_label, axis, **_):
        loss = _infer_labels("softmax_with_cross_entropy", "Logits", Logits, Label, soft_label, axis)
        return Logits, Meta(loss, Logits.dtype, Logits.lod_level)

    def reference(xp, Logits, Label, *, soft_label, ignore_index, axis):
        name = "softmax_with_cross_entropy"
        below = xp.maximum(Logits - Logits.max(axis=axis, keepdims=True), FLOOR)
        exponent = xp.exp(below)
        total = exponent.sum(axis=axis, keepdims=True)
        if soft_label:
            loss = (_soft(name, Logits, Label, axis) * (xp.log(total) - below)).sum(axis=axis, keepdims=True)
        else:
            labels, kept = _known(xp, name, Logits.shape, Label, ignore_index, axis)
            loss = xp.log(total) - xp.take_along_axis(below, labels, axis=axis)
            loss = xp.where(kept, loss, xp.zeros((), Logits.dtype))
        return exponent / total, loss

    def gradient(xp, Label, Softmax, dLoss, *, soft_label, ignore_index, axis):
        if soft_label:
            return (Softmax * Label.sum(axis=axis, keepdims=True) - Label) * dLoss
        labels, kept = _known(xp, "softmax_with_cross_entropy", Softmax.shape, Label, ignore_index, axis)
        d = xp.where(kept, dLoss, xp.zeros((), dLoss.dtype))
        return Softmax * d - _place(xp, d, labels, Softmax.shape, axis)

    grad = Grad(
        "Label Softmax Loss@GRAD",
        "Logits@GRAD",
        gradient,
        flops=PerElement(2, "Softmax"),
        fresh=True,
        twice=SOFT.format("softmax(x)"),
    )
