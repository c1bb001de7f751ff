"""Long short-term memory over ragged batches."""

import itertools

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

NAMES = ("sigmoid", "tanh", "relu", "identity")
EMPTY = "real Paddle gives memory that nobody wrote as the gradient of the first state of an empty sequence"
PROJECTION = "real Paddle takes cell_activation for the projection, unless proj_activation is identity"
EIGHT = "real Paddle's gradients are wrong where the size is a multiple of 8: differences tell"
OUT = ("Hidden", "Cell", "BatchCellPreAct")  # BatchGate's LoD in Paddle is no LoD: it holds the batch order


def offsets(lengths):
    return np.concatenate([[0], np.cumsum(lengths)]).astype(int).tolist()


def lstm(lengths=(2, 4, 1), size=3, h0=False, c0=False, dtype="float32", grads=None, excluded="", **attrs):
    rows, columns = sum(lengths), 7 if attrs.get("use_peepholes", True) else 4
    inputs = {
        "Input": draw(rows, 4 * size, dtype=dtype),
        "Weight": draw(size, 4 * size, dtype=dtype),
        "Bias": draw(1, columns * size, dtype=dtype),
        "H0": draw(len(lengths), size, dtype=dtype) if h0 else None,
        "C0": draw(len(lengths), size, dtype=dtype, seed=1) if c0 else None,
    }
    return Sample(inputs, attrs, outputs=OUT, grads=grads, excluded=excluded, lods={"Input": [offsets(lengths)]})


def lstmp(lengths=(2, 4, 1), size=3, width=2, h0=False, c0=False, dtype="float32", grads=None, excluded="", **attrs):
    sample = lstm(lengths, size, False, c0, dtype, grads, excluded, **attrs)
    sample.inputs.update(
        Weight=draw(width, 4 * size, dtype=dtype),
        ProjWeight=draw(size, width, dtype=dtype),
        H0=draw(len(lengths), width, dtype=dtype) if h0 else None,
    )
    sample.outputs = ("Projection", "Cell", "BatchCellPreAct", "BatchHidden")
    return sample


def changed(sample, error, match, **inputs):
    return Bad({**sample.inputs, **inputs}, sample.attrs, error, match)


LSTM = Row(
    "lstm",
    [
        lstm(),
        lstm(is_reverse=True),
        lstm(use_peepholes=False),
        lstm(use_peepholes=False, is_reverse=True, size=5, dtype="float64"),
        lstm(h0=True, c0=True),
        lstm(h0=True, c0=True, is_reverse=True, use_peepholes=False),
        lstm(c0=True),
        lstm([2, 0, 3, 0]),
        lstm([0, 3, 2, 0, 1], h0=True, c0=True, grads=()),
        lstm([0, 2, 3, 0, 1], h0=True, c0=True, excluded=EMPTY),
        lstm(size=8, excluded=EIGHT),
        lstm([9], size=7),
        lstm([1]),
        lstm([3, 0, 6, 1], size=17, is_reverse=True),
        lstm([3, 2, 4], size=17, use_peepholes=False),
        lstm([3, 5, 2], size=15, h0=True, c0=True),
        lstm([5, 5, 9], size=13, h0=True, c0=True, is_reverse=True, use_peepholes=False, dtype="float64"),
        lstm([1, 1, 1], size=1, h0=True, c0=True),
        lstm([3, 3, 3], size=10, is_reverse=True),
        *[lstm(cell_activation=a, candidate_activation=b) for a, b in itertools.product(NAMES, NAMES) if (a, b) != ("tanh", "tanh")],
        *[lstm(gate_activation=a, h0=True, c0=True) for a in NAMES if a != "sigmoid"],
    ],
    [
        changed(lstm(), "ShapeError", "[-1, 12]", Input=draw(7, 13)),
        changed(lstm(), "ShapeError", "[3, 12]", Weight=draw(3, 9)),
        changed(lstm(), "ShapeError", "[1, 21]", Bias=draw(1, 12)),
        changed(lstm(use_peepholes=False), "ShapeError", "[1, 12]", Bias=draw(1, 21)),
        changed(lstm(), "DtypeError", "float64", Weight=draw(3, 12, dtype="float64")),
        changed(lstm(), "ArgumentTypeError", "C0", H0=draw(3, 3)),
        changed(lstm(), "ShapeError", "[-1, 3]", C0=draw(3, 4)),
        changed(lstm(cell_activation="softmax"), "ArgumentValueError", '"identity"'),
        changed(lstm(), "LoDError", "no LoD"),
    ],
)  # fmt: skip

LSTMP = Row(
    "lstmp",
    [
        lstmp(),
        lstmp(is_reverse=True),
        lstmp(use_peepholes=False, dtype="float64"),
        lstmp(h0=True, c0=True),
        lstmp(h0=True, c0=True, is_reverse=True, size=5, width=7),
        lstmp(c0=True),
        lstmp([0, 3, 2, 0, 1], h0=True, c0=True, grads=()),
        lstmp([0, 2, 3, 0, 1], h0=True, c0=True, excluded=EMPTY),
        lstmp(size=8, width=3, excluded=EIGHT),
        lstmp([9], size=7, width=5),
        lstmp([3, 0, 9, 4], size=9, width=11, is_reverse=True),
        lstmp([3, 5, 6], size=11, width=5, h0=True, c0=True, proj_clip=0.2, proj_activation="identity"),
        lstmp(cell_clip=0.3),
        lstmp(proj_clip=0.2),
        lstmp(cell_clip=0.3, proj_clip=0.2, proj_activation="identity"),
        lstmp(proj_activation="identity"),
        *[lstmp(proj_activation=a, cell_activation=a) for a in ("sigmoid", "relu")],
        *[lstmp(proj_activation=a, excluded=PROJECTION) for a in ("sigmoid", "relu")],
        lstmp(gate_activation="tanh", cell_activation="relu", candidate_activation="identity", proj_activation="relu"),
    ],
    [
        changed(lstmp(), "ShapeError", "[2, 12]", Weight=draw(3, 12)),
        changed(lstmp(), "ShapeError", "[2, 12]", ProjWeight=draw(4, 2)),
        changed(lstmp(), "ShapeError", "[-1, 2]", H0=draw(3, 3), C0=draw(3, 3)),
        changed(lstmp(), "ArgumentTypeError", "C0", H0=draw(3, 2)),
        changed(lstmp(proj_activation="softmax"), "ArgumentValueError", '"identity"'),
        changed(lstmp(), "LoDError", "no LoD"),
    ],
)

ROWS = [LSTM, LSTMP]
