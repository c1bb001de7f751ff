"""CPU kernels of losses over classes."""

from __future__ import annotations

from math import log

import numpy as np

from ....core.ranges import require_range
from ....ops.support.matmul_shapes import as_matrix
from ...codegen import Pointwise
from ...registry import kernel
from ..shape.indexed_rows import scatter_add_rows

LEAD = Pointwise("lead", {"out": "max(x, 0) + log1p(exp(-abs(x)))"}, ("x",))
LEAD_GRAD = Pointwise("lead_grad", {"out": "1 / (1 + exp(-x))"}, ("x",))


@kernel("bpr_loss")
def bpr_loss(X, Label):
    require_range("bpr_loss", "Input(Label)", Label, X.shape[-1])
    total = LEAD.cpu(X - np.take_along_axis(X, Label, axis=-1)).sum(axis=-1, keepdims=True)
    return (total - log(2)) / (X.shape[-1] - 1)


@kernel("bpr_loss_grad")
def bpr_loss_grad(X, Label, dY):
    d = LEAD_GRAD.cpu(X - np.take_along_axis(X, Label, axis=-1))
    np.put_along_axis(d, Label, 0, axis=-1)
    np.put_along_axis(d, Label, -d.sum(axis=-1, keepdims=True), axis=-1)
    d *= dY / (X.shape[-1] - 1)
    return d


@kernel("center_loss")
def center_loss(X, Label, Centers, CenterUpdateRate, *, cluster_num, need_update):
    require_range("center_loss", "Input(Label)", Label, cluster_num)
    labels = Label.reshape(-1)
    diff = as_matrix(X, 1) - Centers[labels]
    loss = 0.5 * np.einsum("ij,ij->i", diff, diff)[:, None]
    if not need_update:
        return Centers.copy(), diff, loss
    moved = scatter_add_rows(Centers.shape, labels, diff)
    moved *= CenterUpdateRate / (1 + np.bincount(labels, minlength=cluster_num)[:, None]).astype(X.dtype)
    moved += Centers
    return moved, diff, loss


# one of the weights hit and miss is 0; e = log(1 + e^x) = -log(1 - p)
PLUS = "(max(x, 0) + log1p(exp(-abs(x))))"
FOCAL = Pointwise(
    "focal",
    {
        "out": f"hit * exp(-gamma * {PLUS}) * ({PLUS} - x) if hit > 0 else"
        f" miss * exp(gamma * (x - {PLUS})) * {PLUS} if miss > 0 else 0 * x"
    },
    ("x", "hit", "miss"),
    ("gamma",),
)
FOCAL_GRAD = Pointwise(
    "focal_grad",
    {
        "dx": f"-dout * hit * exp(-gamma * {PLUS}) * (sigmoid(-x) + gamma * sigmoid(x) * ({PLUS} - x)) if hit > 0 else"
        f" dout * miss * exp(gamma * (x - {PLUS})) * (sigmoid(x) + gamma * sigmoid(-x) * {PLUS}) if miss > 0 else 0 * x"
    },
    ("x", "hit", "miss", "dout"),
    ("gamma",),
)


def focal_weights(X, Label, FgNum, alpha):
    """Return the weights of each element for being its row's class, and for being another class."""
    count = max(int(FgNum[0]), 1)
    hit = np.zeros_like(X)
    miss = np.full_like(X, (1 - alpha) / count)
    miss[Label[:, 0] == -1] = 0
    rows = np.flatnonzero((Label[:, 0] > 0) & (Label[:, 0] <= X.shape[1]))
    columns = Label[rows, 0] - 1
    hit[rows, columns] = alpha / count
    miss[rows, columns] = 0
    return hit, miss


@kernel("sigmoid_focal_loss")
def sigmoid_focal_loss(X, Label, FgNum, *, gamma, alpha):
    return FOCAL.cpu(X, *focal_weights(X, Label, FgNum, alpha), gamma=gamma)


@kernel("sigmoid_focal_loss_grad")
def sigmoid_focal_loss_grad(X, Label, FgNum, dOut, *, gamma, alpha):
    return FOCAL_GRAD.cpu(X, *focal_weights(X, Label, FgNum, alpha), dOut, gamma=gamma)
