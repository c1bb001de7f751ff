"""Arrays of random numbers. With a seed they hold the numbers of Paddle 1.8.5's CPU generator."""

from __future__ import annotations

from typing import Any

from ...core.dtype import to_numpy
from ...core.errors import ArgumentValueError, DtypeError, ShapeError, message
from ...kernels.cpu.random import random as draw
from ..framework.spec import MKLDNN, Declaration, Ints, Longs, Required, op
from ..shape.fill import rows_of
from ..support.meta import Meta
from ..support.shape_rules import UNKNOWN, requested, requested_if_known

SHAPES = "ShapeTensor? ShapeTensorList*?"


def given_shape(type: str, shape, tensor: Any, tensors: Any) -> tuple[int, ...]:
    """Return the shape to draw: the attribute, or the values of the shape inputs."""
    shape = tuple(requested(shape, tensor, tensors))
    if any(n < 0 for n in shape) or not shape:
        raise ShapeError(message(type, "attribute 'shape'", list(shape), "at least one size, none below 0"))
    return shape


def floating(type: str, dtype: int, allowed=("float32", "float64")) -> Any:
    """Return the dtype that an attribute names; raise unless it is allowed."""
    found = to_numpy(dtype, type)
    if found.name not in allowed:
        raise DtypeError(message(type, "attribute 'dtype'", found, " or ".join(allowed)))
    return found


def infer_shape(
    type: str, shape, dtype: int, tensor: Meta | None, tensors: Any, allowed=("float32", "float64")
) -> Meta:
    found = floating(type, dtype, allowed)
    if tensors or tensor is not None:
        known = requested_if_known(type, shape, ShapeTensor=tensor, ShapeTensorList=tensors)
        return Meta(tuple([UNKNOWN if n is None else n for n in known]), found)
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
    fed_as="ShapeTensor ShapeTensorList",
)
class uniform_random(Declaration):
    """Draw an array from the uniform distribution over [min, max)."""

    def infer(ShapeTensor, ShapeTensorList, *, shape, min, max, dtype, **_):
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
    """Draw an array from the normal distribution with the given mean and standard deviation."""

    def infer(ShapeTensor, ShapeTensorList, *, shape, dtype, **_):
        return infer_shape("gaussian_random", shape, dtype, ShapeTensor, ShapeTensorList)

    def reference(xp, ShapeTensor, ShapeTensorList, *, shape, mean, std, seed, dtype):
        size = given_shape("gaussian_random", shape, ShapeTensor, ShapeTensorList)
        return xp.asarray(draw.gaussian(size, mean, std, seed, to_numpy(dtype)))


def _shape_like(type: str, Input: Any, shape, input_dim_idx: int, output_dim_idx: int) -> tuple[int, ...]:
    """Return `shape` with one dimension taken from Input, regardless of its LoD."""
    return rows_of(type, Input, None, shape, input_dim_idx, output_dim_idx)


LIKE = {"shape": Ints(), "input_dim_idx": 0, "output_dim_idx": 0}


@op(
    "uniform_random_batch_size_like",
    inputs="Input",
    outputs="Out",
    attrs={
        **LIKE,
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
)
class uniform_random_batch_size_like(Declaration):
    """Draw an array from the uniform distribution over [min, max); one dimension has the size of one of Input."""

    def infer(Input, *, shape, input_dim_idx, output_dim_idx, min, max, dtype, **_):
        type = "uniform_random_batch_size_like"
        if min >= max:
            raise ArgumentValueError(message(type, "attribute 'min'", min, f"less than max, {max}"))
        return Meta(_shape_like(type, Input, shape, input_dim_idx, output_dim_idx), floating(type, dtype))

    def reference(
        xp, Input, *, shape, input_dim_idx, output_dim_idx, min, max, seed, diag_num, diag_step, diag_val, dtype
    ):
        size = _shape_like("uniform_random_batch_size_like", Input, shape, input_dim_idx, output_dim_idx)
        return xp.asarray(draw.uniform(size, min, max, seed, to_numpy(dtype), diag_num, diag_step, diag_val))


@op(
    "gaussian_random_batch_size_like",
    inputs="Input",
    outputs="Out",
    attrs={**LIKE, "mean": 0.0, "std": 1.0, "seed": 0, "dtype": 5},
    effects="random",
    lod=None,
)
class gaussian_random_batch_size_like(Declaration):
    """Draw an array from a normal distribution; one dimension has the size of a dimension of Input."""

    def infer(Input, *, shape, input_dim_idx, output_dim_idx, dtype, **_):
        type = "gaussian_random_batch_size_like"
        return Meta(_shape_like(type, Input, shape, input_dim_idx, output_dim_idx), floating(type, dtype))

    def reference(xp, Input, *, shape, input_dim_idx, output_dim_idx, mean, std, seed, dtype):
        size = _shape_like("gaussian_random_batch_size_like", Input, shape, input_dim_idx, output_dim_idx)
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
    """Draw an array from a normal distribution, truncated at two standard deviations from the mean."""

    def infer(*, shape, dtype, **_):
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
    """Draw an array of integers from low to high - 1 with equal probabilities."""

    def infer(ShapeTensor, ShapeTensorList, *, shape, low, high, dtype, **_):
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
    stopped="Out",
)
class randperm(Declaration):
    """Return a random permutation of the integers 0 ... n - 1."""

    def infer(*, n, dtype, **_):
        if n < 1:
            raise ArgumentValueError(message("randperm", "attribute 'n'", n, "1 or more"))
        found = to_numpy(dtype, "randperm")
        if found.name not in ("int32", "int64"):
            raise DtypeError(message("randperm", "attribute 'dtype'", found, "int32 or int64"))
        return Meta((n,), found)

    def reference(xp, *, n, dtype, seed):
        return xp.asarray(draw.permutation(n, seed, to_numpy(dtype)))
