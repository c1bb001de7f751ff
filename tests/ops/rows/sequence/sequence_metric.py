"""Chunks that were found, and edits that are missing."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

FOUND = np.array([0, 1, 4, 2, 3, 3, 0, 0, 1, 4], "int64")[:, None]
MEANT = np.array([0, 1, 4, 2, 3, 2, 0, 0, 1, 0], "int64")[:, None]
LOD = [[0, 6, 10]]


def flat(found=FOUND, meant=MEANT, lod=LOD, types=2, **attrs):
    lods = {} if lod is None else {"Inference": lod, "Label": lod}
    return Sample({"Inference": found, "Label": meant}, dict(attrs, num_chunk_types=types), lods=lods)


def padded(shape, *lengths, **attrs):
    inputs = {"Inference": FOUND.reshape(shape), "Label": MEANT.reshape(shape), "SeqLength": np.array(lengths, "int64")}
    return Sample(inputs, dict(attrs, num_chunk_types=2))


def filled(padding, *lengths):
    """What is behind the end of a sequence is no tag."""
    sample, outside = padded((2, 5), *lengths), np.arange(5) >= np.array(lengths)[:, None]
    for slot in ("Inference", "Label"):
        sample.inputs[slot] = np.where(outside, padding, sample.inputs[slot])
    return sample


def many(tags, scheme):
    found, meant = (draw(60, 1, low=0, high=3 * tags, dtype="int64", seed=seed) for seed in (1, 2))
    return flat(found, np.where(found % 5 > 0, found, meant), [[0, 20, 59, 60]], types=3, chunk_scheme=scheme)


CHUNKS = [
    flat(),
    flat(chunk_scheme="IOE"),
    flat(chunk_scheme="IOBES"),
    flat(FOUND % 3, MEANT % 3, chunk_scheme="plain"),
    flat(excluded_chunk_types=[1]),
    flat(FOUND * 0 + 4, MEANT * 0 + 4),
    flat(lod=[[0, 6, 6, 10]]),
    flat(FOUND[:, 0], MEANT[:, 0]),
    many(2, "IOB"),
    many(2, "IOE"),
    many(4, "IOBES"),
    many(1, "plain"),
    padded((2, 5), 3, 5),
    padded((2, 5, 1), 0, 4),
    filled(-1, 3, 4),
    filled(99, 5, 0),
]
for sample in CHUNKS:
    sample.inputs["Inference"] = sample.inputs["Inference"].copy()


def bad(error, match, sample=None, attrs=None, **inputs):
    sample = sample or flat()
    return Bad(dict(sample.inputs, **inputs), dict(sample.attrs, **(attrs or {})), error, match)


LENGTHS = np.array([4, 3], "int64")
HYPS = np.array([1, 2, 3, 4, 1, 1, 2], "int64")[:, None]
REFS = np.array([1, 3, 4, 5, 2], "int64")[:, None]


def edits(hyps, refs, **attrs):
    return Sample({"Hyps": HYPS, "Refs": REFS}, attrs, lods={"Hyps": [hyps], "Refs": [refs]}, dynamic=True)


def blocks(hyps, refs, column=False, **attrs):
    inputs = {
        "Hyps": draw(len(hyps), 6, low=0, high=3, dtype="int64"),
        "Refs": draw(len(refs), 5, low=0, high=3, dtype="int64"),
        "HypsLength": np.array(hyps, "int64").reshape((-1, 1) if column else -1),
        "RefsLength": np.array(refs, "int64"),
    }
    return Sample(inputs, attrs)


def wrong(error, match, sample=None, attrs=None, **inputs):
    return bad(error, match, sample or edits([0, 4, 7], [0, 3, 5]), attrs, **inputs)


ROWS = [
    Row(
        "chunk_eval",
        CHUNKS,
        [
            bad("LoDError", "no LoD"),
            bad("ArgumentValueError", "IOBES", attrs={"chunk_scheme": "BIO"}),
            bad("ArgumentValueError", "num_chunk_types", attrs={"num_chunk_types": 0}),
            bad("DtypeError", "int64", Label=MEANT.astype("int32")),
            bad("ShapeError", "Input(Label)", Label=MEANT[:-1]),
            bad("IndexRangeError", "from 0 to 4", padded((2, 5), 3, 5), Label=MEANT.reshape(2, 5) + 1),
            bad("IndexRangeError", "from 0 to 4", padded((2, 5), 3, 5), Inference=MEANT.reshape(2, 5) - 1),
            bad("ArgumentValueError", "from 0 to 5", padded((2, 5), 3, 6)),
        ],
    ),
    Row(
        "edit_distance",
        [
            edits([0, 4, 7], [0, 3, 5]),
            edits([0, 4, 7], [0, 3, 5], normalized=True),
            edits([0, 0, 7], [0, 3, 5]),
            edits([0, 4, 7], [0, 5, 5]),
            edits([0, 7], [0, 5]),
            blocks([6, 3, 0], [5, 2, 4]),
            blocks([6, 1], [1, 5], column=True, normalized=True),
        ],
        [
            wrong("LoDError", "no LoD"),
            wrong("ArgumentValueError", "empty", blocks([2, 3], [0, 4]), attrs={"normalized": True}),
            wrong("DtypeError", "int64", Hyps=HYPS.astype("int32")),
            wrong("ShapeError", "HypsLength and RefsLength", Hyps=HYPS[:, 0]),
            wrong("ShapeError", "Input(HypsLength)", blocks([2, 3], [1, 4]), HypsLength=np.array([1], "int64")),
            wrong("ArgumentValueError", "from 0 to 6", blocks([2, 7], [1, 4])),
            wrong("LoDError", "as many as Refs", blocks([2, 3], [1, 4, 4])),
        ],
    ),
]
