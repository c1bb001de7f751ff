"""Embeddings of n-grams by hashes."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

IDS = np.array([5, 6, 7, 8, 9, 3, 123456, 2, 2, 2, 2, 2, -7, 40], "int32").reshape(-1, 1)
LOD = [[0, 4, 6, 7, 13, 14]]
ATTRS = {
    "num_emb": 12, "space_len": 50, "pyramid_layer": 3, "rand_len": 4, "drop_out_percent": 0.0, "is_training": 1,
    "use_filter": False, "white_list_len": 2, "black_list_len": 3, "seed": 1, "lr": 0.5,
}  # fmt: skip
INPUTS = {"X": IDS, "W": draw(54, 1), "WhiteList": draw(2, 1), "BlackList": draw(3, 1)}


def rows_of(lod=LOD, inputs=INPUTS, outputs=("Out", "X_Temp_Out"), **attrs):
    attrs = dict(ATTRS, **attrs)
    length = attrs["space_len"] + attrs["rand_len"]
    inputs = inputs if length == 54 else dict(inputs, W=draw(length, 1))
    return Sample(inputs, attrs, lods={"X": lod}, outputs=outputs, dynamic=True)


def bad(error, match, inputs=INPUTS, lods=None, **attrs):
    return Bad(inputs, dict(ATTRS, **attrs), error, match, lods={"X": LOD} if lods is None else lods)


ROWS = [
    Row(
        "pyramid_hash",
        [
            rows_of(),
            rows_of(pyramid_layer=2),
            rows_of(pyramid_layer=6, space_len=1000),
            rows_of(pyramid_layer=5, drop_out_percent=0.5),
            rows_of(pyramid_layer=4, drop_out_percent=0.3, seed=7),
            rows_of(pyramid_layer=4, drop_out_percent=0.9, seed=0),
            rows_of(is_training=0, drop_out_percent=0.25),
            rows_of(num_emb=4),
            rows_of(inputs=dict(INPUTS, X=np.tile(IDS, 3)), outputs=("Out",)),  # only the first numbers are read
        ],
        [
            bad("ArgumentValueError", "rand_len", num_emb=10),
            bad("ArgumentValueError", "use_filter", use_filter=True),
            bad("ArgumentValueError", "pyramid_layer", pyramid_layer=1),
            bad("ArgumentValueError", "space_len", space_len=0),
            bad("ShapeError", "Input(W)", dict(INPUTS, W=draw(53, 1))),
            bad("DtypeError", "Input(X)", dict(INPUTS, X=IDS.astype("int64"))),
            bad("LoDError", "Input(X)", lods={}),
        ],
        no_grad_reason="its gradient operator of 1.8.5 is no gradient, but an update of W; it runs only where integers get gradients",
    ),
]
