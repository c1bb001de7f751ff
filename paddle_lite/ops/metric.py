"""Operators that measure how good predictions are."""

from __future__ import annotations

import numpy as np

from ..core.errors import DtypeError, ShapeError, message
from .spec import Declaration, Meta, op


@op("accuracy", inputs="Out Indices Label", outputs="Accuracy Correct Total", lod=None)
class accuracy(Declaration):
    """Accuracy [1] float32: the share of rows whose Label is among their Indices; how many (Correct), and of how many (Total)."""

    def infer(Out, Indices, Label):
        require_labels(Indices, Label)
        count = Meta((1,), np.dtype("int32"))
        return Meta((1,), np.dtype("float32")), count, count

    def reference(xp, Out, Indices, Label):
        require_labels(Indices, Label)
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
