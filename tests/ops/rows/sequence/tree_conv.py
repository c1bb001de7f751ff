"""tree_conv: convolution over the nodes of trees."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

WIDE = [[1, 2], [1, 3], [1, 4], [2, 5], [2, 6]]
DEEP = [[1, 2], [2, 3], [2, 4], [4, 5], [5, 6]]
PADDED = [[3, 1], [3, 2], [0, 0], [0, 0], [0, 0]]
GAP = [[3, 1], [0, 0], [3, 2], [3, 4], [4, 0]]
SHARED = [[1, 2], [1, 3], [3, 2], [2, 4], [4, 1]]
FILTER = ("Filter",)
MIXED = "Paddle mixes up outputs and sides in the gradient of NodesVector, unless there is one output"
UNTOUCHED = "Paddle leaves the rows behind the last node as they were in memory"


def trees(*edges, features=3, outputs=2, filters=2, dtype="float32", **more):
    edges = np.array(edges, "int32")
    inputs = {
        "NodesVector": draw(len(edges), edges.shape[1] + 1, features, dtype=dtype),
        "EdgeSet": edges,
        "Filter": draw(features, 3, outputs, filters, dtype=dtype),
    }
    attrs = {"max_depth": more.pop("max_depth")} if "max_depth" in more else {}
    return Sample(inputs, attrs, **more)


def bad(error, match, attrs=None, **inputs):
    return Bad({**trees(WIDE).inputs, **inputs}, attrs or {}, error, match)


def edges(*of_one):
    return np.array([of_one], "int32")


ROWS = [
    Row(
        "tree_conv",
        [
            trees(WIDE, DEEP, grads=FILTER),
            trees(WIDE, DEEP, max_depth=3, grads=FILTER),
            trees(DEEP, max_depth=8, dtype="float64", grads=FILTER),
            trees(SHARED, max_depth=4, grads=FILTER, note="a node below two others, and a circle"),
            trees(WIDE, DEEP, features=4, outputs=1, filters=1),
            trees(WIDE, DEEP, outputs=1, filters=1, max_depth=3),
            trees(DEEP, WIDE, max_depth=3, excluded=MIXED),
            trees(SHARED, WIDE, max_depth=4, excluded=MIXED),
            trees(PADDED, GAP, WIDE, excluded=UNTOUCHED),
        ],
        [
            bad("ShapeError", "[N, nodes, features]", NodesVector=draw(6, 3)),
            bad("ShapeError", "[N, edges, 2]", EdgeSet=np.array(WIDE, "int32")),
            bad("ShapeError", "[1, -1, 2]", EdgeSet=edges([1, 2, 3])),
            bad("ShapeError", "[3, 3, -1, -1]", Filter=draw(3, 2, 2, 2)),
            bad("ShapeError", "outputs, filters", Filter=draw(3, 3, 2)),
            bad("ShapeError", "at most 5 edges", EdgeSet=edges(*WIDE, [3, 6])),
            bad("IndexRangeError", "1 to 2", EdgeSet=edges([1, 7])),
            bad("IndexRangeError", "1 to 2", EdgeSet=edges([-1, 2])),
            bad("DtypeError", "int32", EdgeSet=np.array([WIDE])),
            bad("DtypeError", "float64", Filter=draw(3, 3, 2, 2, dtype="float64")),
            bad("ArgumentValueError", "2 or more", {"max_depth": 1}),
        ],
    )
]
