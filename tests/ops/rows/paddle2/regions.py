"""Pooling of regions as PaddlePaddle 2 has it; tests/interop compares it with numbers of 3.3.1."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

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


ROWS = [
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
