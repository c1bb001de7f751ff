"""Images sampled by the modes of PaddlePaddle 2; tests/interop compares some with numbers of 2.6.2."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw
from tests.ops.rows.vision.grid import grid

X = draw(2, 3, 4, 5)


def places(size, number, align):
    """Where a number of a grid lies on an axis."""
    return (number + 1) * (size - 1) / 2 if align else ((number + 1) * size - 1) / 2


def held(place, size, padding, align):
    """The place inside of the axis: mirrored step by step."""
    low, high = (0, size - 1) if align else (-0.5, size - 0.5)
    while padding == "reflection" and not low <= place <= high:
        place = 2 * low - place if place < low else 2 * high - place
    return place if padding == "zeros" else min(max(place, 0), size - 1)


def own(X, Grid, *, mode="bilinear", padding_mode="zeros", align_corners=True):
    """Point by point."""
    n, channels, height, width = X.shape
    out = np.zeros((n, channels, *Grid.shape[1:3]), X.dtype)
    for b, i, j in np.ndindex(n, *Grid.shape[1:3]):
        x = held(places(width, Grid[b, i, j, 0], align_corners), width, padding_mode, align_corners)
        y = held(places(height, Grid[b, i, j, 1], align_corners), height, padding_mode, align_corners)
        if mode == "nearest":
            x, y = np.floor(x + 0.5), np.floor(y + 0.5)
        for row in (int(np.floor(y)), int(np.floor(y)) + 1):
            for column in (int(np.floor(x)), int(np.floor(x)) + 1):
                if 0 <= row < height and 0 <= column < width:
                    out[b, :, i, j] += X[b, :, row, column] * (1 - abs(y - row)) * (1 - abs(x - column))
    return out


def sample(reach=2.0, dtype="float32", size=(4, 5), **attrs):
    inputs = {"X": X.astype(dtype), "Grid": grid(2, *size, dtype=dtype, reach=reach)}
    return Sample(inputs, attrs)


ROWS = [
    Row(
        "grid_sampler_of_mode",
        [
            sample(),
            sample(padding_mode="border"),
            sample(padding_mode="reflection"),
            sample(reach=7.0, padding_mode="reflection", dtype="float64"),
            sample(align_corners=False, dtype="float64"),
            sample(align_corners=False, padding_mode="border"),
            sample(align_corners=False, padding_mode="reflection"),
            sample(mode="nearest"),
            sample(mode="nearest", padding_mode="border", align_corners=False),
            sample(mode="nearest", padding_mode="reflection", dtype="float64"),
            sample(size=(2, 7), align_corners=False),
            Sample({"X": draw(1, 2, 1, 1), "Grid": grid(1, 2, 3)}, {"padding_mode": "reflection"}, grads=("X",)),
        ],
        [
            Bad({"X": X[0], "Grid": grid(2, 4, 5)}, {}, "ShapeError", "Input(X) got shape [3, 4, 5]"),
            Bad({"X": X, "Grid": grid(1, 4, 5)}, {}, "ShapeError", "Input(Grid)"),
            Bad({"X": X, "Grid": grid(2, 4, 5, "float64")}, {}, "DtypeError", "Input(Grid)"),
            Bad({"X": X, "Grid": grid(2, 4, 5)}, {"mode": "cubic"}, "ArgumentValueError", "bilinear, nearest"),
            Bad({"X": X, "Grid": grid(2, 4, 5)}, {"padding_mode": "wrap"}, "ArgumentValueError", "zeros, border"),
        ],
        own=own,
    ),
]
