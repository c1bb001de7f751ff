"""Operators that propose regions, and that share them out to levels of a pyramid."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw


def boxes(*shape, size=20.0, seed=0):
    """Boxes whose sides are at least an eighth of `size`."""
    corner = draw(*shape, 2, low=0, high=size, seed=seed)
    return np.concatenate([corner, corner + draw(*shape, 2, low=size / 8, high=size, seed=seed + 1)], -1)


SCORES = np.random.RandomState(3).permutation(24).reshape(2, 3, 2, 2).astype("float32") / 24
INFO = np.array([[40, 50, 1], [30, 25, 2]], "float32")


def anchored(scores=SCORES, deltas=None, info=INFO, anchors=None, variances=None):
    return {
        "Scores": scores,
        "BboxDeltas": draw(2, 12, 2, 2, low=-0.5, high=0.5) if deltas is None else deltas,
        "ImInfo": info,
        "Anchors": boxes(2, 2, 3) if anchors is None else anchors,
        "Variances": draw(2, 2, 3, 4, low=0.3, high=1.0) if variances is None else variances,
    }


def proposals(before=100, after=100, thresh=0.5, size=0.1, eta=1.0):
    return {
        "pre_nms_topN": before, "post_nms_topN": after, "nms_thresh": thresh, "min_size": size, "eta": eta,
    }  # fmt: skip


def found(inputs, attrs, **more):
    return Sample(inputs, attrs, dynamic=True, outputs=["RpnRois", "RpnRoiProbs", "RpnRoisLod"], **more)


PROPOSE = [
    found(anchored(), proposals()),
    found(anchored(), proposals(5, 2, 0.9, eta=0.7)),
    found(anchored(), proposals(0, -1, 0.9, 8.0)),
    found(anchored(), proposals(0, 3, 0.0), note="all that are large enough"),
    found(
        anchored(), proposals(7, 3, 0.0), excluded="without suppression real Paddle leaves the best ones in no order"
    ),
    found(anchored(), proposals(size=1000.0), note="none is large enough"),
    found(anchored(deltas=draw(2, 12, 2, 2, low=-1, high=9)), proposals(), note="far beyond the image"),
]
PROPOSE_ERRORS = [
    Bad(anchored(SCORES[0]), proposals(), "ShapeError", "[N, C, H, W]"),
    Bad(anchored(deltas=draw(2, 11, 2, 2)), proposals(), "ShapeError", "Input(BboxDeltas)"),
    Bad(anchored(info=INFO[:1]), proposals(), "ShapeError", "Input(ImInfo)"),
    Bad(anchored(anchors=boxes(2, 3, 2)), proposals(), "ShapeError", "Input(Anchors)"),
    Bad(anchored(variances=draw(2, 2, 3, 1)), proposals(), "ShapeError", "Input(Variances)"),
    Bad(anchored(SCORES.astype("float64")), proposals(), "DtypeError", "Input(BboxDeltas)"),
]

REGIONS = boxes(8, size=10.0) * np.array([1, 3, 20, 60, 1, 6, 30, 2], "float32")[:, None]


def levels(low=2, high=5, refer=4, scale=224):
    return {"min_level": low, "max_level": high, "refer_level": refer, "refer_scale": scale}


def shared_out(attrs, lod, rois=REGIONS, **more):
    counts = {"MultiFpnRois": attrs["max_level"] - attrs["min_level"] + 1}
    return Sample({"FpnRois": rois}, attrs, lods={"FpnRois": [lod]}, counts=counts, dynamic=True, **more)


DISTRIBUTE = [
    shared_out(levels(), [0, 8]),
    shared_out(levels(), [0, 3, 8]),
    shared_out(levels(3, 4, 4, 100), [0, 2, 8]),
    shared_out(levels(), [0, 2, 2, 8], excluded="real Paddle fails at an image without boxes"),
    shared_out(levels(), [0, 8], REGIONS[:, [2, 3, 0, 1]], note="without area"),
]
DISTRIBUTE_ERRORS = [
    Bad({"FpnRois": REGIONS}, levels(), "LoDError", "no LoD"),
    Bad({"FpnRois": REGIONS[:, :3]}, levels(), "ShapeError", "Input(FpnRois)"),
    Bad({"FpnRois": REGIONS}, levels(5, 2), "ArgumentValueError", "max_level"),
    Bad({"FpnRois": REGIONS}, levels(scale=0), "ArgumentValueError", "refer_scale"),
]

PROBABILITIES = np.random.RandomState(4).permutation(8).reshape(8, 1).astype("float32") / 8


def collected(sizes=(3, 5), scores=PROBABILITIES):
    at = sizes[0]
    return {"MultiLevelRois": [REGIONS[:at], REGIONS[at:]], "MultiLevelScores": [scores[:at], scores[at:]]}


def gathered(inputs, top, *lods, **more):
    each = [[list(lod)] for lod in lods]
    lods = {"MultiLevelRois": each, "MultiLevelScores": each}
    return Sample(inputs, {"post_nms_topN": top}, lods=lods, dynamic=True, **more)


COLLECT = [
    gathered(collected(), 100, [0, 3], [0, 5]),
    gathered(collected(), 4, [0, 3], [0, 5]),
    gathered(collected(), 5, [0, 1, 3], [0, 3, 5]),
    gathered(collected(), 6, [0, 0, 3], [0, 2, 5]),
    gathered(
        collected(),
        1,
        [0, 1, 2, 3],
        [0, 5, 5, 5],
        excluded="where nothing of the last images is chosen real Paddle's LoD leaves them out",
    ),
]
COLLECT_ERRORS = [
    Bad(collected(), {"post_nms_topN": 3}, "LoDError", "no LoD"),
    Bad(collected(), {"post_nms_topN": -1}, "ArgumentValueError", "post_nms_topN"),
    Bad(dict(collected(), MultiLevelScores=[PROBABILITIES]), {"post_nms_topN": 3}, "ShapeError", "2, one for each"),
    Bad(collected(scores=PROBABILITIES[:7]), {"post_nms_topN": 3}, "ShapeError", "MultiLevelScores[1]"),
]

ROWS = [
    Row("generate_proposals", PROPOSE, PROPOSE_ERRORS),
    Row("distribute_fpn_proposals", DISTRIBUTE, DISTRIBUTE_ERRORS),
    Row("collect_fpn_proposals", COLLECT, COLLECT_ERRORS),
]
