"""The CTC loss, and labels from the best class of each step."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

CLASSES = np.array([0, 1, 1, 0, 4, 0, 4, 2, 2, 0, 0], "int64")[:, None]


def rows(x=CLASSES, lod=(0, 6, 11), **attrs):
    return Sample({"Input": x}, attrs, lods={"Input": [list(lod)]}, dynamic=True, outputs=["Output", "OutputLength"])


def block(*lengths, dtype="int64", **attrs):
    inputs = {"Input": CLASSES[:10].reshape(2, 5).astype(dtype), "InputLength": np.array(lengths, dtype)[:, None]}
    return Sample(inputs, attrs, outputs=["Output", "OutputLength"])


def bad(sample, error, match, attrs=None, **inputs):
    return Bad(dict(sample.inputs, **inputs), dict(sample.attrs, **(attrs or {})), error, match)


def told_apart(logits, labels, blank=0, classes=4, scale=2.0, **more):
    """Sequences that a LoD tells apart."""
    attrs = {"blank": blank}
    attrs.update({k: more.pop(k) for k in ("norm_by_times",) if k in more})
    values = draw(labels[-1], 1, low=0, high=classes - 2, dtype="int32")
    inputs = {"Logits": draw(logits[-1], classes, low=-scale, high=scale), "Label": values + (values >= blank)}
    inputs["Label"] = inputs["Label"].astype("int32")
    return Sample(inputs, attrs, lods={"Logits": [list(logits)], "Label": [list(labels)]}, dynamic=True, **more)


def padded(logits, labels, blank=0, classes=4, steps=5, column=False, **more):
    attrs = {"blank": blank}
    attrs.update({k: more.pop(k) for k in ("norm_by_times",) if k in more})
    values = draw(len(labels), 3, low=0, high=classes - 2, dtype="int32")
    shape = (-1, 1) if column else -1
    inputs = {
        "Logits": draw(steps, len(logits), classes, low=-2, high=2),
        "Label": (values + (values >= blank)).astype("int32"),
        "LogitsLength": np.array(logits, "int64").reshape(shape),
        "LabelLength": np.array(labels, "int64").reshape(shape),
    }
    return Sample(inputs, attrs, **more)


ONE = told_apart([0, 4, 7], [0, 2, 4])
BLOCK = padded([4, 5], [2, 3])

ROWS = [
    Row(
        "ctc_align",
        [
            rows(),
            rows(merge_repeated=False),
            rows(blank=4),
            rows(CLASSES * 0),
            rows(CLASSES.astype("int32"), (0, 4, 4, 11)),
            rows(CLASSES[:, 0]),
            block(4, 5),
            block(4, 5, merge_repeated=False, padding_value=-1),
            block(0, 3, dtype="int32", padding_value=3),
        ],
        [
            bad(rows(), "LoDError", "no LoD"),
            bad(rows(), "ShapeError", "Input(Input)", Input=CLASSES.reshape(1, 11)),
            bad(rows(), "DtypeError", "int64 or int32", Input=CLASSES.astype("float32")),
            bad(block(4, 6), "ArgumentValueError", "from 0 to 5"),
            bad(block(4, 5), "DtypeError", "int64", InputLength=np.array([[4], [5]], "int32")),
            bad(block(4, 5), "ShapeError", "Input(InputLength)", InputLength=np.array([4], "int64")),
        ],
    ),
    Row(
        "warpctc",
        [
            ONE,
            told_apart([0, 5, 9], [0, 2, 4], blank=3),
            told_apart([0, 3, 7], [0, 0, 2], note="no labels"),
            told_apart([0, 5, 7], [0, 2, 6], note="too few steps"),
            told_apart([0, 0, 7], [0, 2, 4], note="no steps"),
            told_apart([0, 20], [0, 5], blank=1, classes=7),
            told_apart([0, 9], [0, 4], classes=3, scale=6.0, note="far apart"),
            BLOCK,
            padded([4, 5], [2, 3], blank=2, column=True),
            padded([5, 0, 3], [0, 2, 1]),
        ],
        [
            bad(ONE, "LoDError", "no LoD"),
            bad(ONE, "DtypeError", "int32", Label=ONE.inputs["Label"].astype("int64")),
            bad(ONE, "ArgumentValueError", "from 0 to 3", {"blank": 4}),
            bad(ONE, "ShapeError", "Input(Label)", Label=ONE.inputs["Label"][:, 0]),
            bad(BLOCK, "ArgumentTypeError", "both lengths", LabelLength=None),
            bad(BLOCK, "ShapeError", "or give lengths", LabelLength=None, LogitsLength=None),
            bad(BLOCK, "ArgumentValueError", "from 0 to 5", LogitsLength=np.array([6, 5], "int64")),
            bad(BLOCK, "ArgumentValueError", "from 0 to 3", LabelLength=np.array([2, 4], "int64")),
            bad(BLOCK, "IndexRangeError", "from 0 to 3", Label=BLOCK.inputs["Label"] + 1),
            bad(BLOCK, "ShapeError", "Input(LabelLength)", LabelLength=np.array([2], "int64")),
        ],
        tolerance=(2e-5, 5e-6),
    ),
]
