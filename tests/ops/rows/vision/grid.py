"""Affine grids, and images sampled at the places of a grid."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

THETA = draw(2, 2, 3)
X = draw(2, 3, 4, 5)


def affine(shape, theta=THETA, asked=None, dynamic=False, excluded=""):
    inputs = {"Theta": theta}
    if asked is not None:
        inputs["OutputShape"] = np.array(asked, "int32")
    attrs = {"output_shape": shape} if shape else {}
    return Sample(inputs, attrs, grads=("Theta",), dynamic=dynamic, excluded=excluded)


def grid(n, h, w, dtype="float32", reach=0.95):
    """Places of which none lies on a point or a line of points, where the gradient jumps: halfway, a bit off."""
    rng = np.random.RandomState(h * w)
    sizes, places = (w, h), []
    for size in sizes:
        step = max(size - 1, 1)
        cell = rng.randint(int(-reach), step + int(reach), (n, h, w))
        places.append((cell + rng.uniform(0.2, 0.8, (n, h, w))) * 2.0 / step - 1)
    return np.stack(places, -1).astype(dtype)


def sample(shape, dtype="float32", **how):
    n, _, h, w = shape
    return Sample({"X": draw(*shape, dtype=dtype), "Grid": grid(n, h, w, dtype, **how)})


ON_POINTS = np.stack(np.meshgrid(np.linspace(-1, 1, 5), np.linspace(-1, 1, 5)), -1)[None].astype("float32")
FAR = np.array([[[[-9, 0], [0, 9]], [[1e6, -1e6], [-1e30, 1e30]]]], "float32")

ROWS = [
    Row(
        "affine_grid",
        [
            affine([2, 3, 4, 5]),
            affine([2, 1, 2, 2]),
            affine([1, 3, 3, 2], draw(1, 2, 3, dtype="float64")),
            affine([], asked=[2, 3, 3, 4], dynamic=True),
            affine([2, 3, 2, 3], asked=[2, 3, 3, 4]),
            Sample({"Theta": THETA}, {"output_shape": [2, 1, 2, 2]}, lods={"Theta": [[0, 2]]}),
        ],
        [
            Bad({"Theta": THETA[0]}, {"output_shape": [1, 1, 2, 2]}, "ShapeError", "Input(Theta) got shape [2, 3]"),
            Bad({"Theta": THETA}, {"output_shape": [2, 2, 2]}, "ShapeError", "the shape of the result got [2, 2, 2]"),
            Bad({"Theta": THETA}, {"output_shape": [2, 2, 2, 1]}, "ShapeError", "H and W of 2 or more"),
            Bad({"Theta": THETA}, {}, "ShapeError", "the shape of the result got []"),
            Bad({"Theta": THETA.astype("int32")}, {"output_shape": [2, 1, 2, 2]}, "DtypeError", "Input(Theta)"),
        ],
    ),
    Row(
        "grid_sampler",
        [
            sample((2, 3, 4, 5)),
            sample((2, 1, 3, 3), reach=2.0),
            Sample({"X": X, "Grid": grid(2, 4, 5)}, grads=("X",), lods={"X": [[0, 2]]}),
            sample((1, 2, 4, 3), "float64"),
            sample((1, 2, 4, 3), "float64", reach=2.0),
            Sample({"X": draw(1, 2, 5, 5), "Grid": ON_POINTS}, grads=("X",), note="on the points themselves"),
            Sample({"X": draw(1, 2, 2, 2), "Grid": FAR}, grads=(), note="far outside"),
        ],
        [
            Bad({"X": X[0], "Grid": grid(2, 4, 5)}, {}, "ShapeError", "Input(X) got shape [3, 4, 5]"),
            Bad({"X": X, "Grid": grid(2, 3, 5)}, {}, "ShapeError", "Input(Grid) got shape [2, 3, 5, 2]"),
            Bad({"X": X, "Grid": grid(1, 4, 5)}, {}, "ShapeError", "needs shape [2, 4, 5, 2]"),
            Bad({"X": X, "Grid": grid(2, 4, 5, "float64")}, {}, "DtypeError", "Input(Grid) got dtype float64"),
        ],
    ),
]
