"""Losses that compare two arrays element by element, each declared by the scalar expressions of its result and gradients.

In expressions `x` is the element of Input(X), `dout` that of the gradient of Output(Out), and so on for every slot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import prod
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, ShapeError, message
from ...core.ranges import require_probabilities
from ..framework.costs import PerElement
from ..framework.pointwise import ExpressionKernels, mentions
from ..framework.registry import register
from ..framework.spec import Declaration, Grad, OpDef, Required, op, parse_slots
from ..framework.traits import Traits
from ..support.matmul_shapes import as_matrix
from ..support.meta import Meta
from ..support.require import require_floats, require_same, shapes_match


def columns(where: str, **metas: Meta) -> None:
    """Raise unless the inputs are floating, of one dtype, and all of one shape [N, 1]."""
    first, like = next(iter(metas.items()))
    if len(like.shape) != 2 or like.shape[1] not in (1, -1):
        fix = "Reshape it: one number a row."
        raise ShapeError(message(where, f"Input({first})", f"shape {list(like.shape)}", "shape [N, 1]", fix))
    require_same(where, **metas)


def second_only(lods: tuple, ins: tuple, outs: tuple, attrs: Mapping[str, Any]) -> tuple:
    """Return the LoD of the first input for the second output only."""
    return None, lods[0]


def paired(
    type: str,
    doc: str,
    inputs: str,
    outputs: Mapping[str, str],
    grads: Mapping[str, str],
    attrs: Mapping[str, Any] | None = None,
    check: Callable[..., None] = require_same,
    lod: Any = "first",
) -> OpDef:
    """Declare a loss of several arrays of one shape that computes each element by itself.

    Arguments:
        inputs: the slots.
        outputs: the expression of each output, in the inputs and the attributes.
        grads: the expression of each input's gradient, in the inputs, outputs, output gradients and attributes. What the
            gradient operator reads follows from these.
        check: raises unless the inputs fit; called with the operator's type and the Meta of each slot.
        lod: as in `op`.
    """
    attrs = dict(attrs or {})
    slots, made = parse_slots(inputs), parse_slots(" ".join(outputs))
    variables = {s.name: s.name.lower() for s in (*slots, *made)} | {
        f"{s.name}@GRAD": f"d{s.name.lower()}" for s in made
    }
    forward = ExpressionKernels(type, _named(outputs), tuple(variables[s.name] for s in slots), tuple(attrs))
    reads = [slot for slot, name in variables.items() if _in(name, grads.values())]
    backward = ExpressionKernels(
        f"{type}_grad",
        _named(grads),
        tuple(variables[r] for r in reads),
        tuple(a for a in attrs if _in(a, grads.values())),
    )

    def infer(*metas: Meta, **_: Any) -> Any:
        check(type, **{s.name: m for s, m in zip(slots, metas, strict=True)})
        out = metas[0]._replace(lod_level=metas[0].lod_level if lod else 0)
        return out if len(made) == 1 else (out,) * len(made)

    return register(
        OpDef(
            type,
            slots,
            made,
            attrs,
            family="loss.loss_pairs",
            reference=forward.reference,
            infer=infer,
            grad=Grad(
                " ".join(reads),
                " ".join(f"{slot}@GRAD" for slot in grads),
                backward.reference,
                make_kernel=backward.make_kernel,
                fuses=backward.rule(f"{slot}@GRAD" for slot in grads),
            ),
            lod=lod,
            make_kernel=forward.make_kernel,
            traits=Traits(fuses=forward.rule(s.name for s in made)),
            doc=doc,
        )
    )


def _named(expressions: Mapping[str, str]) -> dict[str, str]:
    """Return the named outputs of a ExpressionKernels."""
    return {f"of_{slot.rstrip('~').lower()}": e for slot, e in expressions.items()}


def _in(name: str, expressions: Iterable[str]) -> bool:
    """Return whether a name occurs in one of the expressions."""
    return any(mentions(e, name) for e in expressions)


# --- regression ---------------------------------------------------------------------------------------------------------

huber_loss = paired(
    "huber_loss",
    "Out = 0.5 r^2 where |r| <= delta, else delta (|r| - 0.5 delta), of the residual r = Y - X.",
    "X Y",
    {
        "Residual~": "y - x",
        "Out": "0.5 * (y - x) * (y - x) if abs(y - x) <= delta else delta * (abs(y - x) - 0.5 * delta)",
    },
    {
        "X": "-dout * (residual if abs(residual) <= delta else delta * sign(residual))",
        "Y": "dout * (residual if abs(residual) <= delta else delta * sign(residual))",
    },
    {"delta": Required("FLOAT")},
    lod=second_only,
)


def rows_summed(X: Meta) -> Meta:
    """Return the Meta of one number for each row of X."""
    return Meta((X.shape[0], 1), X.dtype, X.lod_level)


def require_rows(where: str, X: Meta) -> None:
    if len(X.shape) < 2:
        raise ShapeError(message(where, "Input(X)", f"shape {list(X.shape)}", "rank 2 or more: rows and columns"))


@op(
    "smooth_l1_loss",
    inputs="X Y InsideWeight? OutsideWeight?",
    outputs="Diff~ Out",
    attrs={"sigma": 1.0},
    lod=None,
    flops=PerElement(6),
)
class smooth_l1_loss(Declaration):
    """Compute the smooth L1 loss: the sum over each row of w * (0.5 (s d)^2 if |d| < 1 / s^2, else |d| - 0.5 / s^2).

    d = InsideWeight * (X - Y), w = OutsideWeight, s = sigma; both weights are 1 if they are not given. Girshick, "Fast
    R-CNN", 2015.
    """

    def infer(X, Y, InsideWeight, OutsideWeight, **_):
        require_rows("smooth_l1_loss", X)
        metas = {"X": X, "Y": Y}
        if InsideWeight is not None:
            if OutsideWeight is None:
                needs = "both weights, or none"
                raise ArgumentValueError(message("smooth_l1_loss", "Input(OutsideWeight)", "None", needs))
            metas.update(InsideWeight=InsideWeight, OutsideWeight=OutsideWeight)
        require_same("smooth_l1_loss", **metas)
        return X, rows_summed(X)._replace(lod_level=0)

    def reference(xp, X, Y, InsideWeight, OutsideWeight, *, sigma):
        diff, square = X - Y, sigma * sigma
        if InsideWeight is not None:
            diff = diff * InsideWeight
        size = abs(diff)
        loss = xp.where(size < 1 / square, 0.5 * square * diff * diff, size - 0.5 / square)
        if InsideWeight is not None:
            loss = loss * OutsideWeight
        return diff, as_matrix(loss, 1).sum(axis=1, keepdims=True)

    def gradient(xp, InsideWeight, OutsideWeight, Diff, dOut, *, sigma):
        square = sigma * sigma
        d = xp.where(abs(Diff) < 1 / square, square * Diff, xp.sign(Diff))
        d *= dOut.reshape(-1, *(1,) * (Diff.ndim - 1))
        if InsideWeight is not None:
            d *= InsideWeight * OutsideWeight
        return d, -d

    grad = Grad("InsideWeight OutsideWeight Diff Out@GRAD", "X@GRAD Y@GRAD", gradient)


# --- probabilities ------------------------------------------------------------------------------------------------------

log_loss = paired(
    "log_loss",
    "Loss = -l log(p + epsilon) - (1 - l) log(1 - p + epsilon), of the probability p of Predicted and the label l, 0 or 1.",
    "Predicted Labels",
    {"Loss": "-labels * log(predicted + epsilon) - (1 - labels) * log(1 - predicted + epsilon)"},
    {"Predicted": "dloss * ((1 - labels) / (1 - predicted + epsilon) - labels / (predicted + epsilon))"},
    {"epsilon": Required("FLOAT")},
    columns,
)


@op("bce_loss", inputs="X Label", outputs="Out")
class bce_loss(Declaration):
    """Out = -Label log(X) - (1 - Label) log(1 - X) of probabilities X; a logarithm is never below -100."""

    def infer(X, Label):
        require_same("bce_loss", X=X, Label=Label)
        return X

    @np.errstate(divide="ignore")
    def reference(xp, X, Label):
        require_probabilities("bce_loss", X)
        return (Label - 1) * xp.maximum(xp.log(1 - X), -100) - Label * xp.maximum(xp.log(X), -100)

    def gradient(xp, X, Label, dOut):
        return dOut * (X - Label) / xp.maximum(X * (1 - X), xp.asarray(1e-12, dtype=X.dtype))

    grad = Grad("X Label Out@GRAD", "X@GRAD", gradient)


NEAR = 1e-6
"""How far apart a label may be from the one that is ignored, to be it."""


@op(
    "sigmoid_cross_entropy_with_logits",
    inputs="X Label",
    outputs="Out",
    attrs={"normalize": False, "ignore_index": -100},
    flops=PerElement(6),
)
class sigmoid_cross_entropy_with_logits(Declaration):
    """Out = -Label log(sigmoid(X)) - (1 - Label) log(1 - sigmoid(X)), without overflow; 0 where Label is `ignore_index`.

    A fraction is ignored with its whole part. With `normalize` Out is divided by the number of labels that are not
    `ignore_index`; fractions count.
    """

    def infer(X, Label, **_):
        require_same("sigmoid_cross_entropy_with_logits", X=X, Label=Label)
        return X

    def reference(xp, X, Label, *, normalize, ignore_index):
        loss = xp.maximum(X, 0) - X * Label + xp.log1p(xp.exp(-abs(X)))
        return counted(xp, loss, Label, normalize, ignore_index)

    def gradient(xp, X, Label, dOut, *, normalize, ignore_index):
        e = xp.exp(-abs(X))
        d = dOut * (xp.where(X > 0, 1, e) / (1 + e) - Label)
        return counted(xp, d, Label, normalize, ignore_index)

    grad = Grad("X Label Out@GRAD", "X@GRAD", gradient, flops=PerElement(5))


def counted(xp, loss, Label, normalize, ignore_index):
    """Return the loss, 0 if ignored, divided by the number of labels that are not ignored if `normalize`; NaN if there are none.

    A label is ignored where its whole part is `ignore_index`; it counts all the same unless it is `ignore_index` itself.
    """
    out = xp.where(xp.trunc(Label) != ignore_index, loss, xp.zeros((), loss.dtype))
    if not normalize:
        return out
    count = int((abs(Label - ignore_index) > NEAR).sum())
    return out / count if count else xp.full_like(out, xp.nan)


teacher_student_sigmoid_loss = paired(
    "teacher_student_sigmoid_loss",
    "Y = the cross entropy of a click that Label's range tells, plus that of the teacher's score where Label holds one.\n\n"
    "Label < -1: no click, no score; in [-1, 0): click, no score; in [0, 1): no click, score Label; from 1 on: click, score\n"
    "Label - 1. There is no gradient where X reaches a bound.",
    "X Label",
    {
        "Y": "max(x, 0) + log1p(exp(-abs(x))) if label < -1 else max(x, 0) - x + log1p(exp(-abs(x))) if label < 0 else"
        " 2 * (max(x, 0) + log1p(exp(-abs(x)))) - x * label"
    },
    {
        "X": "0 if x >= soft_max_up_bound or x <= soft_max_lower_bound else dy * (sigmoid(x) if label < -1 else"
        " sigmoid(x) - 1 if label < 0 else 2 * sigmoid(x) - label)"
    },
    {"soft_max_up_bound": 15.0, "soft_max_lower_bound": -15.0},
    columns,
)

REDUCTIONS = ("none", "batchmean", "mean", "sum")


@op(
    "kldiv_loss",
    inputs="X Target",
    outputs="Loss",
    attrs={"reduction": "mean"},
    lod=None,
    flops=PerElement(4),
    captured=True,
)
class kldiv_loss(Declaration):
    """Loss = Target (log(Target) - X), 0 where Target <= 0; X holds logarithms of probabilities.

    `reduction` is "none", "sum", "mean" (over the elements) or "batchmean" (over the rows).
    """

    def infer(X, Target, *, reduction):
        require_same("kldiv_loss", X=X, Target=Target)
        if reduction not in REDUCTIONS:
            raise ArgumentValueError(
                message("kldiv_loss", "attribute 'reduction'", repr(reduction), f"one of {', '.join(REDUCTIONS)}")
            )
        return Meta(X.shape if reduction == "none" else (1,), X.dtype)

    def reference(xp, X, Target, *, reduction):
        known = Target > 0
        loss = xp.where(known, Target * (xp.log(xp.where(known, Target, 1)) - X), xp.zeros((), X.dtype))
        return loss if reduction == "none" else (loss.sum(keepdims=True) / divisor(X, reduction)).reshape(1)

    def gradient(xp, X, Target, dLoss, *, reduction):
        scale = dLoss if reduction == "none" else dLoss.reshape((1,) * X.ndim) / divisor(X, reduction)
        return xp.where(Target > 0, -Target * scale, xp.zeros((), X.dtype))

    grad = Grad("X# Target Loss@GRAD", "X@GRAD", gradient)


def divisor(X: Any, reduction: str) -> int:
    """Return the divisor of the sum over the elements of X."""
    return {"sum": 1, "mean": X.size, "batchmean": X.shape[0]}[reduction]


# --- margins and ranks --------------------------------------------------------------------------------------------------

hinge_loss = paired(
    "hinge_loss",
    "Loss = max(0, 1 - (2 l - 1) x) of the score x of Logits and the label l, 0 or 1.",
    "Logits Labels",
    {"Loss": "max(1 - (2 * labels - 1) * logits, 0)"},
    {"Logits": "(1 - 2 * labels) * dloss if 1 - (2 * labels - 1) * logits > 0 else 0"},
    check=columns,
)

margin_rank_loss = paired(
    "margin_rank_loss",
    "Out = max(0, -Label (X1 - X2) + margin): Label is 1 where X1 should rank higher, -1 where X2 should.",
    "X1 X2 Label",
    {
        "Activated~": "1 if margin - label * (x1 - x2) > 0 else 0 * x1",
        "Out": "max(margin - label * (x1 - x2), 0)",
    },
    {"X1": "-dout * activated * label", "X2": "dout * activated * label"},
    {"margin": 0.0},
    columns,
    lod=None,
)


@op("rank_loss", inputs="Label Left Right", outputs="Out", lod=None, flops=PerElement(6, "Label"))
class rank_loss(Declaration):
    """Out = log(1 + e^o) - Label o of o = Left - Right: the cross entropy of ranking Left higher with probability Label.

    Each input is [N] or [N, 1]; Out has the shape of Label. Burges et al., "Learning to rank using gradient descent", 2005.
    """

    def infer(Label, Left, Right):
        require_floats("rank_loss", Label=Label, Left=Left, Right=Right)
        column = len(Label.shape) == 1 or Label.shape[1:] == (1,)
        for slot, scores in (("Left", Left), ("Right", Right)):
            as_label = (
                (*scores.shape[:1], *Label.shape[1:]) if column and scores.shape[1:] in ((), (1,)) else scores.shape
            )
            if not shapes_match(as_label, Label.shape):
                needs = f"{list(Label.shape)}, the shape of Label"
                raise ShapeError(message("rank_loss", f"Input({slot})", f"shape {list(scores.shape)}", needs))
        return Label._replace(lod_level=0)

    def reference(xp, Label, Left, Right):
        o = Left.reshape(Label.shape) - Right.reshape(Label.shape)
        return xp.maximum(o, 0) + xp.log1p(xp.exp(-abs(o))) - Label * o

    def gradient(xp, Label, Left, Right, dOut):
        o = Left.reshape(Label.shape) - Right.reshape(Label.shape)
        d = dOut * (0.5 + 0.5 * xp.tanh(0.5 * o) - Label)
        return d.reshape(Left.shape), -d.reshape(Right.shape)

    grad = Grad("Label Left Right Out@GRAD", "Left@GRAD Right@GRAD", gradient)


modified_huber_loss = paired(
    "modified_huber_loss",
    "Out = -4 z where z < -1, (1 - z)^2 where z < 1, else 0, of z = (2 Y - 1) X, with labels Y 0 or 1.",
    "X Y",
    {
        "IntermediateVal~": "x * (2 * y - 1)",
        "Out": "-4 * x * (2 * y - 1) if x * (2 * y - 1) < -1 else (1 - x * (2 * y - 1)) * (1 - x * (2 * y - 1))"
        " if x * (2 * y - 1) < 1 else 0 * x",
    },
    {
        "X": "dout * (2 * y - 1) * (-4 if intermediateval < -1 else -2 * (1 - intermediateval) if intermediateval < 1"
        " else 0)"
    },
    check=columns,
    lod=None,
)


@op("squared_l2_distance", inputs="X Y", outputs="sub_result~ Out", lod=second_only, captured=True)
class squared_l2_distance(Declaration):
    """Compute the sum over each row of (X - Y)^2; Y is broadcast if it has one row."""

    def infer(X, Y):
        require_rows("squared_l2_distance", X)
        require_floats("squared_l2_distance", X=X, Y=Y)
        if not shapes_match(X.shape, Y.shape) and not shapes_match((1, *X.shape[1:]), Y.shape):
            needs = f"{list(X.shape)}, the shape of X, or 1 in place of the first dimension"
            raise ShapeError(message("squared_l2_distance", "Input(Y)", f"shape {list(Y.shape)}", needs))
        width = -1 if -1 in X.shape[1:] else prod(X.shape[1:])
        return Meta((X.shape[0], width), X.dtype, X.lod_level), rows_summed(X)

    def reference(xp, X, Y):
        diff = as_matrix(X - Y, 1)
        return diff, (diff * diff).sum(axis=1, keepdims=True)

    def gradient(xp, X, Y, sub_result, dOut):
        d = 2 * dOut * sub_result
        dY = -d if Y.shape[0] == X.shape[0] else -d.sum(axis=0)
        return d.reshape(X.shape), dY.reshape(Y.shape)

    grad = Grad("X# Y# sub_result Out@GRAD", "X@GRAD Y@GRAD", gradient)
