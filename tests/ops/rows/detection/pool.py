"""Operators that pool regions of feature maps."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

MAPS = np.random.RandomState(5).permutation(2 * 3 * 6 * 8).reshape(2, 3, 6, 8).astype("float32") / 100  # no ties
REGIONS = np.array([[0, 0, 3, 4], [2, 1, 7, 5], [4.4, 3.6, 4.4, 9]], "float32")
OF = {"ROIs": [[0, 2, 3]]}


def pooled(height=2, width=2, scale=1.0):
    return {"pooled_height": height, "pooled_width": width, "spatial_scale": scale}


def regions(x=MAPS, rois=REGIONS, lod=None):
    return {"X": x, "ROIs": rois, "RoisLod": lod}


POOL = [
    Sample(regions(), pooled(), lods=OF),
    Sample(regions(), pooled(3, 2, 0.5), lods=OF),
    Sample(regions(rois=REGIONS * 2 + 0.3), pooled(2, 4, 0.6), lods=OF),
    Sample(regions(rois=REGIONS + 6), pooled(3, 1), lods=OF, note="partly outside"),
    Sample(regions(lod=np.array([0, 1, 3], "int64")), pooled()),
    Sample(regions((MAPS * 100).astype("int32"), np.array([[0, 0, 3, 1], [1, 2, 6, 5]], "int32")), pooled(),
           lods={"ROIs": [[0, 1, 2]]}, grads=()),
]  # fmt: skip
POOL_ERRORS = [
    Bad(regions(), pooled(), "LoDError", "no LoD"),
    Bad(regions(lod=np.array([0, 3], "int64")), pooled(), "LoDError", "2 images"),
    Bad(regions(lod=np.array([0, 4, 3], "int64")), pooled(), "LoDError", "never fall"),
    Bad(regions(lod=np.array([0, 1, 3], "int32")), pooled(), "DtypeError", "Input(RoisLod)"),
    Bad(regions(MAPS[0]), pooled(), "ShapeError", "[N, C, H, W]"),
    Bad(regions(rois=draw(3, 5)), pooled(), "ShapeError", "Input(ROIs)"),
    Bad(regions(MAPS > 1), pooled(), "DtypeError", "Input(X)"),
    Bad(regions(), pooled(0), "ArgumentValueError", "pooled_height"),
]


def aligned(ratio=-1, **sizes):
    return dict(pooled(**sizes), sampling_ratio=ratio)


ALIGN = [
    Sample(regions(), aligned(), lods=OF),
    Sample(regions(), aligned(2, height=3, scale=0.5), lods=OF),
    Sample(regions(rois=REGIONS * 2 + 0.3), aligned(3, width=4, scale=0.6), lods=OF),
    Sample(regions(rois=REGIONS + 6), aligned(2, height=3, width=1), lods=OF, note="partly outside"),
    Sample(regions(rois=REGIONS - 2), aligned(1), lods=OF, note="partly outside on the other side"),
    Sample(regions(lod=np.array([0, 1, 3], "int64")), aligned()),
    Sample(
        regions((MAPS * 100).astype("int32"), np.array([[0, 0, 3, 2], [1, 2, 6, 5]], "int32")),
        aligned(2),
        lods={"ROIs": [[0, 1, 2]]},
        grads=(),
        excluded="of whole numbers real Paddle rounds off the points and their weights too",
    ),
]

CHANNELS = draw(2, 8, 6, 8)


def by_channel(x=CHANNELS, rois=REGIONS):
    return {"X": x, "ROIs": rois}


def separate(height=2, width=2, channels=2, scale=1.0):
    return dict(pooled(height, width, scale), output_channels=channels)


SEPARATE = [
    Sample(by_channel(), separate(), lods=OF),
    Sample(by_channel(), separate(1, 4, scale=0.5), lods=OF),
    Sample(by_channel(rois=REGIONS * 2 + 0.3), separate(2, 1, 4, 0.6), lods=OF),
    Sample(by_channel(rois=REGIONS + 6), separate(), lods=OF, note="partly outside"),
    Sample(by_channel(rois=REGIONS[:, [2, 3, 0, 1]]), separate(), lods=OF, note="ends before it starts"),
]
SEPARATE_ERRORS = [
    Bad(by_channel(), separate(), "LoDError", "no LoD"),
    Bad(by_channel(), separate(channels=3), "ShapeError", "12 channels"),
    Bad(by_channel(CHANNELS[0]), separate(), "ShapeError", "[N, C, H, W]"),
    Bad(by_channel(rois=draw(3, 5)), separate(), "ShapeError", "Input(ROIs)"),
    Bad(by_channel(), separate(0), "ArgumentValueError", "pooled_height"),
]

FINE = np.array([[0.3, 0.4, 3.9, 4.2], [2.6, 1.1, 6.6, 4.7], [4.4, 3.6, 5.1, 4.3]], "float32")


def precise(x=None, rois=FINE, counts=None):
    return {"X": draw(2, 3, 6, 8) if x is None else x, "ROIs": rois, "BatchRoINums": counts}


COUNTS = np.array([2, 1], "int64")
PRECISE = [
    Sample(precise(), pooled(), lods=OF),
    Sample(precise(), pooled(1, 3, 0.5), lods=OF),
    Sample(precise(rois=FINE + np.float32(3.35)), pooled(3, 1), lods=OF, note="partly outside"),
    Sample(precise(rois=FINE - np.float32(2.15)), pooled(2, 2), lods=OF, note="partly outside on the other side"),
    Sample(precise(counts=COUNTS), pooled()),
    Sample(
        precise(rois=FINE[:, [2, 3, 0, 1]]),
        pooled(),
        lods=OF,
        excluded="the gradient of regions without an extent is NaN in real Paddle",
    ),
    Sample(
        precise(np.arange(96).reshape(2, 1, 6, 8).astype("int32"), np.array([[0, 0, 3, 2], [1, 2, 6, 5]], "int32")),
        pooled(),
        lods={"ROIs": [[0, 1, 2]]},
        grads=(),
        excluded="of whole numbers real Paddle rounds off the weights too",
    ),
]
PRECISE_ERRORS = [
    Bad(precise(), pooled(), "LoDError", "no LoD"),
    Bad(precise(counts=COUNTS + 1), pooled(), "LoDError", "BatchRoINums"),
    Bad(precise(counts=COUNTS[:1]), pooled(), "ShapeError", "Input(BatchRoINums)"),
    Bad(precise(counts=COUNTS.astype("int32")), pooled(), "DtypeError", "Input(BatchRoINums)"),
    Bad(precise(rois=draw(3, 5)), pooled(), "ShapeError", "Input(ROIs)"),
    Bad(precise(), pooled(0), "ArgumentValueError", "pooled_height"),
]

ROWS = [
    Row("roi_pool", POOL, POOL_ERRORS),
    Row("roi_align", ALIGN, POOL_ERRORS),
    Row("psroi_pool", SEPARATE, SEPARATE_ERRORS),
    Row("prroi_pool", PRECISE, PRECISE_ERRORS),
]
