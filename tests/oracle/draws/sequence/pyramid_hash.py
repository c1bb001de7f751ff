"""Random calls of embeddings of n-grams."""

from tests.ops.row import Sample
from tests.oracle.draws.sequence.sequence import offsets, ragged


def pyramid_hash(d):
    lengths, part, parts, space = ragged(d), d.int(1, 5), d.int(1, 4), d.int(1, 300)
    attrs = {
        "num_emb": part * parts, "space_len": space, "pyramid_layer": d.int(2, 6), "rand_len": part, "seed": d.int(0, 99),
        "drop_out_percent": d.one(0.0, 0.25, 0.5), "is_training": d.int(0, 1), "use_filter": False, "white_list_len": 1,
        "black_list_len": 1, "lr": 0.1,
    }  # fmt: skip
    inputs = {"X": d.indices((sum(lengths), 1), 999, "int32"), "W": d.floats((space + part, 1))}
    inputs.update(WhiteList=d.floats((1, 1)), BlackList=d.floats((1, 1)))
    return Sample(inputs, attrs, lods={"X": [offsets(lengths)]}, outputs=("Out", "X_Temp_Out"), grads=())


CALLS = {"pyramid_hash": pyramid_hash}
