"""Operators that draw random numbers. With a seed they give the numbers of Paddle 1.8.5's CPU generator."""

from __future__ import annotations

from typing import Any

from ..core.dtype import to_numpy
from ..core.errors import ArgumentValueError, DtypeError, ShapeError, message
from ..kernels.cpu import random as draw
from .spec import MKLDNN, Declaration, Grad, Longs, Meta, Required, op

ZERO = 2**31 - 1  # the seed that starts the generator where 0 would; 0 itself asks for other numbers each time
SHAPES = "ShapeTensor? ShapeTensorList*?"


def given_shape(type: str, shape, tensor: Any, tensors: Any) -> tuple[int, ...]:
    """The shape to draw: of the attribute, or the values of the shape inputs."""
    if tensors:
        shape = [int(t.reshape(-1)[0]) for t in tensors]
    elif tensor is not None:
        shape = [int(n) for n in tensor]
    shape = tuple(int(n) for n in shape)
    if any(n < 0 for n in shape) or not shape:
        raise ShapeError(message(type, "attribute 'shape'", list(shape), "at least one size, none below 0"))
    return shape


def infer_shape(
    type: str, shape, dtype: int, tensor: Meta | None, tensors: Any, allowed=("float32", "float64")
) -> Meta:
    found = to_numpy(dtype, type)
    if found.name not in allowed:
        raise DtypeError(message(type, "attribute 'dtype'", found, " or ".join(allowed)))
    if tensors:
        return Meta((-1,) * len(tensors), found)
    if tensor is not None:
        return Meta((-1,) * max(tensor.shape[0], 0), found)
    return Meta(given_shape(type, shape, None, None), found)


@op(
    "uniform_random",
    inputs=SHAPES,
    outputs="Out",
    attrs={
        "shape": Longs([]),
        "min": -1.0,
        "max": 1.0,
        "seed": 0,
        "diag_num": 0,
        "diag_step": 0,
        "diag_val": 1.0,
        "dtype": 5,
    },
    effects="random",
    lod=None,
    checked=True,
)
class uniform_random(Declaration):
    """Out is uniform in [min, max)."""

    def infer(ShapeTensor, ShapeTensorList, *, shape, min, max, seed, diag_num, diag_step, diag_val, dtype):
        if min >= max:
            raise ArgumentValueError(message("uniform_random", "attribute 'min'", min, f"less than max, {max}"))
        return infer_shape("uniform_random", shape, dtype, ShapeTensor, ShapeTensorList)

    def reference(xp, ShapeTensor, ShapeTensorList, *, shape, min, max, seed, diag_num, diag_step, diag_val, dtype):
        size = given_shape("uniform_random", shape, ShapeTensor, ShapeTensorList)
        return xp.asarray(draw.uniform(size, min, max, seed, to_numpy(dtype), diag_num, diag_step, diag_val))


@op(
    "gaussian_random",
    inputs=SHAPES,
    outputs="Out",
    attrs={"shape": Longs([]), "mean": 0.0, "std": 1.0, "seed": 0, "dtype": 5, **MKLDNN},
    effects="random",
    lod=None,
)
class gaussian_random(Declaration):
    """Out is normal with the given mean and standard deviation."""

    def infer(ShapeTensor, ShapeTensorList, *, shape, mean, std, seed, dtype):
        return infer_shape("gaussian_random", shape, dtype, ShapeTensor, ShapeTensorList)

    def reference(xp, ShapeTensor, ShapeTensorList, *, shape, mean, std, seed, dtype):
        size = given_shape("gaussian_random", shape, ShapeTensor, ShapeTensorList)
        return xp.asarray(draw.gaussian(size, mean, std, seed, to_numpy(dtype)))


@op(
    "truncated_gaussian_random",
    inputs="",
    outputs="Out",
    attrs={"shape": Required("INTS"), "mean": 0.0, "std": 1.0, "seed": 0, "dtype": 5},
    effects="random",
    lod=None,
)
class truncated_gaussian_random(Declaration):
    """Out is normal, but never further than two standard deviations from the mean."""

    def infer(*, shape, mean, std, seed, dtype):
        return infer_shape("truncated_gaussian_random", shape, dtype, None, None)

    def reference(xp, *, shape, mean, std, seed, dtype):
        size = given_shape("truncated_gaussian_random", shape, None, None)
        return xp.asarray(draw.truncated_gaussian(size, mean, std, seed, to_numpy(dtype)))


@op(
    "randint",
    inputs=SHAPES,
    outputs="Out",
    attrs={"shape": Longs([]), "low": Required("INT"), "high": Required("INT"), "dtype": 3, "seed": 0},
    effects="random",
    lod=None,
)
class randint(Declaration):
    """Out is an integer of low ... high - 1, each as likely."""

    def infer(ShapeTensor, ShapeTensorList, *, shape, low, high, dtype, seed):
        if low >= high:
            raise ArgumentValueError(message("randint", "attribute 'low'", low, f"less than high, {high}"))
        return infer_shape("randint", shape, dtype, ShapeTensor, ShapeTensorList, ("int32", "int64"))

    def reference(xp, ShapeTensor, ShapeTensorList, *, shape, low, high, dtype, seed):
        size = given_shape("randint", shape, ShapeTensor, ShapeTensorList)
        return xp.asarray(draw.randint(size, low, high, seed, to_numpy(dtype)))


@op(
    "randperm",
    inputs="",
    outputs="Out",
    attrs={"n": Required("INT"), "dtype": 3, "seed": 0},
    effects="random",
    lod=None,
    checked=True,
)
class randperm(Declaration):
    """Out holds the integers 0 ... n - 1 in random order."""

    def infer(*, n, dtype, seed):
        if n < 1:
            raise ArgumentValueError(message("randperm", "attribute 'n'", n, "1 or more"))
        found = to_numpy(dtype, "randperm")
        if found.name not in ("int32", "int64"):
            raise DtypeError(message("randperm", "attribute 'dtype'", found, "int32 or int64"))
        return Meta((n,), found)

    def reference(xp, *, n, dtype, seed):
        return xp.asarray(draw.permutation(n, seed, to_numpy(dtype)))


@op(
    "sampling_id",
    inputs="X",
    outputs="Out",
    attrs={"min": 0.0, "max": 1.0, "seed": 0},
    effects="random",
    lod=None,
    checked=True,
)
class sampling_id(Declaration):
    """Out = for each row of probabilities an index, drawn with these: where a number of [min, max) falls among their sums."""

    def infer(X, *, min, max, seed):
        if X.dtype.kind != "f":
            raise DtypeError(message("sampling_id", "Input(X)", f"dtype {X.dtype}", "float32 or float64"))
        if len(X.shape) != 2 or X.shape[1] == 0:
            raise ShapeError(message("sampling_id", "Input(X)", f"shape {list(X.shape)}", "[rows, probabilities]"))
        if min >= max:
            raise ArgumentValueError(message("sampling_id", "attribute 'min'", min, f"less than max, {max}"))
        return Meta(X.shape[:1], to_numpy("int64"))

    def reference(xp, X, *, min, max, seed):
        drawn = xp.asarray(draw.uniform([X.shape[0]], min, max, seed, X.dtype))
        return (X.cumsum(axis=1, dtype=X.dtype)[:, :-1] <= drawn[:, None]).sum(axis=1).astype("int64")


@op(
    "dropout",
    inputs="X Seed?",
    outputs="Out Mask~",
    attrs={
        "dropout_prob": 0.5,
        "is_test": False,
        "fix_seed": False,
        "seed": 0,
        "dropout_implementation": "downgrade_in_infer",
    },
    effects="random",
    floats_only=True,
    lod=lambda lods, ins, outs, attrs: (lods[0], None),
)
class dropout(Declaration):
    """Out = X with elements set to 0 at random; Mask says which were kept.

    "downgrade_in_infer" keeps the others as they are and multiplies by 1 - p in tests; "upscale_in_train" divides them
    by 1 - p and changes nothing in tests.
    """

    def infer(X, Seed, *, dropout_prob, is_test, fix_seed, seed, dropout_implementation):
        if X.dtype.kind != "f":
            raise DtypeError(message("dropout", "Input(X)", f"dtype {X.dtype}", "float32 or float64"))
        _factors(dropout_prob, dropout_implementation)
        return X, None if is_test else Meta(X.shape, to_numpy("uint8"))

    def reference(xp, X, Seed, *, dropout_prob, is_test, fix_seed, seed, dropout_implementation):
        in_training, in_tests = _factors(dropout_prob, dropout_implementation)
        if is_test:
            return X * xp.asarray(in_tests, dtype=X.dtype), None
        seed = 0 if Seed is None and not fix_seed else (int(Seed[0]) if Seed is not None else seed) or ZERO
        mask = xp.asarray(draw.dropout_mask(X.shape, dropout_prob, seed))
        return X * mask.astype(X.dtype) / xp.asarray(in_training, dtype=X.dtype), mask

    def gradient(xp, Mask, dOut, *, dropout_prob, is_test, dropout_implementation):
        in_training, in_tests = _factors(dropout_prob, dropout_implementation)
        if is_test:
            return dOut * xp.asarray(in_tests, dtype=dOut.dtype)
        return dOut * Mask.astype(dOut.dtype) / xp.asarray(in_training, dtype=dOut.dtype)

    grad = Grad("Mask Out@GRAD", "X@GRAD", gradient)


def _factors(p: float, implementation: str) -> tuple[float, float]:
    """(what the kept elements are divided by in training, what all are multiplied by in tests)."""
    if not 0 <= p <= 1:
        raise ArgumentValueError(message("dropout", "attribute 'dropout_prob'", p, "0 to 1"))
    if implementation == "downgrade_in_infer":
        return 1.0, 1.0 - p
    if implementation == "upscale_in_train":
        return 1.0 - p or 1.0, 1.0
    needs = '"downgrade_in_infer" or "upscale_in_train"'
    raise ArgumentValueError(message("dropout", "attribute 'dropout_implementation'", repr(implementation), needs))
