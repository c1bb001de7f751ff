"""Losses over classes: one label a row, or a distribution."""

from __future__ import annotations

from math import log, prod

from ...core.errors import ArgumentValueError, IndexRangeError, ShapeError, message
from ...core.indexed import add_at
from ...core.ranges import require_range
from ..framework.costs import PerElement
from ..framework.spec import Declaration, Grad, Long, Required, op
from ..support.matmul_shapes import as_matrix
from ..support.meta import Meta
from ..support.require import require_dtype, require_floats, require_shape


def spread(xp, labels, values, classes, axis):
    """Return zeros with `values` at `labels` along the class axis."""
    numbers = xp.arange(classes).reshape([-1 if i == axis else 1 for i in range(labels.ndim)])
    return xp.where(numbers == labels, values, xp.zeros((), values.dtype))


# --- negative log likelihood --------------------------------------------------------------------------------------------


def by_class(X, array):
    """Reshape labels or losses of X [N, C, ...] to [N, 1, ...]."""
    return array.reshape((X.shape[0], 1, *X.shape[2:]))


def weights_of(xp, X, Label, Weight, ignore_index):
    """Return (labels, 0 where ignored, shaped for picking from X; the weight of each, 0 where ignored)."""
    labels = by_class(X, Label)
    kept = labels != ignore_index
    wrong = kept & ((labels < 0) | (labels >= X.shape[1]))
    if wrong.any():
        worst = int(labels[wrong][0])
        needs = f"0 to {X.shape[1] - 1}, or ignore_index {ignore_index}"
        raise IndexRangeError(message("nll_loss", "Input(Label)", f"label {worst}", needs))
    labels = xp.where(kept, labels, 0)
    weights = kept.astype(X.dtype) if Weight is None else xp.where(kept, Weight[labels], xp.zeros((), X.dtype))
    return labels, weights


@op(
    "nll_loss",
    inputs="X Label Weight?",
    outputs="Out Total_weight",
    attrs={"ignore_index": Long(-100), "reduction": "mean"},
    lod=None,
)
class nll_loss(Declaration):
    """Compute the negative log likelihood -Weight[label] * X[label] of log-probabilities X [N, C, ...].

    `reduction` is "none" (one number for each label), "sum", or "mean": the sum divided by Total_weight, the sum of the
    weights of the labels.
    """

    def infer(X, Label, Weight, *, reduction, **_):
        require_floats("nll_loss", X=X)
        if len(X.shape) < 2:
            raise ShapeError(message("nll_loss", "Input(X)", f"shape {list(X.shape)}", "shape [N, C, ...]"))
        labels = (X.shape[0], *X.shape[2:])
        require_dtype("nll_loss", "Label", Label, "int64")
        require_shape("nll_loss", "Label", Label, labels, *([(X.shape[0], 1)] if len(X.shape) == 2 else []))
        if Weight is not None:
            require_floats("nll_loss", X=X, Weight=Weight)
            require_shape("nll_loss", "Weight", Weight, (X.shape[1],))
        if reduction not in ("none", "mean", "sum"):
            raise ArgumentValueError(
                message("nll_loss", "attribute 'reduction'", repr(reduction), "one of none, mean, sum")
            )
        return Meta(labels if reduction == "none" else (1,), X.dtype), Meta((1,), X.dtype)

    def reference(xp, X, Label, Weight, *, ignore_index, reduction):
        labels, weights = weights_of(xp, X, Label, Weight, ignore_index)
        loss = -weights * xp.take_along_axis(X, labels, axis=1)
        if reduction == "none":
            return loss.reshape(X.shape[0], *X.shape[2:]), xp.zeros(1, X.dtype)
        total = weights.sum().reshape(1)
        loss = loss.sum().reshape(1)
        return loss / total if reduction == "mean" and total[0] != 0 else loss, total

    def gradient(xp, X, Label, Weight, Total_weight, dOut, *, ignore_index, reduction):
        labels, weights = weights_of(xp, X, Label, Weight, ignore_index)
        if reduction == "none":
            dOut = by_class(X, dOut)
        elif reduction == "mean" and Total_weight[0] != 0:
            weights = weights / Total_weight
        dOut = dOut.reshape(dOut.shape if dOut.ndim > 1 else (1,) * X.ndim)
        return spread(xp, labels, -weights * dOut, X.shape[1], axis=1)

    grad = Grad("X# Label Weight Total_weight Out@GRAD", "X@GRAD", gradient)


# --- ranking and clustering -----------------------------------------------------------------------------------------------


@op("bpr_loss", inputs="X Label", outputs="Y", fed_as="Label")
class bpr_loss(Declaration):
    """Compute the Bayesian personalized ranking loss: the mean of log(1 + exp(X[j] - X[label])) over other classes j.

    Hidasi et al., "Session-based recommendations with recurrent neural networks", 2016.
    """

    def infer(X, Label):
        require_floats("bpr_loss", X=X)
        if not X.shape or (X.shape[-1] != -1 and X.shape[-1] < 2):
            raise ShapeError(message("bpr_loss", "Input(X)", f"shape {list(X.shape)}", "at least two classes"))
        require_dtype("bpr_loss", "Label", Label, "int64")
        require_shape("bpr_loss", "Label", Label, (*X.shape[:-1], 1))
        return Meta((*X.shape[:-1], 1), X.dtype, X.lod_level)

    def reference(xp, X, Label):
        require_range("bpr_loss", "Input(Label)", Label, X.shape[-1])
        lead = X - xp.take_along_axis(X, Label, axis=-1)
        loss = xp.maximum(lead, 0) + xp.log1p(xp.exp(-abs(lead)))  # log 2 for the label itself
        return (loss.sum(axis=-1, keepdims=True) - log(2)) / (X.shape[-1] - 1)

    def gradient(xp, X, Label, dY):
        lead = X - xp.take_along_axis(X, Label, axis=-1)
        e = xp.exp(-abs(lead))
        d = xp.where(lead > 0, 1, e) / (1 + e)
        own = -d.sum(axis=-1, keepdims=True)  # it counts the label itself with 1/2, as do the elements of d
        return (d + spread(xp, Label, own, X.shape[-1], axis=X.ndim - 1)) * dY / (X.shape[-1] - 1)

    grad = Grad("X Label Y@GRAD", "X@GRAD", gradient)


@op(
    "center_loss",
    inputs="X Label Centers CenterUpdateRate",
    outputs="CentersOut SampleCenterDiff Loss",
    attrs={"cluster_num": Required("INT"), "need_update": Required("BOOLEAN")},
    lod=lambda lods, ins, outs, attrs: (None, None, lods[0]),
    fed_as="Label",
)
class center_loss(Declaration):
    """Compute half the squared distance of each row of X to the center of its class, and update the centers.

    If `need_update`, CentersOut = Centers + rate * (sum of the differences of the class's rows) / (1 + number of its
    rows). Wen et al., "A discriminative feature learning approach for deep face recognition", 2016.
    """

    def infer(X, Label, Centers, CenterUpdateRate, *, cluster_num, **_):
        where, size = "center_loss", -1 if -1 in X.shape[1:] else prod(X.shape[1:])
        require_floats(where, X=X, Centers=Centers, CenterUpdateRate=CenterUpdateRate)
        if len(X.shape) < 2:
            raise ShapeError(message(where, "Input(X)", f"shape {list(X.shape)}", "rank 2 or more: rows of features"))
        require_dtype(where, "Label", Label, "int64")
        require_shape(where, "Label", Label, (X.shape[0], 1), (X.shape[0],))
        require_shape(where, "Centers", Centers, (cluster_num, size))
        require_shape(where, "CenterUpdateRate", CenterUpdateRate, (1,))
        diff = Meta((X.shape[0], size), X.dtype)
        return Centers._replace(lod_level=0), diff, Meta((X.shape[0], 1), X.dtype, X.lod_level)

    def reference(xp, X, Label, Centers, CenterUpdateRate, *, cluster_num, need_update):
        require_range("center_loss", "Input(Label)", Label, cluster_num)
        labels = Label.reshape(-1)
        diff = as_matrix(X, 1) - Centers[labels]
        loss = 0.5 * (diff * diff).sum(axis=1, keepdims=True)
        if not need_update:
            return Centers.copy(), diff, loss
        total = xp.zeros_like(Centers)
        add_at(xp, total, labels, diff)
        count = xp.ones((cluster_num, 1), Centers.dtype)
        add_at(xp, count, labels, xp.ones((), Centers.dtype))
        return Centers + CenterUpdateRate * total / count, diff, loss

    def gradient(xp, X, SampleCenterDiff, dLoss):
        return (dLoss * SampleCenterDiff).reshape(X.shape)

    grad = Grad("X# SampleCenterDiff Loss@GRAD", "X@GRAD", gradient)


# --- detection --------------------------------------------------------------------------------------------------------------


def focal(X, Label, classes, FgNum, alpha):
    """Return the weight of each element for being its row's class, and for not being it."""
    count = max(int(FgNum[0]), 1)
    hit = Label == classes
    return hit * X.dtype.type(alpha / count), ((Label != -1) & ~hit) * X.dtype.type((1 - alpha) / count)


@op(
    "sigmoid_focal_loss",
    inputs="X Label FgNum",
    outputs="Out",
    attrs={"gamma": 2.0, "alpha": 0.25},
)
class sigmoid_focal_loss(Declaration):
    """Compute the focal loss of p = sigmoid(X), divided by FgNum (Lin et al., 2017).

    Out = -alpha (1 - p)^gamma log(p) for the class of a row, and -(1 - alpha) p^gamma log(1 - p) for the other classes.
    Label holds 1 to C, 0 for background, and -1 for rows to ignore.
    """

    def infer(X, Label, FgNum, **_):
        require_floats("sigmoid_focal_loss", X=X)
        if len(X.shape) != 2:
            raise ShapeError(message("sigmoid_focal_loss", "Input(X)", f"shape {list(X.shape)}", "shape [N, C]"))
        require_dtype("sigmoid_focal_loss", "Label", Label, "int32")
        require_shape("sigmoid_focal_loss", "Label", Label, (X.shape[0], 1))
        require_dtype("sigmoid_focal_loss", "FgNum", FgNum, "int32")
        require_shape("sigmoid_focal_loss", "FgNum", FgNum, (1,))
        return X

    def reference(xp, X, Label, FgNum, *, gamma, alpha):
        at_hit, at_miss = focal(X, Label, xp.arange(1, X.shape[1] + 1), FgNum, alpha)
        softplus = xp.maximum(X, 0) + xp.log1p(xp.exp(-abs(X)))  # -log(1 - p); -log(p) is X less
        p, q = xp.exp(X - softplus), xp.exp(-softplus)
        return at_hit * q**gamma * (softplus - X) + at_miss * p**gamma * softplus

    def gradient(xp, X, Label, FgNum, dOut, *, gamma, alpha):
        at_hit, at_miss = focal(X, Label, xp.arange(1, X.shape[1] + 1), FgNum, alpha)
        softplus = xp.maximum(X, 0) + xp.log1p(xp.exp(-abs(X)))
        p, q = xp.exp(X - softplus), xp.exp(-softplus)
        of_hit = -(q**gamma) * (q + gamma * p * (softplus - X))
        of_miss = p**gamma * (p + gamma * q * softplus)
        return dOut * (at_hit * of_hit + at_miss * of_miss)

    grad = Grad("X Label FgNum Out@GRAD", "X@GRAD", gradient)


# --- distributions ----------------------------------------------------------------------------------------------------------


@op("label_smooth", inputs="X PriorDist?", outputs="Out", attrs={"epsilon": 0.0}, flops=PerElement(2), captured=True)
class label_smooth(Declaration):
    """Out = (1 - epsilon) X + epsilon PriorDist, which is 1 / classes for each class unless given.

    Szegedy et al., "Rethinking the inception architecture for computer vision", 2016.
    """

    def infer(X, PriorDist, **_):
        require_floats("label_smooth", X=X, **({} if PriorDist is None else {"PriorDist": PriorDist}))
        if not X.shape:
            raise ShapeError(message("label_smooth", "Input(X)", "shape []", "shape [..., classes]"))
        if PriorDist is not None:
            require_shape("label_smooth", "PriorDist", PriorDist, (1, X.shape[-1]), (X.shape[-1],))
        return X

    def reference(xp, X, PriorDist, *, epsilon):
        prior = 1 / X.shape[-1] if PriorDist is None else PriorDist.reshape(-1)
        return (1 - epsilon) * X + epsilon * prior

    def gradient(xp, dOut, *, epsilon):
        return (1 - epsilon) * dOut

    grad = Grad("Out@GRAD", "X@GRAD", gradient)
