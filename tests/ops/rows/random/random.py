"""Random numbers: with a seed the very numbers of Paddle, without one only shape and dtype."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, away, draw

FLOAT32, FLOAT64, INT32, INT64 = 5, 6, 2, 3
SEED = 90
NEWER = "PaddlePaddle 1.8.5 has no such operator"


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


def sampled(*shape, dtype="float32", **attrs):
    p = draw(*shape, low=0.1, high=1.0, dtype="float64")
    return Sample({"X": (p / p.sum(axis=1, keepdims=True)).astype(dtype)}, dict(attrs, seed=SEED))


def dropout(*shape, dtype="float32", lods=None, tensor=None, excluded="", grads=None, **attrs):
    inputs = {"X": away(draw(*shape, dtype=dtype), 0.0)}
    if tensor is not None:
        inputs["Seed"] = np.array([tensor], "int32")
    if not attrs.get("is_test") and "fix_seed" not in attrs:
        attrs.update(seed=SEED, fix_seed=True)
    return Sample(inputs, attrs, lods=lods, excluded=excluded, grads=grads)


def without_gradient(*shape, why, **attrs):
    """Calls of which Paddle has no gradient: its outputs, then our own gradient."""
    return [dropout(*shape, dtype="float64", grads=(), **attrs), dropout(*shape, excluded=why, **attrs)]


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


def cropped(*shape, seed=SEED, x=(2, 4, 6), dtype="float32", **more):
    """Every call has a seed, as an input."""
    values = np.arange(np.prod(x)).reshape(x).astype(dtype)
    return Sample({"X": values, "Seed": np.array([seed], "int64")}, {"shape": list(shape), "startup_seed": 1}, **more)


IN_TESTS = "Paddle has no gradient of dropout in tests"
OF_VECTORS = "Paddle has no gradient of dropout of a vector"

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
        "random_crop",
        [
            cropped(2, 3),
            cropped(2, 3, seed=0),
            cropped(2, 3, seed=-5),
            cropped(2, 3, seed=2**40 + 7),
            cropped(4, 6),
            cropped(3, dtype="float64"),
            cropped(2, x=(3, 2, 2, 5), dtype="int32"),
            cropped(1, 2, 3, x=(5, 2, 3, 4), dtype="uint8"),
            cropped(2, 2, x=(4, 3, 3), dtype="int16"),
            cropped(2, 3, lods={"X": [[0, 1, 2]]}),
        ],
        [
            Bad(cropped(2, 3).inputs, {"shape": [2, 2, 3]}, "ShapeError", "fewer sizes"),
            Bad(cropped(2, 3).inputs, {"shape": []}, "ShapeError", "at least one"),
            Bad(cropped(2, 3).inputs, {"shape": [5, 3]}, "ShapeError", "[4, 6]"),
            Bad(cropped(2, 3).inputs, {"shape": [0, 3]}, "ShapeError", "[4, 6]"),
            Bad(dict(cropped(2).inputs, Seed=np.array([1], "int32")), {"shape": [2]}, "DtypeError", "Input(Seed)"),
            Bad(dict(cropped(2).inputs, Seed=np.zeros(0, "int64")), {"shape": [2]}, "ShapeError", "Input(Seed)"),
        ],
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
    Row(
        "sampling_id",
        [
            sampled(20, 5),
            sampled(20, 5, dtype="float64"),
            sampled(20, 5, min=0.2, max=0.6),
            sampled(4, 1),
            Sample(
                {"X": np.full((4, 2), 0.5, "float32")}, {"seed": SEED}, lods={"X": [[0, 1, 1, 4]]}, note="sequences"
            ),
            Sample({"X": np.full((9, 3), 0.1, "float32")}, {"seed": SEED}, note="rows that do not add up to 1"),
            Sample({"X": np.full((4, 3), 1 / 3, "float32")}, note="no seed"),
        ],
        [
            Bad({"X": draw(3)}, {}, "ShapeError", "Input(X)"),
            Bad({"X": draw(3, 0)}, {}, "ShapeError", "Input(X)"),
            Bad({"X": draw(2, 3)}, {"min": 0.5, "max": 0.5}, "ArgumentValueError", "min"),
            Bad({"X": draw(2, 3, low=0, high=4, dtype="int64")}, {}, "DtypeError", "int64"),
        ],
        random=True,
    ),
    Row(
        "bernoulli",
        [
            Sample({"X": draw(4, 5, low=0.0, high=1.0, dtype=d)}, {"seed": SEED}, excluded=NEWER)
            for d in ("float32", "float64")
        ],
        [
            Bad({"X": np.array([0.5, 1.5], "float32")}, {}, "ArgumentValueError", "probabilities"),
            Bad({"X": draw(3, low=0, high=1, dtype="int64")}, {}, "DtypeError", "int64"),
        ],
        random=True,
    ),
    Row(
        "multinomial",
        [
            Sample({"X": draw(3, 6, low=0.1, high=2.0)}, {"seed": SEED, "num_samples": 4}, excluded=NEWER),
            Sample(
                {"X": np.array([0.0, 2.0, 0.0, 1.0], "float64")},
                {"seed": SEED, "num_samples": 9, "replacement": True},
                excluded=NEWER,
            ),
        ],
        [
            Bad({"X": draw(2, 3, 4)}, {}, "ShapeError", "Input(X)"),
            Bad({"X": np.array([1.0, -1.0], "float32")}, {}, "ArgumentValueError", "0 or more"),
            Bad({"X": np.array([1.0, 0.0], "float32")}, {"num_samples": 2}, "ArgumentValueError", "replacement=True"),
            Bad({"X": np.array([1.0, 0.5], "float32")}, {"num_samples": 0}, "ArgumentValueError", "num_samples"),
            Bad({"X": draw(3, low=0, high=1, dtype="int64")}, {}, "DtypeError", "int64"),
        ],
        random=True,
    ),
    Row(
        "dropout",
        [
            dropout(5, 4),
            dropout(5, 4, dtype="float64"),
            *without_gradient(20, why=OF_VECTORS),
            dropout(2, 3, 4, dropout_prob=0.2),
            dropout(5, 4, dropout_prob=0.0),
            dropout(5, 4, dropout_prob=1.0),
            dropout(5, 4, dropout_implementation="upscale_in_train"),
            dropout(5, 4, dropout_prob=0.3, dropout_implementation="upscale_in_train"),
            dropout(5, 4, dropout_prob=1.0, dropout_implementation="upscale_in_train"),
            *without_gradient(5, 4, dropout_prob=0.3, is_test=True, why=IN_TESTS),
            *without_gradient(
                5, 4, dropout_prob=0.3, is_test=True, dropout_implementation="upscale_in_train", why=IN_TESTS
            ),
            dropout(5, 4, lods={"X": [[0, 2, 5]]}),
            dropout(5, 4, tensor=7),
            dropout(5, 4, tensor=0),
            dropout(5, 4, fix_seed=False),
            dropout(5, 7, 19),
            dropout(5, 7, 19, fix_seed=False),
            dropout(5, 7, 19, fix_seed=False, dropout_prob=1.0),
            dropout(5, 7, 19, fix_seed=False, dropout_implementation="upscale_in_train"),
        ],
        [
            Bad({"X": draw(2, 3)}, {"dropout_prob": 1.5}, "ArgumentValueError", "dropout_prob"),
            Bad({"X": draw(2, 3)}, {"dropout_prob": -0.1}, "ArgumentValueError", "dropout_prob"),
            Bad({"X": draw(2, 3)}, {"dropout_implementation": "half"}, "ArgumentValueError", "dropout_implementation"),
            Bad({"X": draw(2, 3, low=0, high=4, dtype="int64")}, {}, "DtypeError", "int64"),
        ],
        random=True,
        tolerance=(0, 0),
    ),
]
