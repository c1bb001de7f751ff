"""Gated recurrent units over ragged batches."""

import itertools

from tests.ops.row import Bad, Row, Sample, draw
from tests.ops.rows.rnn.lstm import NAMES, offsets

OUT = ("Hidden", "BatchResetHiddenPrev")  # the LoD of the others is no LoD in Paddle: it holds the batch order


def gru(lengths=(2, 4, 1), size=3, h0=False, bias=True, dtype="float32", **attrs):
    inputs = {
        "Input": draw(sum(lengths), 3 * size, dtype=dtype),
        "Weight": draw(size, 3 * size, dtype=dtype),
        "Bias": draw(1, 3 * size, dtype=dtype) if bias else None,
        "H0": draw(len(lengths), size, dtype=dtype) if h0 else None,
    }
    lods = {"Input": [offsets(lengths)]}
    return Sample(inputs, attrs, outputs=OUT, lods=lods)


def changed(sample, error, match, **inputs):
    return Bad({**sample.inputs, **inputs}, sample.attrs, error, match)


GRU = Row(
    "gru",
    [
        gru(),
        gru(is_reverse=True),
        gru(origin_mode=True, bias=False),
        gru(h0=True),
        gru(h0=True, is_reverse=True, origin_mode=True, size=5, dtype="float64"),
        gru([2, 0, 3, 0]),
        gru([0, 2, 3, 0, 1], h0=True),
        gru([9], size=7),
        gru([1]),
        gru([3, 0, 6, 1], size=17, is_reverse=True),
        gru([3, 5, 6], size=13, h0=True, bias=False, origin_mode=True),
        gru([1, 1, 1], size=1, h0=True),
        gru([3, 3, 3], size=8, is_reverse=True),
        *[gru((2, 3, 1), activation=a, gate_activation=b) for a, b in itertools.product(NAMES, NAMES)],
    ],
    [
        changed(gru(), "ShapeError", "[-1, 9]", Input=draw(7, 10)),
        changed(gru(), "ShapeError", "[3, 9]", Weight=draw(3, 6)),
        changed(gru(), "ShapeError", "[1, 9]", Bias=draw(9)),
        changed(gru(), "ShapeError", "[-1, 3]", H0=draw(3, 4)),
        changed(gru(), "DtypeError", "float64", Bias=draw(1, 9, dtype="float64")),
        changed(gru(activation="abs"), "ArgumentValueError", '"identity"'),
        changed(gru(), "LoDError", "no LoD"),
    ],
)  # fmt: skip

ROWS = [GRU]
