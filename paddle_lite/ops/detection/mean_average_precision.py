"""detection_map: the mean average precision of detections, accumulated over batches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, IndexRangeError, ShapeError, message
from ..framework.spec import Declaration, Required, op
from ..support.image_rows import starts_of
from ..support.meta import Meta
from ..support.require import require_dtype, require_floats, require_shape
from ..support.shape_rules import UNKNOWN

AP_TYPES = ("integral", "11point")
Scored = dict[int, list[tuple[float, int]]]  # for each class (score, 0 or 1) of its boxes


def overlaps(xp: Any, found: Any, true: Any) -> Any:
    """Return the intersection over union of each detected box [N, 4] and each true one [M, 4]."""
    a, b = found[:, None], true[None]
    sides = xp.minimum(a[..., 2:], b[..., 2:]) - xp.maximum(a[..., :2], b[..., :2])
    common = xp.where((sides < 0).any(-1), 0, sides[..., 0] * sides[..., 1])
    areas = [(box[..., 2] - box[..., 0]) * (box[..., 3] - box[..., 1]) for box in (a, b)]
    union = areas[0] + areas[1] - common
    return xp.where(union > 0, common / xp.where(union > 0, union, 1), 0)


class Counts:
    """The accumulated counts of true, right and wrong boxes by class."""

    def __init__(self) -> None:
        self.positives: dict[int, int] = {}  # true boxes
        self.right: Scored = {}
        self.wrong: Scored = {}

    def load(self, positives: Any, right: Any, right_lod: Any, wrong: Any, wrong_lod: Any) -> None:
        """Take over what was counted before."""
        self.positives = dict(enumerate(positives.reshape(-1).tolist()))
        for kept, slot, array, lod in (
            (self.right, "TruePos", right, right_lod), (self.wrong, "FalsePos", wrong, wrong_lod)
        ):  # fmt: skip
            starts, rows = starts_of("detection_map", slot, lod, len(array)), array.tolist()
            for of_class in range(len(starts) - 1):
                if starts[of_class] < starts[of_class + 1]:
                    kept[of_class] = [(score, int(n)) for score, n in rows[starts[of_class] : starts[of_class + 1]]]

    def add(self, of_class: int, score: float, right: bool) -> None:
        """Add one detected box."""
        self.right.setdefault(of_class, []).append((score, int(right)))
        self.wrong.setdefault(of_class, []).append((score, int(not right)))

    def image(self, xp: Any, found: Any, label: Any, threshold: float, count_difficult: bool) -> None:
        """Return the boxes of one image."""
        classes = [int(n) for n in label[:, 0].tolist()]
        hard = [bool(n) for n in label[:, 1].tolist()] if label.shape[1] == 6 else [False] * len(classes)
        for of_class, difficult in zip(classes, hard, strict=True):
            if count_difficult or not difficult:
                self.positives[of_class] = self.positives.get(of_class, 0) + 1
        scores = found[:, 1].tolist()
        alike = overlaps(xp, xp.clip(found[:, 2:], 0, 1), label[:, -4:]).tolist()
        taken: set[int] = set()
        by_class: dict[int, list[int]] = {}
        for row, of_class in enumerate(found[:, 0].tolist()):
            by_class.setdefault(int(of_class), []).append(row)
        for of_class, rows in by_class.items():
            true = [column for column, c in enumerate(classes) if c == of_class]
            for row in sorted(rows, key=lambda row: -scores[row]) if true else rows:
                best = max(true, key=alike[row].__getitem__, default=None)
                if best is None or not alike[row][best] > threshold:
                    self.add(of_class, scores[row], False)
                elif count_difficult or not hard[best]:
                    self.add(of_class, scores[row], best not in taken)
                    taken.add(best)

    def mean(self, ap_type: str, background: int) -> float:
        """Return the mean over the classes of the average precision."""
        each = []
        for of_class, positives in self.positives.items():
            if positives == background:  # sic: PaddlePaddle compares the number of true boxes
                continue
            right = _summed(self.right.get(of_class, ()))
            wrong = _summed(self.wrong.get(of_class, ()))
            if not right or not positives:
                each.append(0.0)
                continue
            precision = [a / (a + b) for a, b in zip(right, wrong, strict=True)]
            recall = [a / positives for a in right]
            each.append(_integral(precision, recall) if ap_type == "integral" else _eleven(precision, recall))
        return sum(each) / len(each) if each else 0.0


def _summed(rows: Iterable[tuple[float, int]]) -> list[int]:
    """Return the cumulative sums, from the highest score down."""
    total, sums = 0, []
    for _, number in sorted(rows, key=lambda row: -row[0]):
        total += number
        sums.append(total)
    return sums


def _integral(precision: list[float], recall: list[float]) -> float:
    """Return the area under the steps of precision over recall."""
    return sum(p * (r - before) for p, r, before in zip(precision, recall, [0.0, *recall], strict=False))


def _eleven(precision: list[float], recall: list[float]) -> float:
    """Return the mean over the recalls 0, 0.1, ... 1 of the best precision at that recall or above."""
    return (
        sum(max((p for p, r in zip(precision, recall, strict=True) if r >= j / 10), default=0.0) for j in range(11))
        / 11
    )


@op(
    "detection_map",
    inputs="DetectRes Label HasState? PosCount? TruePos? FalsePos?",
    outputs="AccumPosCount AccumTruePos AccumFalsePos MAP",
    attrs={
        "class_num": Required("INT"), "background_label": 0, "overlap_threshold": 0.5, "evaluate_difficult": True,
        "ap_type": "integral",
    },
    lod="made",
    needs_lod="DetectRes Label TruePos FalsePos",
)  # fmt: skip
class detection_map(Declaration):
    """Compute the mean average precision of the boxes in DetectRes, given the true boxes in Label: MAP [1].

    DetectRes [M, 6] holds (class, score, 4 numbers of the box), Label [N, 6] (class, whether difficult, box) or [N, 5]
    without the second; a LoD separates images. A detected box is right if its overlap with a true box of its class is
    above `overlap_threshold`, and no better one is matched with that; with evaluate_difficult=False difficult boxes are
    ignored.

    AccumPosCount [class_num, 1] counts true boxes; AccumTruePos and AccumFalsePos [., 2] hold (score, 1 or 0) of all
    right and wrong detections, with a LoD by class. If HasState is not 0, PosCount, TruePos and FalsePos are added. As
    in Paddle, a class is left out of the mean if its number of true boxes equals `background_label`.
    """

    def infer(DetectRes, Label, HasState, PosCount, TruePos, FalsePos, *, class_num, ap_type, **_):
        where = "detection_map"
        require_floats(where, DetectRes=DetectRes, Label=Label)
        require_shape(where, "DetectRes", DetectRes, (UNKNOWN, 6))
        require_shape(where, "Label", Label, (UNKNOWN, 6), (UNKNOWN, 5))
        if class_num < 1:
            raise ArgumentValueError(message(where, "attribute 'class_num'", class_num, "1 or more"))
        if ap_type not in AP_TYPES:
            raise ArgumentValueError(message(where, "attribute 'ap_type'", repr(ap_type), "'integral' or '11point'"))
        if HasState is not None:
            require_dtype(where, "HasState", HasState, "int32")
            for slot, meta in (("PosCount", PosCount), ("TruePos", TruePos), ("FalsePos", FalsePos)):
                if meta is None:
                    raise ShapeError(message(where, f"Input({slot})", "nothing", "what goes with HasState"))
            for slot, meta in (("TruePos", TruePos), ("FalsePos", FalsePos)):
                require_shape(where, slot, meta, (UNKNOWN, 2))
        scored = Meta((UNKNOWN, 2), DetectRes.dtype, 1)
        return Meta((class_num, 1), np.dtype("int32")), scored, scored, Meta((1,), DetectRes.dtype)

    def reference(
        xp, DetectRes, Label, HasState, PosCount, TruePos, FalsePos,
        *, lod, class_num, background_label, overlap_threshold, evaluate_difficult, ap_type,
    ):  # fmt: skip
        for slot, array in (("DetectRes", DetectRes), ("Label", Label)):
            require_classes(slot, array[:, 0], class_num)
        counts, threshold = Counts(), float(DetectRes.dtype.type(overlap_threshold))
        if HasState is not None and int(HasState.reshape(-1)[0]):
            counts.load(PosCount, TruePos, lod[2], FalsePos, lod[3])
        true = starts_of("detection_map", "Label", lod[1], len(Label))
        found = starts_of("detection_map", "DetectRes", lod[0], len(DetectRes), len(true) - 1)
        for i in range(len(true) - 1):
            boxes, label = DetectRes[found[i] : found[i + 1]], Label[true[i] : true[i + 1]]
            counts.image(xp, boxes, label, threshold, evaluate_difficult)
        positives = xp.asarray([[counts.positives.get(c, 0)] for c in range(class_num)], dtype="int32")
        scored, lods = zip(
            *(_packed(xp, s, class_num, DetectRes.dtype) for s in (counts.right, counts.wrong)), strict=True
        )
        mean = xp.asarray([counts.mean(ap_type, background_label)], dtype=DetectRes.dtype)
        return (positives, *scored, mean), (None, *lods, None)


def require_classes(slot, classes, class_num):
    """Raise unless every box is of a class that there is."""
    if classes.size and not (classes.min() >= 0 and classes.max() < class_num):
        worst = float(classes.min()) if not classes.min() >= 0 else float(classes.max())
        needs = f"classes from 0 to {class_num - 1}, below class_num"
        raise IndexRangeError(message("detection_map", f"Input({slot})", f"class {worst:g}", needs))


def _packed(xp, scored, class_num, dtype):
    """Return (rows of all classes, the LoD by class)."""
    rows, starts = [], [0]
    for of_class in range(class_num):
        rows += scored.get(of_class, ())
        starts.append(len(rows))
    return xp.asarray(rows, dtype=dtype).reshape(len(rows), 2), (tuple(starts),)
