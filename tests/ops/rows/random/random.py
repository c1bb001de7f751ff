"""Random numbers: with a seed the very numbers of Paddle, without one only shape and dtype."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

FLOAT32, FLOAT64, INT32, INT64 = 5, 6, 2, 3
SEED = 90


def made(note="", **attrs):
    return Sample({}, attrs, note=note)


def shaped(**attrs):
    """The forms in which a shape may come."""
    rows, columns = np.array([3], "int32"), np.array([2], "int32")
    return [
        Sample({"ShapeTensor": np.array([2, 3], "int32")}, dict(attrs, seed=SEED), dynamic=True),
        Sample({"ShapeTensor": np.array([2, 3], "int64")}, dict(attrs, seed=SEED, shape=[7]), dynamic=True),
        Sample({"ShapeTensorList": [rows, columns]}, dict(attrs, seed=SEED, shape=[-1, -1]), dynamic=True),
    ]


def seeded(**attrs):
    """Seeds small, large and negative; more numbers than one block of the generator is long would be too many to keep."""
    return [made(shape=[3, 5], seed=s, **attrs) for s in (1, SEED, 2147483646, 2147483647, -3)]


BAD_SHAPE = [
    Bad({}, {"shape": [2, -1]}, "ShapeError", "shape"),
    Bad({}, {"shape": []}, "ShapeError", "shape"),
]
BAD_DTYPE = [Bad({}, {"shape": [2], "dtype": INT64}, "DtypeError", "dtype")]


def like(*shape, lods=None, **attrs):
    """Shapes of which one dimension is taken from an input."""
    return Sample({"Input": draw(3, 5)}, dict(attrs, shape=list(shape)), lods=lods)


LIKE = [
    like(-1, 4, seed=SEED),
    like(9, 4, seed=SEED),
    like(4, -1, seed=SEED, input_dim_idx=1, output_dim_idx=1),
    like(-1, 4, seed=SEED, dtype=FLOAT64),
    like(-1, 2, seed=SEED, lods={"Input": [[0, 1, 3]]}),
    like(-1, 2),
]
BAD_LIKE = [
    Bad({"Input": draw(3, 5)}, {"shape": [-1, -1]}, "ShapeError", "shape"),
    Bad({"Input": draw(3, 5)}, {"shape": [-1, 2], "input_dim_idx": 2}, "ShapeError", "input_dim_idx"),
    Bad({"Input": draw(3, 5)}, {"shape": [-1, 2], "output_dim_idx": 2}, "ShapeError", "output_dim_idx"),
    Bad({"Input": draw(3, 5)}, {"shape": [-1, 2], "dtype": INT64}, "DtypeError", "dtype"),
]


ROWS = [
    Row(
        "uniform_random",
        [
            *seeded(),
            *seeded(dtype=FLOAT64),
            made(shape=[4, 3], seed=SEED, min=2.0, max=2.5),
            made(shape=[4, 3], seed=SEED, min=-0.1, max=0.7, dtype=FLOAT64),
            made(shape=[4, 4], seed=SEED, diag_num=3, diag_step=4, diag_val=7.0),
            made(shape=[5, 3], seed=SEED, diag_num=2, diag_step=2),
            made(shape=[1], seed=SEED),
            made(shape=[2, 3], note="no seed"),
            *shaped(min=0.0, max=1.0),
        ],
        [*BAD_SHAPE, *BAD_DTYPE, Bad({}, {"shape": [2], "min": 1.0, "max": 1.0}, "ArgumentValueError", "min")],
        random=True,
        tolerance=(0, 0),
    ),
    Row(
        "gaussian_random",
        [
            *seeded(),
            *seeded(dtype=FLOAT64),
            made(shape=[4, 3], seed=SEED, mean=2.0, std=0.1),
            made(shape=[7], seed=SEED, mean=-0.3, std=3.0, dtype=FLOAT64),
            made(shape=[2, 3], note="no seed"),
            *shaped(),
        ],
        [*BAD_SHAPE, *BAD_DTYPE],
        random=True,
        tolerance=(0, 0),
    ),
    Row(
        "uniform_random_batch_size_like",
        [
            *LIKE,
            like(-1, 3, seed=SEED, min=2.0, max=2.5),
            like(-1, 3, seed=SEED, diag_num=2, diag_step=3, diag_val=7.0),
        ],
        [*BAD_LIKE, Bad({"Input": draw(3)}, {"shape": [2], "min": 1.0, "max": 1.0}, "ArgumentValueError", "min")],
        random=True,
        tolerance=(0, 0),
    ),
    Row(
        "gaussian_random_batch_size_like",
        [*LIKE, like(-1, 3, seed=SEED, mean=2.0, std=0.1)],
        BAD_LIKE,
        random=True,
        tolerance=(0, 0),
    ),
    Row(
        "truncated_gaussian_random",
        [
            *seeded(),
            made(shape=[4, 3], seed=SEED, mean=2.0, std=0.1),
            made(shape=[2, 3], note="no seed"),
        ],
        [*BAD_SHAPE, *BAD_DTYPE],
        random=True,
        tolerance=(0, 0),
    ),
    Row(
        "randint",
        [
            *seeded(low=0, high=10),
            *seeded(low=-5, high=100000, dtype=INT32),
            made(shape=[4, 3], seed=SEED, low=3, high=4),
            made(shape=[40], seed=SEED, low=-(2**31), high=2**31 - 1),
            made(shape=[40], seed=SEED, low=0, high=2**31 - 1),
            made(shape=[2, 3], low=0, high=5, note="no seed"),
            *shaped(low=0, high=1000),
        ],
        [
            Bad({}, {"shape": [2, -1], "low": 0, "high": 2}, "ShapeError", "shape"),
            Bad({}, {"shape": [2], "low": 2, "high": 2}, "ArgumentValueError", "low"),
            Bad({}, {"shape": [2], "low": 0, "high": 2, "dtype": FLOAT32}, "DtypeError", "dtype"),
        ],
        random=True,
        tolerance=(0, 0),
    ),
    Row(
        "randperm",
        [
            *[made(n=9, seed=s) for s in (1, SEED, 2147483647, -3)],
            made(n=1, seed=1, dtype=INT64),
            made(n=100, seed=SEED, dtype=INT32),
            made(n=7, note="no seed"),
        ],
        [
            Bad({}, {"n": 0}, "ArgumentValueError", "1 or more"),
            Bad({}, {"n": 4, "dtype": FLOAT32}, "DtypeError", "dtype"),
        ],
        random=True,
    ),
]
