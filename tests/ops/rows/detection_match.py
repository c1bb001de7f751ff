"""Operators that match boxes with boxes, and that hand out what was matched."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

ALIKE = draw(5, 4, low=0, high=1)
TIES = np.array([[0.5, 0.9, 0.9], [0.5, 0.9, 0.2], [0, 0, 1e-7]], "float32")
EACH = {"match_type": "per_prediction", "dist_threshold": 0.3}
IMAGES = {"DistMat": [[0, 2, 5]]}

MATCH = [
    Sample({"DistMat": ALIKE}),
    Sample({"DistMat": ALIKE}, EACH),
    Sample({"DistMat": ALIKE}, lods=IMAGES, dynamic=True),
    Sample({"DistMat": ALIKE}, EACH, lods=IMAGES, dynamic=True),
    Sample({"DistMat": draw(2, 5, low=0, high=1)}, {"match_type": "per_prediction"}),
    Sample({"DistMat": TIES}, note="ties"),
    Sample({"DistMat": TIES}, dict(EACH, dist_threshold=0.0), note="ties, no threshold"),
    Sample({"DistMat": TIES}, lods={"DistMat": [[0, 2, 3]]}, dynamic=True, note="ties, nothing for one image"),
    Sample({"DistMat": draw(4, 3, low=0, high=1, dtype="float64")}, dict(EACH, dist_threshold=0.5)),
]
MATCH_ERRORS = [
    Bad({"DistMat": ALIKE}, {"match_type": "best"}, "ArgumentValueError", "per_prediction"),
    Bad({"DistMat": ALIKE[0]}, {}, "ShapeError", "Input(DistMat)"),
    Bad({"DistMat": ALIKE.astype("int64")}, {}, "DtypeError", "float32"),
]

ROWS_OF, INDICES = [[0, 2, 3]], np.array([[0, -1, 1], [0, 0, -1]], "int32")
NEGATIVES = np.array([[1], [0], [2]], "int32")


def assigned(x, negatives=None, indices=INDICES):
    return {"X": x, "MatchIndices": indices, "NegIndices": negatives}


LODS = {"X": ROWS_OF, "NegIndices": [[0, 1, 3]]}
ASSIGN = [
    Sample(assigned(draw(3, 1, 4)), lods={"X": ROWS_OF}),
    Sample(assigned(draw(3, 3, 2)), {"mismatch_value": 7}, lods={"X": ROWS_OF}),
    Sample(assigned(draw(3, 2, 2)), {"mismatch_value": -1}, lods={"X": ROWS_OF}),
    Sample(
        assigned(draw(3, 1, 2), NEGATIVES),
        {"mismatch_value": 7},
        lods=LODS,
        excluded="where K is above 1 real Paddle writes the weights of negatives to other places",
    ),
    Sample(assigned(draw(3, 2, 1), NEGATIVES), {"mismatch_value": 7}, lods=LODS),
    Sample(assigned(draw(3, 1, 1, low=0, high=9, dtype="int32"), NEGATIVES), lods=LODS),
    Sample(assigned(draw(3, 1, 1), NEGATIVES), lods=dict(LODS, NegIndices=[[0, 0, 3]])),
]
ASSIGN_ERRORS = [
    Bad(assigned(draw(3, 1, 4)), {}, "LoDError", "no LoD"),
    Bad(assigned(draw(3, 4)), {}, "ShapeError", "[rows, P, K]"),
    Bad(assigned(draw(3, 1, 4), indices=INDICES.astype("int64")), {}, "DtypeError", "int32"),
    Bad(assigned(draw(3, 1, 4), NEGATIVES[:, 0]), {}, "ShapeError", "NegIndices"),
    Bad(assigned(draw(3, 1, 4) > 0), {}, "DtypeError", "Input(X)"),
]

ROWS = [
    Row("bipartite_match", MATCH, MATCH_ERRORS),
    Row("target_assign", ASSIGN, ASSIGN_ERRORS),
]
