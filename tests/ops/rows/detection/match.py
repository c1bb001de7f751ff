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

MATCHES = np.array([[0, -1, -1, 1, -1, -1], [-1, -1, 0, -1, -1, -1]], "int32")
LOSS, LOC_LOSS = draw(2, 6, low=0, high=1, seed=1), draw(2, 6, low=0, high=1, seed=2)
BEST = draw(2, 6, low=0, high=0.9, seed=3)


def mined(loc_loss=None, matches=MATCHES, loss=LOSS, best=BEST):
    return {"ClsLoss": loss, "LocLoss": loc_loss, "MatchIndices": matches, "MatchDist": best}


HARD = {"mining_type": "hard_example", "sample_size": 3}


def mining(inputs, attrs=None, **more):
    return Sample(inputs, attrs, dynamic=True, **more)


MINE = [
    mining(mined()),
    mining(mined(LOC_LOSS), {"neg_pos_ratio": 3.0}),
    mining(mined(), {"neg_pos_ratio": 1.5, "neg_dist_threshold": 0.25}),
    mining(mined(best=np.full_like(BEST, 0.5)), {"neg_pos_ratio": 2.0}, note="at the threshold"),
    mining(mined(), HARD),
    mining(mined(LOC_LOSS), HARD),
    mining(mined(LOC_LOSS), dict(HARD, sample_size=9)),
    mining(mined(matches=np.full_like(MATCHES, -1)), note="no match"),
    mining(
        mined(*(a.astype("float64") for a in (LOC_LOSS,)), loss=LOSS.astype("float64"), best=BEST.astype("float64"))
    ),
]
MINE_ERRORS = [
    Bad(mined(), {"mining_type": "hard"}, "ArgumentValueError", "hard_example"),
    Bad(mined(), {"mining_type": "hard_example"}, "ArgumentValueError", "sample_size"),
    Bad(mined(), {"neg_pos_ratio": 0.0}, "ArgumentValueError", "neg_pos_ratio"),
    Bad(mined(), {"neg_dist_threshold": 0.0}, "ArgumentValueError", "neg_dist_threshold"),
    Bad(mined(matches=MATCHES.astype("int64")), {}, "DtypeError", "int32"),
    Bad(mined(LOC_LOSS[:, :5]), {}, "ShapeError", "Input(LocLoss)"),
    Bad(mined(loss=LOSS[0]), {}, "ShapeError", "Input(ClsLoss)"),
]

ROWS = [
    Row("bipartite_match", MATCH, MATCH_ERRORS),
    Row("target_assign", ASSIGN, ASSIGN_ERRORS),
    Row("mine_hard_examples", MINE, MINE_ERRORS),
]
