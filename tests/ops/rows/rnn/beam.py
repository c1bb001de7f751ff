"""Beam search."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

IDS = np.array([[4, 2, 5], [2, 1, 3], [3, 5, 2], [8, 2, 1]], "int64")
SCORES = np.array([[0.5, 0.3, 0.2], [0.6, 0.3, 0.1], [0.9, 0.5, 0.1], [0.7, 0.5, 0.1]], "float32")
BEFORE = np.array([[0.1], [0.2], [0.3], [0.4]], "float32")
LOD = [[0, 2, 4], [0, 1, 2, 3, 4]]
ALL = ["selected_ids", "selected_scores", "parent_idx"]


def step(last=(1, 2, 3, 4), lod=LOD, ids=IDS, scores=SCORES, before=BEFORE, note="", **attrs):
    inputs = {"pre_ids": np.array(last, "int64")[:, None], "pre_scores": before, "scores": scores}
    if ids is not None:
        inputs["ids"] = ids
    attrs = dict({"level": 0, "beam_size": 2, "end_id": 0}, **attrs)
    return Sample(
        inputs,
        attrs,
        outputs=ALL,
        grads=(),
        lods={"scores": lod, "ids": lod} if ids is not None else {"scores": lod},
        dynamic=True,
        note=note,
    )


def bad(error, match, attrs=None, **inputs):
    sample = step()
    return Bad(dict(sample.inputs, **inputs), dict(sample.attrs, **(attrs or {})), error, match)


def tree(*shape, dtype="int64"):
    ids, parents = (
        draw(*shape, low=0, high=9, dtype=dtype),
        draw(*shape, low=0, high=shape[-1] - 1, dtype=dtype, seed=2),
    )
    return Sample({"Ids": ids, "Parents": parents}, grads=())


TREE = tree(4, 2, 3)

ROWS = [
    Row(
        "beam_search",
        [
            step(),
            step(is_accumulated=False),
            step((1, 0, 3, 0)),
            step((0, 0, 3, 0), note="one source has ended"),
            step((0, 0, 0, 0), note="all sources have ended"),
            step((1, 0, 3, 0), before=BEFORE * np.float32(4), note="what has ended is the best"),
            step(ids=None),
            step(beam_size=1),
            step(beam_size=5),
            step(ids=IDS * np.array([0, 1, 1]), note="words that end"),
            step(lod=[[0, 1, 4], [0, 1, 2, 3, 4]]),
            step(lod=[[0, 1, 2], [0, 2, 4]]),
            step(lod=[[0, 1, 2], [0, 2, 4]], level=1),
            step(lod=[[0, 2, 4]]),
            step(lod=[[0, 2, 2, 4], [0, 1, 2, 3, 4]]),
            step(scores=np.ones((4, 3), "float32"), note="all are equally good"),
        ],
        [
            bad("LoDError", "no LoD"),
            bad("ArgumentValueError", "beam_size", {"beam_size": 0}),
            bad("ShapeError", "Input(pre_ids)", pre_ids=np.array([1, 2, 3, 4], "int64")),
            bad("ShapeError", "Input(ids)", ids=IDS[:, :2]),
            bad("DtypeError", "int64", ids=IDS.astype("int32")),
            bad("DtypeError", "float32", pre_scores=BEFORE.astype("float64")),
        ],
    ),
    Row(
        "gather_tree",
        [TREE, tree(1, 2, 2), tree(6, 1, 4, dtype="int32")],
        [
            Bad(dict(TREE.inputs, Parents=TREE.inputs["Parents"] + 3), {}, "IndexRangeError", "from 0 to 2"),
            Bad(dict(TREE.inputs, Parents=TREE.inputs["Parents"][:1]), {}, "ShapeError", "Input(Parents)"),
            Bad(dict(TREE.inputs, Parents=TREE.inputs["Parents"].astype("int32")), {}, "DtypeError", "int64"),
            Bad({"Ids": TREE.inputs["Ids"][0], "Parents": TREE.inputs["Parents"][0]}, {}, "ShapeError", "Input(Ids)"),
        ],
    ),
]
