"""Trees of items: children, and samples of layers."""

import numpy as np

from tests.ops.row import Bad, Row, Sample

TREE = np.array(
    [[0, 0, 0, 1, 2], [0, 1, 0, 3, 4], [0, 1, 0, 5, 6], [0, 2, 1, 7, 8], [9, 2, 1, 0, 0], [10, 2, 2, 0, 0],
     [11, 2, 2, 0, 0], [12, 3, 3, 0, 0], [13, 3, 3, 0, 0]], "int32"
)  # fmt: skip
INT64, PAIRS = 3, {"child_nums": 2}


def children(*ids, shape=(-1, 1), dtype="int64", tree="int32", result=2, lods=None):
    inputs = {"X": np.array(ids, dtype).reshape(shape), "TreeInfo": TREE.astype(tree)}
    return Sample(inputs, dict(PAIRS, dtype=result), lods=lods)


TRAVEL = np.array([[0, 0], [1, 3], [1, 4], [2, 5], [2, 6]], "int32")
LAYER = np.arange(1, 7, dtype="int32").reshape(-1, 1)
TWO = {"neg_samples_num_list": [1, 2], "layer_offset_lod": [0, 2, 6], "seed": 1}
INPUTS = {"X": np.array([[1], [2], [3], [4], [0], [1]], "int32"), "Travel": TRAVEL, "Layer": LAYER}
LARGE = {"Travel": np.array([[1, 3]], "int32"), "Layer": np.arange(1, 1003, dtype="int32").reshape(-1, 1)}


def sampled(inputs=INPUTS, **attrs):
    return Sample(inputs, dict(TWO, **attrs), outputs=("Out", "Labels", "Mask"))


def in_int64(inputs):
    return {slot: array.astype("int64") for slot, array in inputs.items()}


def bad(error, match, inputs=INPUTS, **attrs):
    return Bad(inputs, dict(TWO, **attrs), error, match)


SOME = children(1, 2).inputs
FEW = np.full((6, 1), 3, "int32")

ROWS = [
    Row(
        "tdm_child",
        [
            children(1, 3, 2),
            children(1, 3, 2, 4, shape=(2, 2), dtype="int32", tree="int64", result=INT64),
            children(1, 0, shape=(2,), dtype="int32"),
            children(2, 3, 7, lods={"X": [[0, 1, 3]]}),
        ],
        [
            Bad(dict(SOME, X=np.array([9])), PAIRS, "IndexRangeError", "Input(X)"),
            Bad(dict(SOME, X=np.array([1.0])), PAIRS, "DtypeError", "Input(X)"),
            Bad(SOME, {"child_nums": 3}, "ShapeError", "Input(TreeInfo)"),
            Bad(SOME, {"child_nums": 0}, "ArgumentValueError", "child_nums"),
            Bad(SOME, dict(PAIRS, dtype=5), "DtypeError", "dtype"),
        ],
    ),
    Row(
        "tdm_sampler",
        [
            sampled(),
            sampled(seed=90, output_positive=False, dtype=INT64),
            sampled(in_int64(INPUTS), neg_samples_num_list=[0, 3]),
            sampled(
                dict(LARGE, X=np.zeros((3, 1), "int32")), neg_samples_num_list=[1, 30], layer_offset_lod=[0, 2, 1002]
            ),
            sampled(seed=0),
        ],
        [
            bad("ArgumentValueError", "neg_samples_num_list", neg_samples_num_list=[2, 2]),
            bad("ArgumentValueError", "layer_offset_lod", layer_offset_lod=[0, 6]),
            bad("ShapeError", "Input(Layer)", layer_offset_lod=[0, 2, 7]),
            bad("ArgumentValueError", "Input(Layer)", dict(INPUTS, Layer=FEW)),
            bad("ShapeError", "Input(Travel)", dict(INPUTS, Travel=TRAVEL[:, :1])),
            bad("IndexRangeError", "Input(X)", dict(INPUTS, X=np.array([[5]]))),
            bad("DtypeError", "Input(Layer)", dict(INPUTS, Layer=LAYER.astype("int64"))),
            bad("DtypeError", "dtype", dtype=5),
        ],
        random=True,
        tolerance=(0, 0),
    ),
]
