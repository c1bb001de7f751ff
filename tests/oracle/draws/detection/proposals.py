"""Random calls of the operators that propose regions, and that share them out to levels of a pyramid."""

import numpy as np

from tests.ops.row import Sample


def boxes(d, shape, size, dtype="float32"):
    corner = d.floats(shape + (2,), 0, size)
    return np.concatenate([corner, corner + d.floats(shape + (2,), size / 8, size)], -1).astype(dtype)


def apart(d, shape, dtype="float32"):
    """Scores of which no two are alike."""
    return np.array(d.order(int(np.prod(shape)))).reshape(shape).astype(dtype) / int(np.prod(shape))


def generate_proposals(d):
    """Always with suppression: else real Paddle leaves the best ones in no order."""
    images, kinds, rows, columns = d.int(1, 3), d.int(1, 3), d.int(1, 4), d.int(1, 4)
    dtype = d.one("float32", "float64")
    info = np.concatenate([d.floats((images, 2), 20, 60), d.floats((images, 1), 0.5, 2)], 1)
    inputs = {
        "Scores": apart(d, (images, kinds, rows, columns), dtype),
        "BboxDeltas": d.floats((images, 4 * kinds, rows, columns), -1, 1, dtype),
        "ImInfo": info.astype(dtype),
        "Anchors": boxes(d, (rows, columns, kinds), 20.0, dtype),
        "Variances": d.floats((rows, columns, kinds, 4), 0.1, 1, dtype),
    }
    attrs = {"pre_nms_topN": d.one(0, 6, 100), "post_nms_topN": d.one(-1, 3, 100), "eta": d.one(1.0, 0.8)}
    attrs.update(nms_thresh=d.one(0.3, 0.7, 0.9), min_size=d.one(0.0, 5.0, 15.0))
    return Sample(inputs, attrs, outputs=["RpnRois", "RpnRoiProbs", "RpnRoisLod"], dynamic=True)


def distribute_fpn_proposals(d):
    count, low = d.int(2, 12), d.int(1, 3)
    rois = boxes(d, (count,), 10.0) * d.floats((count, 1), 0, 5, "float32") ** 3
    first, attrs = d.int(1, count - 1), {"min_level": low, "max_level": low + d.int(1, 3)}
    attrs.update(refer_level=d.int(2, 4), refer_scale=d.one(56, 224))
    counts = {"MultiFpnRois": attrs["max_level"] - low + 1}
    return Sample({"FpnRois": rois}, attrs, lods={"FpnRois": [[0, first, count]]}, counts=counts, dynamic=True)


def collect_fpn_proposals(d):
    """Something of the last image is always chosen: else real Paddle's LoD has fewer images."""
    sizes, images = [d.int(2, 6) for _ in range(d.int(1, 3))], d.int(1, 2)
    scores = np.split(apart(d, (sum(sizes), 1)), np.cumsum(sizes)[:-1])
    lods = [[[0, d.int(0, size - 1), size] if images == 2 else [0, size]] for size in sizes]
    return Sample(
        {"MultiLevelRois": [boxes(d, (size,), 90.0) for size in sizes], "MultiLevelScores": scores},
        {"post_nms_topN": d.one(1, 3, 8, 100) if images == 1 else 100},
        lods={"MultiLevelRois": lods, "MultiLevelScores": lods},
        dynamic=True,
    )


CALLS = {
    "generate_proposals": generate_proposals,
    "distribute_fpn_proposals": distribute_fpn_proposals,
    "collect_fpn_proposals": collect_fpn_proposals,
}
