"""Regions as PaddlePaddle 2 has them; tests/interop compares pooling with numbers of 3.3.1, choices with those of 2.6.2."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw
from tests.ops.rows.detection.proposals import REGIONS, SCORES, proposals
from tests.ops.rows.detection.proposals import anchored as proposing

WHY = "PaddlePaddle 1.8.5 has no such operator"

MAPS = draw(2, 3, 6, 8)
BOXES = np.array([[0, 0, 3, 2], [1.3, 2.2, 6.7, 5.1], [2, 2, 2.4, 2.3], [-3, -2, 4, 3], [4, 3, 3, 2]], "float32")
COUNTS = np.array([2, 3], "int32")


def interpolated(map, y, x):
    """The value of a map [C, H, W] between its elements; 0 more than 1 outside."""
    height, width = map.shape[1:]
    if not (-1 <= y <= height and -1 <= x <= width):
        return np.zeros(len(map), map.dtype)
    y, x = np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)
    top, left = min(int(y), height - 2), min(int(x), width - 2)
    down, across = y - top, x - left
    rows = map[:, top, :] * (1 - down) + map[:, top + 1, :] * down
    return rows[:, left] * (1 - across) + rows[:, left + 1] * across


def own(X, ROIs, RoisNum, *, pooled_height, pooled_width, spatial_scale, sampling_ratio, aligned):
    """Each bin is the mean of points at equal distances."""
    images, shift = np.repeat(np.arange(len(X)), RoisNum), 0.5 if aligned else 0.0
    out = np.zeros((len(ROIs), X.shape[1], pooled_height, pooled_width), X.dtype)
    for r, i, j in np.ndindex(len(ROIs), pooled_height, pooled_width):
        left, top, right, bottom = ROIs[r] * spatial_scale - shift
        tall, wide = bottom - top, right - left
        tall, wide = (tall, wide) if aligned else (max(tall, 1), max(wide, 1))
        down, across = (
            sampling_ratio if sampling_ratio > 0 else int(np.ceil(extent / bins))
            for extent, bins in ((tall, pooled_height), (wide, pooled_width))
        )
        points = [
            interpolated(
                X[images[r]],
                top + tall / pooled_height * (i + (a + 0.5) / down),
                left + wide / pooled_width * (j + (b + 0.5) / across),
            )
            for a in range(down)
            for b in range(across)
        ]
        out[r, :, i, j] = np.mean(points, axis=0)
    return out


def sample(ratio=2, aligned=True, height=2, width=3, scale=1.0, maps=MAPS, boxes=BOXES, counts=COUNTS):
    attrs = {"pooled_height": height, "pooled_width": width, "spatial_scale": scale, "sampling_ratio": ratio}
    inputs = {"X": maps, "ROIs": boxes.astype(maps.dtype), "RoisNum": counts}
    return Sample(inputs, {**attrs, "aligned": aligned}, grads=("X",))


def bad(error, match, height=2, **inputs):
    made = sample(height=height)
    return Bad({**made.inputs, **inputs}, made.attrs, error, match)


# --- counted ------------------------------------------------------------------------------------------------------------------

FOUND = draw(5, 4, low=0, high=9)
COUNTED = [
    Row(
        "lod_of_counts",
        [Sample({"X": FOUND, "Counts": np.array(counts)}) for counts in ([2, 3], [0, 5, 0])],
        [
            Bad({"X": FOUND, "Counts": np.array([2, 2])}, {}, "LoDError", "5"),
            Bad({"X": FOUND, "Counts": draw(2)}, {}, "DtypeError", "Input(Counts)"),
        ],
        own=lambda X, Counts: X,
    ),
    Row(
        "counts_of_lod",
        [Sample({"X": FOUND}, lods={"X": [[0, 2, 2, 5]]}, dynamic=True)],
        [Bad({"X": FOUND}, {}, "LoDError", "no LoD")],
        own=lambda X: (X, np.array([2, 0, 3], "int32")),
    ),
]

# --- proposed -----------------------------------------------------------------------------------------------------------------


def anchored(sizes=((40, 50), (30, 25)), scores=SCORES):
    given = {**proposing(scores=scores), "ImShape": np.array(sizes, "float32")}
    del given["ImInfo"]
    return given


def proposed(*args, offset=False, **more):
    return {**proposals(*args, **more), "pixel_offset": offset}


PROPOSE = [
    Sample(anchored(), attrs, dynamic=True, outputs=["RpnRois", "RpnRoiProbs"], excluded=WHY)
    for attrs in (
        proposed(),
        proposed(5, 2, 0.9, eta=0.7),
        proposed(0, -1, 0.9, 8.0),
        proposed(0, 3, 0.5, offset=True),
        proposed(size=1000.0),
    )
]


def places_of(FpnRois, min_level, max_level, refer_level, refer_scale):
    """Which regions belong to each level, by the root of width times height."""
    wide, high = FpnRois[:, 2] - FpnRois[:, 0], FpnRois[:, 3] - FpnRois[:, 1]
    side = np.sqrt(np.where((wide < 0) | (high < 0), 0, wide * high))
    level = np.clip(np.floor(refer_level + np.log2(side / refer_scale + 1e-6)), min_level, max_level)
    return [np.nonzero(level == each)[0] for each in range(min_level, max_level + 1)]


def own_levels(FpnRois, **attrs):
    places = places_of(FpnRois, **attrs)
    return [FpnRois[rows] for rows in places], np.argsort(np.concatenate(places)).astype("int32")[:, None]


LEVELS = {"min_level": 2, "max_level": 4, "refer_level": 3, "refer_scale": 8}
TALL = REGIONS * np.float32(0.5)
CHOICES = [
    Row(
        "generate_proposals_v2",
        PROPOSE,
        [
            Bad(anchored(((40, 50, 1), (30, 25, 2))), proposed(), "ShapeError", "Input(ImShape)"),
            Bad(anchored(scores=SCORES[0]), proposed(), "ShapeError", "[N, C, H, W]"),
        ],
    ),
    Row(
        "distribute_fpn_proposals_half_pixel",
        [
            Sample({"FpnRois": TALL}, LEVELS, lods={"FpnRois": [lod]}, counts={"MultiFpnRois": 3}, dynamic=True)
            for lod in ([0, 8], [0, 3, 3, 8])
        ],
        [Bad({"FpnRois": TALL}, LEVELS, "LoDError", "no LoD")],
        own=own_levels,
    ),
    Row(
        "nms",
        [Sample({"Boxes": REGIONS}, {"iou_threshold": limit}, dynamic=True, excluded=WHY) for limit in (0.1, 0.5, 1.0)],
        [Bad({"Boxes": REGIONS[:, :3]}, {}, "ShapeError", "Input(Boxes)")],
    ),
]

ROWS = [
    *COUNTED,
    *CHOICES,
    Row(
        "roi_align_half_pixel",
        [
            sample(),
            sample(aligned=False),
            sample(-1, height=3, width=1, scale=0.5, boxes=BOXES[:4], counts=np.array([4, 0], "int32")),
            sample(maps=MAPS.astype("float64")),
        ],
        [
            bad("DtypeError", "Input(RoisNum)", RoisNum=COUNTS.astype("int64")),
            bad("ShapeError", "Input(RoisNum)", RoisNum=np.array([5], "int32")),
            bad("LoDError", "5", RoisNum=np.array([2, 2], "int32")),
            bad("ShapeError", "Input(ROIs)", ROIs=draw(5, 5)),
            bad("ArgumentValueError", "pooled_height", height=0),
        ],
        own=own,
    ),
]
