"""Measures of classification and ranking that add up over batches: precision and recall, pairs in the right order."""

from __future__ import annotations

from typing import Any

from ...core.dtype import to_numpy
from ...core.errors import ArgumentTypeError, ArgumentValueError, message
from ...core.indexed import add_at
from ...core.ranges import require_range
from ..framework.spec import Declaration, Required, op
from ..support.meta import Meta
from ..support.require import require_dtype, require_floats, require_one_shape, require_shape
from ..support.shape_rules import UNKNOWN, axis_of

INT32, INT64, FLOAT64 = (to_numpy(name) for name in ("int32", "int64", "float64"))


def _shares(xp: Any, right: Any, wrong: Any) -> Any:
    """Return right / (right + wrong), 1 where both are 0."""
    known = (right > 0) | (wrong > 0)
    return xp.where(known, right / xp.where(known, right + wrong, 1), 1.0)


def _harmonic(xp: Any, a: Any, b: Any) -> Any:
    """Return the harmonic mean, 0 where both numbers are 0."""
    known = (a > 0) | (b > 0)
    return xp.where(known, 2 * a * b / xp.where(known, a + b, 1), 0.0)


def _metrics(xp: Any, states: Any) -> Any:
    """Return precision, recall and F1, of the mean over the classes and of all classes together, float64 [6]."""
    right, false, _, missed = states.astype("float64").T
    macro = [_shares(xp, right, other).mean() for other in (false, missed)]
    micro = [_shares(xp, right.sum(), other.sum()) for other in (false, missed)]
    return xp.stack([xp.asarray(n).reshape(()) for pair in (macro, micro) for n in (*pair, _harmonic(xp, *pair))])


@op(
    "precision_recall", inputs="MaxProbs Indices Labels Weights? StatesInfo?",
    outputs="BatchMetrics AccumMetrics AccumStatesInfo", attrs={"class_number": Required("INT")}, lod=None,
)  # fmt: skip
class precision_recall(Declaration):
    """Metrics float64 [6]: precision, recall and F1, of the mean over the classes (macro), then of all together (micro).

    AccumStatesInfo [class_number, 4] = StatesInfo + the weights of the instances of this batch that are, for each class,
    true positives, false positives, true negatives, false negatives; BatchMetrics are those of the batch, AccumMetrics
    those of the sum. Indices int32 [N, 1] are the predicted classes, Labels int32 [N, 1] the true ones. Of MaxProbs
    [N, 1] only the dtype counts, as in Paddle.
    """

    def infer(MaxProbs, Indices, Labels, Weights, StatesInfo, *, class_number):
        where = "precision_recall"
        if class_number < 1:
            raise ArgumentValueError(message(where, "attribute 'class_number'", class_number, "1 or more"))
        given = {name: meta for name, meta in (("Weights", Weights), ("StatesInfo", StatesInfo)) if meta is not None}
        require_floats(where, MaxProbs=MaxProbs, **given)
        for slot, meta in (("Indices", Indices), ("Labels", Labels)):
            require_dtype(where, slot, meta, INT32)
            require_shape(where, slot, meta, (MaxProbs.shape[0] if MaxProbs.shape else UNKNOWN, 1))
        require_shape(where, "MaxProbs", MaxProbs, (UNKNOWN, 1))
        if Weights is not None:
            require_shape(where, "Weights", Weights, (MaxProbs.shape[0], 1))
        if StatesInfo is not None:
            require_shape(where, "StatesInfo", StatesInfo, (class_number, 4))
        return Meta((6,), FLOAT64), Meta((6,), FLOAT64), Meta((class_number, 4), MaxProbs.dtype)

    def reference(xp, MaxProbs, Indices, Labels, Weights, StatesInfo, *, class_number):
        for slot, array in (("Indices", Indices), ("Labels", Labels)):
            require_range("precision_recall", f"Input({slot})", array, class_number)
        found, true = Indices.reshape(-1), Labels.reshape(-1)
        weights = xp.ones(len(found), MaxProbs.dtype) if Weights is None else Weights.reshape(-1)
        right = found == true
        states = xp.zeros((class_number, 4), MaxProbs.dtype)
        add_at(xp, states[:, 0], found[right], weights[right])
        add_at(xp, states[:, 1], found[~right], weights[~right])
        add_at(xp, states[:, 3], true[~right], weights[~right])
        states[:, 2] = weights.sum() - states[:, 0] - states[:, 1] - states[:, 3]
        total = states.copy() if StatesInfo is None else StatesInfo + states
        return _metrics(xp, states), _metrics(xp, total), total


ACCUMULATED = ("AccumulatePositivePair", "AccumulateNegativePair", "AccumulateNeutralPair")


@op(
    "positive_negative_pair",
    inputs="Score Label QueryID AccumulatePositivePair? AccumulateNegativePair? AccumulateNeutralPair? Weight?",
    outputs="PositivePair NegativePair NeutralPair?", attrs={"column": 0}, lod=None,
)  # fmt: skip
class positive_negative_pair(Declaration):
    """The weights [1] of the pairs of a query with different labels: in the order of the labels, in another, of one score.

    Column `column` of Score [N, D] has the scores, Label and QueryID int64 are [N, 1]. A pair weighs the mean of both
    Weights [N, 1], or 1. A pair of one score counts as negative too, as in Paddle. What is accumulated is added.
    """

    def infer(Score, Label, QueryID, *rest, column):
        where, weight = "positive_negative_pair", rest[3]
        given = {slot: meta for slot, meta in zip(ACCUMULATED, rest, strict=False) if meta is not None}
        require_floats(where, Score=Score, Label=Label, **({} if weight is None else {"Weight": weight}), **given)
        require_shape(where, "Score", Score, (UNKNOWN, UNKNOWN))
        require_shape(where, "Label", Label, (Score.shape[0], 1))
        require_dtype(where, "QueryID", QueryID, INT64)
        require_one_shape(where, Label=Label, QueryID=QueryID)
        if weight is not None:
            require_one_shape(where, Label=Label, Weight=weight)
        if Score.shape[1] != UNKNOWN:
            axis_of(where, column, Score.shape[1], "column")
        if len(given) not in (0, 3):
            missing = next(slot for slot in ACCUMULATED if slot not in given)
            raise ArgumentTypeError(
                message(where, f"Input({missing})", "None", "all three accumulated numbers, or none")
            )
        for slot, meta in given.items():
            require_shape(where, slot, meta, (1,))
        one = Meta((1,), Score.dtype)
        return one, one, one

    def reference(xp, Score, Label, QueryID, *rest, column):
        score, label, query = Score[:, column], Label.reshape(-1), QueryID.reshape(-1)
        weight = xp.ones(len(score), Score.dtype) if rest[3] is None else rest[3].reshape(-1)
        first, second = xp.triu_indices(len(score), 1)
        pairs = (query[first] == query[second]) & (label[first] != label[second])
        first, second = first[pairs], second[pairs]
        weights = (weight[first] + weight[second]) / 2
        order = (score[first] - score[second]) * (label[first] - label[second])
        totals = [weights[kind].sum().reshape(1) for kind in (order > 0, ~(order > 0), score[first] == score[second])]
        return tuple(n if before is None else before + n for n, before in zip(totals, rest, strict=False))
