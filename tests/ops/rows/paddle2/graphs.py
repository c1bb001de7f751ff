"""Rows reduced by segments and along edges, and best paths, as PaddlePaddle 2 has them; tests/interop compares them with 2.6.2."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

WHY = "PaddlePaddle 1.8.5 has no such operator"
IDS = np.array([0, 0, 1, 3, 3, 3])
FROM, TO = np.array([0, 1, 2, 0, 2]), np.array([1, 2, 1, 0, 2])
LENGTHS = np.array([5, 3, 1])


def one(attrs=None, **inputs):
    grads = ("X",) if "X" in inputs and inputs["X"].dtype.kind == "f" else ()
    return Sample(inputs, attrs, excluded=WHY, dynamic="Src_index" not in inputs, grads=grads)


def bad(error, match, attrs=None, **inputs):
    return Bad(inputs, attrs, error, match)


def whole(rows):
    return [draw(rows, 2, low=-9, high=9, dtype=t) for t in ("int32", "int64")]


def decoded(begins, lengths=LENGTHS, dtype="float32"):
    inputs = {"Input": draw(3, 5, 4, dtype=dtype), "Transition": draw(4, 4, dtype=dtype, seed=2), "Length": lengths}
    return one({"include_bos_eos_tag": begins}, **inputs)


ROWS = [
    Row(
        "segment_pool",
        [
            *(one({"pooltype": kind}, X=draw(6, 2), SegmentIds=IDS) for kind in ("SUM", "MEAN", "MAX", "MIN")),
            *(one(X=each, SegmentIds=IDS.astype("int32")) for each in whole(6)),
        ],
        [
            bad("ArgumentValueError", "sorted", X=draw(2, 2), SegmentIds=np.array([1, 0])),
            bad("ArgumentValueError", "'pooltype'", {"pooltype": "LAST"}, X=draw(2, 2), SegmentIds=np.array([0, 1])),
            bad("ShapeError", "Input(SegmentIds)", X=draw(2, 2), SegmentIds=IDS),
        ],
    ),
    Row(
        "graph_send_recv",
        [
            *(
                one({"reduce_op": kind}, X=draw(3, 2), Src_index=FROM, Dst_index=TO)
                for kind in ("SUM", "MEAN", "MAX", "MIN")
            ),
            one({"out_size": [5]}, X=draw(3, 2), Src_index=FROM, Dst_index=TO),
            *(one(X=each, Src_index=FROM, Dst_index=TO) for each in whole(3)),
        ],
        [
            bad("ArgumentValueError", "numbers of nodes", X=draw(2, 2), Src_index=FROM, Dst_index=TO),
            bad("ArgumentValueError", "'reduce_op'", {"reduce_op": "sum"}, X=draw(3, 2), Src_index=FROM, Dst_index=TO),
            bad("ShapeError", "Input(Dst_index)", X=draw(3, 2), Src_index=FROM, Dst_index=TO[:2]),
        ],
    ),
    Row(
        "viterbi_decode",
        [decoded(False), decoded(True), decoded(True, np.array([2, 4, 3]), "float64")],
        [
            bad("ShapeError", "the steps of Input", Input=draw(1, 2, 3), Transition=draw(3, 3), Length=np.array([3])),
            bad("ShapeError", "Input(Transition)", Input=draw(1, 2, 3), Transition=draw(2, 3), Length=np.array([1])),
            bad("DtypeError", "Length", Input=draw(1, 2, 3), Transition=draw(3, 3), Length=draw(1)),
        ],
    ),
]
