"""Conditional random fields."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

TAGS = 3


def flat(*offsets, tags=TAGS, labels=True, dtype="float32", scale=1.0, dynamic=False, **more):
    """Sequences that a LoD tells apart."""
    rows, lod = offsets[-1], [list(offsets)]
    inputs = {
        "Emission": draw(rows, tags, dtype=dtype) * np.asarray(scale, dtype),
        "Transition": draw(tags + 2, tags, dtype=dtype),
    }
    lods = {"Emission": lod}
    if labels:
        inputs["Label"] = draw(rows, 1, low=0, high=tags - 1, dtype="int64")
        lods["Label"] = lod
    return Sample(inputs, lods=lods, dynamic=dynamic, **more)


def padded(*lengths, steps=4, tags=TAGS, labels=True, column=False, **more):
    """Sequences of one length, the end of which does not count."""
    n, last = len(lengths), (1,) if column else ()
    inputs = {
        "Emission": draw(n, steps, tags),
        "Transition": draw(tags + 2, tags),
        "Length": np.array(lengths, "int64").reshape((n,) + last),
    }
    if labels:
        inputs["Label"] = draw(*((n, steps) + last), low=0, high=tags - 1, dtype="int64")
    return Sample(inputs, **more)


def bad(sample, error, match, **inputs):
    return Bad({**sample.inputs, **inputs}, {}, error, match)


def cost(*offsets, **more):
    return flat(*offsets, dynamic=True, **more)


def one(sample, **lods):
    """The sample with other LoDs."""
    sample.lods = lods
    return sample


ONE = flat(0, 2, 6)
BLOCK = padded(2, 4)

ROWS = [
    Row(
        "linear_chain_crf",
        [
            cost(0, 2, 6),
            cost(0, 2, 2, 6, note="an empty sequence"),
            cost(0, 1, 2, note="sequences of one step"),
            cost(0, 9, tags=1, grads=()),
            cost(0, 40, tags=5, note="one long sequence"),
            cost(0, 2, 6, scale=200.0, note="scores far apart", grads=()),
            one(cost(0, 3, 5), Label=[[0, 3, 5]]),
            padded(2, 4),
            padded(4, 0, 1, column=True),
            padded(4, 4, tags=2),
        ],
        [
            bad(ONE, "LoDError", "no LoD"),
            bad(BLOCK, "ArgumentValueError", "from 0 to 4", Length=np.array([2, 5], "int64")),
            bad(BLOCK, "DtypeError", "int64", Length=np.array([2, 4], "int32")),
            bad(BLOCK, "ShapeError", "Input(Length)", Length=np.array([2, 4, 4], "int64")),
            bad(BLOCK, "ShapeError", "or give Length", Length=None),
            bad(BLOCK, "ShapeError", "Input(Label)", Label=BLOCK.inputs["Label"][:, :3]),
            bad(BLOCK, "IndexRangeError", "from 0 to 2", Label=BLOCK.inputs["Label"] + 3),
            bad(ONE, "DtypeError", "int64", Label=ONE.inputs["Label"].astype("int32")),
            bad(ONE, "ShapeError", "[tags + 2, tags]", Transition=draw(3, 3)),
            bad(ONE, "ShapeError", "Input(Transition)", Transition=draw(6, 4)),
            bad(ONE, "DtypeError", "float64", Transition=draw(5, 3, dtype="float64")),
            bad(ONE, "DtypeError", "float32", Emission=np.zeros((6, 3), "int64")),
        ],
        tolerance=(1e-5, 2e-6),
    ),
    Row(
        "crf_decoding",
        [
            flat(0, 2, 6, labels=False),
            flat(0, 2, 6),
            flat(0, 2, 2, 6, labels=False, note="an empty sequence"),
            flat(0, 30, tags=6, labels=False),
            flat(0, 3, 6, labels=False, scale=0.0, note="no tag is better than another"),
            padded(2, 4, labels=False),
            padded(0, 4),
            padded(4, 3, column=True),
        ],
        [
            bad(flat(0, 2, labels=False), "LoDError", "no LoD"),
            bad(BLOCK, "ArgumentValueError", "from 0 to 4", Length=np.array([2, -1], "int64")),
            bad(ONE, "ShapeError", "Input(Transition)", Transition=draw(6, 4)),
            bad(BLOCK, "ShapeError", "Input(Label)", Label=BLOCK.inputs["Label"][:1]),
        ],
    ),
]
