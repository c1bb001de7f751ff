"""Metrics of predictions."""

from __future__ import annotations

from math import prod

import numpy as np

from ...core.errors import ArgumentValueError, DtypeError, ShapeError, message
from ...core.ranges import require_probabilities, require_range
from ..framework.costs import PerElement
from ..framework.spec import Declaration, Required, op
from ..support.meta import Meta
from ..support.require import require_dtype, require_floats, require_shape

INT32, INT64 = np.dtype("int32"), np.dtype("int64")


@op(
    "accuracy",
    inputs="Out Indices Label",
    outputs="Accuracy Correct Total",
    lod=None,
    flops=PerElement(1, "Indices"),
    fed_as="Label",
    captured=True,
)
class accuracy(Declaration):
    """Compute the accuracy [1], float32: the fraction of rows whose Label is among their Indices.

    Correct [1] counts these rows, Total [1] all rows.
    """

    def infer(Out, Indices, Label):
        require_labels(Indices, Label)
        require_shape("accuracy", "Out", Out, (Indices.shape[0], -1))
        count = Meta((1,), INT32)
        return Meta((1,), np.dtype("float32")), count, count

    def reference(xp, Out, Indices, Label):
        correct = (Indices == Label).any(axis=1).sum().astype("int32").reshape(1)
        total = xp.full(1, len(Label), "int32")
        return (correct / total).astype("float32"), correct, total


def require_labels(Indices, Label):
    """Raise unless there is one int64 label for each row of indices."""
    for slot, array in (("Indices", Indices), ("Label", Label)):
        if array.dtype != np.int64:
            fix = "Convert it with cast()."
            raise DtypeError(message("accuracy", f"Input({slot})", f"dtype {array.dtype}", "int64", fix))
    rows = Indices.shape[0] if Indices.shape else 0
    fits = len(Indices.shape) == 2 and len(Label.shape) == 2 and Label.shape[1] in (1, -1)
    if not fits or (Label.shape[0] != rows and -1 not in (Label.shape[0], rows)):
        raise ShapeError(
            message("accuracy", "Input(Label)", f"shape {list(Label.shape)}", f"shape [{rows}, 1]: one label for each row of "
                    f"Indices, whose shape is {list(Indices.shape)}", "Reshape the labels to [N, 1].")
        )  # fmt: skip


# --- the area under a curve ------------------------------------------------------------------------------------------------


def statistics_shape(num_thresholds: int, slide_steps: int) -> tuple[int, ...]:
    """Return the shape of StatPos and StatNeg."""
    buckets = num_thresholds + 1
    return ((1 + slide_steps) * buckets + 1,) if slide_steps else (1, buckets)


@op(
    "auc",
    inputs="Predict Label StatPos StatNeg",
    outputs="AUC StatPosOut StatNegOut",
    attrs={"curve": "ROC", "num_thresholds": 8191, "slide_steps": 1},
    lod=None,
    fed_as="Label",
)
class auc(Declaration):
    """Compute the area under the ROC curve of all scores counted so far, float64 [1], by the trapezoidal rule.

    StatPos and StatNeg are histograms of the scores of positive and negative rows, with num_thresholds + 1 buckets from
    0 to 1. If slide_steps is k > 0, they hold the histograms of the last k calls, their sum, and the number of calls.
    The attribute `curve` has no effect, as in Paddle.
    """

    def infer(Predict, Label, StatPos, StatNeg, *, num_thresholds, slide_steps):
        require_floats("auc", Predict=Predict)
        require_dtype("auc", "Label", Label, INT64)
        rows = Predict.shape[0] if Predict.shape else 0
        require_shape("auc", "Predict", Predict, (rows, 2), (rows, 1))
        require_shape("auc", "Label", Label, (rows, 1), (rows,))
        for name, value, least in (("num_thresholds", num_thresholds, 1), ("slide_steps", slide_steps, 0)):
            if value < least:
                raise ArgumentValueError(message("auc", f"attribute '{name}'", value, f"{least} or more"))
        shape = statistics_shape(num_thresholds, slide_steps)
        for name, meta in (("StatPos", StatPos), ("StatNeg", StatNeg)):
            require_dtype("auc", name, meta, INT64)
            if -1 not in meta.shape and prod(meta.shape) != prod(shape):
                raise ShapeError(message("auc", f"Input({name})", f"shape {list(meta.shape)}", f"shape {list(shape)}"))
        counts = Meta(shape, INT64)
        return Meta((1,), np.dtype("float64")), counts, counts

    def reference(xp, Predict, Label, StatPos, StatNeg, *, num_thresholds, slide_steps):
        scores, positive = Predict[:, -1], Label.reshape(-1) != 0
        require_probabilities("auc", scores)
        buckets = (scores * xp.asarray(num_thresholds, dtype=scores.dtype)).astype("int64")
        shape, found = statistics_shape(num_thresholds, slide_steps), []
        for before, rows in ((StatPos, positive), (StatNeg, ~positive)):
            new = xp.bincount(buckets[rows], minlength=num_thresholds + 1).astype("int64")
            found.append(_counted(xp, before.reshape(-1), new, slide_steps))
        (after_pos, pos), (after_neg, neg) = found
        return _area(xp, pos, neg), after_pos.reshape(shape), after_neg.reshape(shape)


def _counted(xp, before, new, steps):
    """Return (the statistics after a call, the counts that the area is that of)."""
    if not steps:
        return before + new, before + new
    size, out = len(new), before.copy()
    calls = int(before[-1])
    slot = slice(calls % steps * size, (calls % steps + 1) * size)
    total = before[steps * size : -1] - before[slot] + new
    out[slot], out[steps * size : -1], out[-1] = new, total, calls + 1
    return out, total


def _area(xp, pos, neg):
    """Return the area under the curve, from the highest score down; 0 unless there are both kinds."""
    above = pos[::-1].cumsum()
    area = (neg[::-1] * (above - pos[::-1] / 2)).sum()
    pairs = pos.sum() * neg.sum()
    return (area / xp.maximum(pairs, 1)).astype("float64").reshape(1)


# --- intersection over union -----------------------------------------------------------------------------------------------


@op(
    "mean_iou",
    inputs="Predictions Labels InWrongs*? InCorrects*? InMeanIou*?",
    outputs="OutMeanIou OutWrong OutCorrect",
    attrs={"num_classes": Required("INT")},
    lod=None,
)
class mean_iou(Declaration):
    """Compute the mean intersection over union: the mean of correct / (correct + wrong) over all classes that occur.

    Predictions and Labels are compared element by element, in the order of their elements whatever their shapes.
    OutMeanIou [1], float32, is this mean plus InMeanIou; NaN if no class occurs. OutWrong and OutCorrect, int32
    [num_classes], are the counts of this call plus the given ones; a wrong element counts for the class of its label
    and for the predicted class.
    """

    def infer(Predictions, Labels, InWrongs, InCorrects, InMeanIou, *, num_classes):
        if num_classes < 1:
            raise ArgumentValueError(message("mean_iou", "attribute 'num_classes'", num_classes, "1 or more"))
        if Predictions.dtype not in (INT32, INT64):
            fix = "Convert it with cast()."
            raise DtypeError(
                message("mean_iou", "Input(Predictions)", f"dtype {Predictions.dtype}", "int32 or int64", fix)
            )
        require_dtype("mean_iou", "Labels", Labels, Predictions.dtype)
        if prod(Predictions.shape) != prod(Labels.shape) and -1 not in (*Predictions.shape, *Labels.shape):
            needs = f"as many elements as Predictions, whose shape is {list(Predictions.shape)}"
            raise ShapeError(message("mean_iou", "Input(Labels)", f"shape {list(Labels.shape)}", needs))
        for slot, metas in (("InWrongs", InWrongs), ("InCorrects", InCorrects)):
            for meta in metas or ():
                require_dtype("mean_iou", slot, meta, INT32)
                require_shape("mean_iou", slot, meta, (num_classes,))
        for meta in InMeanIou or ():
            require_floats("mean_iou", InMeanIou=meta)
            require_shape("mean_iou", "InMeanIou", meta, (1,))
        counts = Meta((num_classes,), INT32)
        return Meta((1,), np.dtype("float32")), counts, counts

    def reference(xp, Predictions, Labels, InWrongs, InCorrects, InMeanIou, *, num_classes):
        for name, values in (("Input(Predictions)", Predictions), ("Input(Labels)", Labels)):
            require_range("mean_iou", name, values, num_classes)
        guesses, labels = Predictions.reshape(-1), Labels.reshape(-1)
        right = guesses == labels

        def count(classes):
            return xp.bincount(classes, minlength=num_classes).astype("int32")

        correct, wrong = count(labels[right]), count(labels[~right]) + count(guesses[~right])
        for more in InWrongs or ():
            wrong = wrong + more
        for more in InCorrects or ():
            correct = correct + more
        union = wrong + correct
        occur = (union > 0).sum()
        shares = (correct.astype("float32") / xp.maximum(union, 1).astype("float32")).sum()
        nothing = xp.asarray(xp.nan, dtype="float32")
        mean = xp.where(occur > 0, shares / xp.maximum(occur, 1).astype("float32"), nothing).reshape(1)
        for more in InMeanIou or ():
            mean = mean + more
        return mean.astype("float32"), wrong, correct
