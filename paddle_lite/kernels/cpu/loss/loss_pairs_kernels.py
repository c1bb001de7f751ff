"""CPU kernels of losses that compare two arrays, with one pass over the elements each."""

from __future__ import annotations

import numpy as np

from ....core.ranges import require_probabilities
from ....ops.support.matmul_shapes import as_matrix
from ...codegen import Pointwise
from ...registry import kernel

PLUS = "(max(x, 0) + log1p(exp(-abs(x))))"
SIGMOID = Pointwise(
    "sigmoid_cross_entropy",
    {"out": f"0 if trunc(label) == ignored else {PLUS} - x * label"},
    ("x", "label"),
    ("ignored",),
)
SIGMOID_GRAD = Pointwise(
    "sigmoid_cross_entropy_grad",
    {"dx": "0 if trunc(label) == ignored else dout * (sigmoid(x) - label)"},
    ("x", "label", "dout"),
    ("ignored",),
)


def divide_by_count(out, Label, normalize, ignore_index):
    """Return the result divided by the number of labels that are not `ignore_index`, if `normalize`; NaN if there are none."""
    if not normalize:
        return out
    count = int(np.count_nonzero(np.abs(Label - ignore_index) > 1e-6))
    return out / count if count else np.full_like(out, np.nan)


@kernel("sigmoid_cross_entropy_with_logits")
def sigmoid_cross_entropy_with_logits(X, Label, *, normalize, ignore_index):
    return divide_by_count(SIGMOID.cpu(X, Label, ignored=ignore_index), Label, normalize, ignore_index)


@kernel("sigmoid_cross_entropy_with_logits_grad")
def sigmoid_cross_entropy_with_logits_grad(X, Label, dOut, *, normalize, ignore_index):
    return divide_by_count(SIGMOID_GRAD.cpu(X, Label, dOut, ignored=ignore_index), Label, normalize, ignore_index)


SMOOTH = "0.5 * square * diff * diff if abs(diff) < 1 / square else abs(diff) - 0.5 / square"
SMOOTH_L1 = Pointwise("smooth_l1", {"loss": SMOOTH}, ("diff",), ("square",))
SMOOTH_L1_GRAD = Pointwise(
    "smooth_l1_grad", {"d": "square * diff if abs(diff) < 1 / square else sign(diff)"}, ("diff",), ("square",)
)


@kernel("smooth_l1_loss")
def smooth_l1_loss(X, Y, InsideWeight, OutsideWeight, *, sigma):
    diff = X - Y
    if InsideWeight is not None:
        diff *= InsideWeight
    loss = SMOOTH_L1.cpu(diff, square=sigma * sigma)
    if InsideWeight is not None:
        loss *= OutsideWeight
    return diff, as_matrix(loss, 1).sum(axis=1, keepdims=True)


@kernel("smooth_l1_loss_grad")
def smooth_l1_loss_grad(InsideWeight, OutsideWeight, Diff, dOut, *, sigma):
    d = SMOOTH_L1_GRAD.cpu(Diff, square=sigma * sigma)
    d *= dOut.reshape(-1, *(1,) * (Diff.ndim - 1))
    if InsideWeight is not None:
        d *= InsideWeight
        d *= OutsideWeight
    return d, -d


KLDIV = Pointwise("kldiv", {"out": "target * (log(target) - x) if target > 0 else 0 * x"}, ("x", "target"))


@kernel("kldiv_loss")
def kldiv_loss(X, Target, *, reduction):
    loss = KLDIV.cpu(X, Target)
    if reduction == "none":
        return loss
    divisor = {"sum": 1, "mean": X.size, "batchmean": X.shape[0]}[reduction]
    return (loss.sum(keepdims=True) / divisor).reshape(1)


BCE = Pointwise("bce", {"out": "(label - 1) * max(log(1 - x), -100) - label * max(log(x), -100)"}, ("x", "label"))
BCE_GRAD = Pointwise("bce_grad", {"dx": "dout * (x - label) / max(x * (1 - x), 1e-12)"}, ("x", "label", "dout"))


@kernel("bce_loss")
def bce_loss(X, Label):
    require_probabilities("bce_loss", X)
    return BCE.cpu(X, Label)


@kernel("bce_loss_grad")
def bce_loss_grad(X, Label, dOut):
    return BCE_GRAD.cpu(X, Label, dOut)
