"""Operators that draw random numbers. With a seed they give the numbers of Paddle 1.8.5's CPU generator."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...core.dtype import to_numpy
from ...core.errors import ArgumentValueError, DtypeError, ShapeError, message
from ...kernels.codegen.expression import Node, make, number
from ...kernels.cpu.random import dropout as hashed
from ...kernels.cpu.random import random as draw
from ..framework.call import Call, PlannedCall
from ..framework.costs import Amount, PerElement
from ..framework.frame import Frame, placed
from ..framework.fusion import Builder, Rule, equal_frame, expression, per_part, plain_frame
from ..framework.spec import MKLDNN, Declaration, Grad, Ints, Longs, Required, op
from ..framework.traits import Identity
from ..shape.fill import rows_of
from ..support.meta import Meta
from ..support.require import require_dtype
from ..support.scalar_inputs import require_one_integer
from ..support.shape_rules import UNKNOWN, requested, requested_if_known

ZERO = 2**31 - 1  # the seed that starts the generator where 0 would; 0 itself asks for other numbers each time
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
)
class uniform_random(Declaration):
    """Out is uniform in [min, max)."""

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
    """Out is normal with the given mean and standard deviation."""

    def infer(ShapeTensor, ShapeTensorList, *, shape, dtype, **_):
        return infer_shape("gaussian_random", shape, dtype, ShapeTensor, ShapeTensorList)

    def reference(xp, ShapeTensor, ShapeTensorList, *, shape, mean, std, seed, dtype):
        size = given_shape("gaussian_random", shape, ShapeTensor, ShapeTensorList)
        return xp.asarray(draw.gaussian(size, mean, std, seed, to_numpy(dtype)))


def _shape_like(type: str, Input: Any, shape, input_dim_idx: int, output_dim_idx: int) -> tuple[int, ...]:
    """`shape` with one dimension taken from Input, whose LoD does not matter."""
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
    """Out is uniform in [min, max); one of its dimensions is as long as one of Input's."""

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
    """Out is normal with the given mean and standard deviation; one of its dimensions is as long as one of Input's."""

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
    """Out is normal, but never further than two standard deviations from the mean."""

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
    """Out is an integer of low ... high - 1, each as likely."""

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
)
class randperm(Declaration):
    """Out holds the integers 0 ... n - 1 in random order."""

    def infer(*, n, dtype, **_):
        if n < 1:
            raise ArgumentValueError(message("randperm", "attribute 'n'", n, "1 or more"))
        found = to_numpy(dtype, "randperm")
        if found.name not in ("int32", "int64"):
            raise DtypeError(message("randperm", "attribute 'dtype'", found, "int32 or int64"))
        return Meta((n,), found)

    def reference(xp, *, n, dtype, seed):
        return xp.asarray(draw.permutation(n, seed, to_numpy(dtype)))


@op("bernoulli", inputs="X", outputs="Out", attrs={"seed": 0}, effects="random", lod=None)
class bernoulli(Declaration):
    """Out = 1 with the probability that X says, else 0. (PaddlePaddle has it from 2.0 on.)"""

    def infer(X, **_):
        _need_weights("bernoulli", X)
        return X

    def reference(xp, X, *, seed):
        host = _on_host(X)
        if host.size and not (host.min() >= 0 and host.max() <= 1):
            got = f"{host.min()} to {host.max()}"
            raise ArgumentValueError(message("bernoulli", "Input(X)", got, "probabilities, 0 to 1"))
        return xp.asarray(draw.bernoulli(host, seed))


@op(
    "multinomial",
    inputs="X",
    outputs="Out",
    attrs={"num_samples": 1, "replacement": False, "seed": 0},
    effects="random",
    lod=None,
)
class multinomial(Declaration):
    """Out = for each row of X `num_samples` indices, each as likely as its weight says. (PaddlePaddle has it from 2.0 on.)"""

    def infer(X, *, num_samples, **_):
        _need_weights("multinomial", X)
        if len(X.shape) not in (1, 2) or X.shape[-1] == 0:
            raise ShapeError(message("multinomial", "Input(X)", f"shape {list(X.shape)}", "[kinds] or [rows, kinds]"))
        if num_samples < 1:
            raise ArgumentValueError(message("multinomial", "attribute 'num_samples'", num_samples, "1 or more"))
        return Meta((*X.shape[:-1], num_samples), to_numpy("int64"))

    def reference(xp, X, *, num_samples, replacement, seed):
        host = _on_host(X)
        weights = host.reshape(-1, host.shape[-1])
        if not (weights >= 0).all() or not (weights < float("inf")).all():
            raise ArgumentValueError(
                message("multinomial", "Input(X)", "a weight below 0, or none", "weights of 0 or more")
            )
        possible = int((weights > 0).sum(axis=1).min()) if len(weights) else num_samples
        if possible < (1 if replacement else num_samples):
            fix = "" if replacement else "Draw with replacement=True, or fewer."
            needs = f"at least {1 if replacement else num_samples} weights above 0 in each row"
            raise ArgumentValueError(message("multinomial", "Input(X)", f"a row with {possible}", needs, fix))
        drawn = draw.multinomial(weights, num_samples, replacement, seed)
        return xp.asarray(drawn.reshape(*host.shape[:-1], num_samples))


def _need_weights(type, X):
    if X.dtype.kind != "f":
        raise DtypeError(message(type, "Input(X)", f"dtype {X.dtype}", "float32 or float64"))


def _on_host(X):
    return X.get() if hasattr(X, "get") else X


@op(
    "sampling_id",
    inputs="X",
    outputs="Out",
    attrs={"min": 0.0, "max": 1.0, "seed": 0},
    effects="random",
)
class sampling_id(Declaration):
    """Out = for each row of probabilities an index, drawn with these: where a number of [min, max) falls among their sums."""

    def infer(X, *, min, max, **_):
        if X.dtype.kind != "f":
            raise DtypeError(message("sampling_id", "Input(X)", f"dtype {X.dtype}", "float32 or float64"))
        if len(X.shape) != 2 or X.shape[1] == 0:
            raise ShapeError(message("sampling_id", "Input(X)", f"shape {list(X.shape)}", "[rows, probabilities]"))
        if min >= max:
            raise ArgumentValueError(message("sampling_id", "attribute 'min'", min, f"less than max, {max}"))
        return Meta(X.shape[:1], to_numpy("int64"), X.lod_level)

    def reference(xp, X, *, min, max, seed):
        drawn = xp.asarray(draw.uniform([X.shape[0]], min, max, seed, X.dtype))
        return (X.cumsum(axis=1, dtype=X.dtype)[:, :-1] <= drawn[:, None]).sum(axis=1).astype("int64")


@op(
    "random_crop",
    inputs="X Seed",
    outputs="Out SeedOut~",
    attrs={"shape": Required("INTS"), "startup_seed": 0},
    effects="random",
    lod=None,
)
class random_crop(Declaration):
    """Out = for each instance of X a part of its last dimensions, of size `shape`, at a random place.

    Seed, int64 [1], starts the generator; SeedOut is for the next call.
    """

    def infer(X, Seed, *, shape):
        require_dtype("random_crop", "Seed", Seed, to_numpy("int64"))
        if 0 in Seed.shape:
            raise ShapeError(message("random_crop", "Input(Seed)", f"shape {list(Seed.shape)}", "[1]"))
        rank = len(X.shape) - len(shape)
        if rank < 1 or not shape:
            needs = f"fewer sizes than X of shape {list(X.shape)} has dimensions, and at least one"
            raise ShapeError(message("random_crop", "attribute 'shape'", list(shape), needs))
        if any(n < 1 or (m >= 0 and n > m) for n, m in zip(shape, X.shape[rank:], strict=True)):
            needs = f"sizes from 1 to those of X, {list(X.shape[rank:])}"
            raise ShapeError(message("random_crop", "attribute 'shape'", list(shape), needs))
        return Meta((*X.shape[:rank], *shape), X.dtype), Meta((1,), Seed.dtype)

    def reference(xp, X, Seed, *, shape):
        rank = X.ndim - len(shape)
        spare = [m - n + 1 for n, m in zip(shape, X.shape[rank:], strict=True)]
        each = X.reshape(-1, *X.shape[rank:])
        places, seed = draw.random_positions(len(each), spare, int(Seed.reshape(-1)[0]))
        grid = [xp.asarray(places[:, i]).reshape(-1, *[1] * len(shape)) for i in range(len(shape))]
        rows = xp.arange(len(each)).reshape(-1, *[1] * len(shape))
        steps = [xp.arange(n).reshape([-1 if i == j else 1 for j in range(len(shape))]) for i, n in enumerate(shape)]
        index = (rows, *(g + s for g, s in zip(grid, steps, strict=True)))
        return each[index].reshape(*X.shape[:rank], *shape), xp.asarray([seed], "int64")


def _dropout_flops(call: Call) -> Amount | None:
    x = call.one("X")
    return None if x is None else Amount.of(x.shape) * (1 if call.attrs["is_test"] else 3)


def _keeps_everything(call: Call) -> bool:
    """Return whether a dropout returns its input when it does not drop."""
    return dropout_factors(call.attrs["dropout_prob"], call.attrs["dropout_implementation"])[1] == 1.0


def _keyed_dropout(call: Call) -> Callable | None:
    """Return the dropout of training that hashes places with a key, as kernels/cpu/random/dropout.py does."""
    attrs, mask = call.attrs, call.out("Mask")
    p, implementation = attrs["dropout_prob"], attrs["dropout_implementation"]
    fit = 0 <= p < 1 and (mask is None or mask.dtype == np.uint8)
    if attrs["is_test"] or attrs["fix_seed"] or call.one("Seed") is not None or not fit:
        return None
    return partial(hashed.dropout, p=p, scale=hashed.scale_of(p, implementation))


def _dropout_frame(call: PlannedCall) -> Frame | None:
    """Return the frame of a dropout that only multiplies, or draws a key and no more."""
    return equal_frame(call) if not call.used(call.out("Mask")) or _keyed_dropout(call) is not None else None


def _factors(call: Call) -> tuple[Node, Node]:
    """Return what a dropout multiplies kept elements by in training, and all in tests."""
    given = call.attrs["dropout_prob"], call.attrs["dropout_implementation"]
    return number(hashed.scale_of(*given)), number(dropout_factors(*given)[1])


def _build_dropout(call: Call, builder: Builder) -> None:
    x, out, mask = call.one("X"), call.out("Out"), call.out("Mask")
    assert x is not None and out is not None
    in_training, in_tests = _factors(call)
    layout = placed(builder.frame, out.shape, out.shape)
    parts = builder.read(x, layout)
    if call.attrs["is_test"]:
        builder.write(out, layout, [make("*", part, in_tests) for part in parts])
        return
    kept, zero = builder.draw(call, layout, int(hashed.threshold(call.attrs["dropout_prob"]))), number(0)
    builder.write(out, layout, per_part([kept, parts], lambda k, a: make("if", k, make("*", a, in_training), zero)))
    if mask is not None:
        builder.write(mask, layout, [make("if", part, number(1), zero) for part in kept])


def _dropout_gradient_frame(call: Call) -> Frame | None:
    mask = call.one("Mask")
    fit = call.attrs["is_test"] or (mask is not None and mask.dtype is not None and mask.dtype.itemsize == 1)
    return plain_frame(call.one("Out@GRAD")) if fit and call.out("X@GRAD") is not None else None


def _build_dropout_gradient(call: Call, builder: Builder) -> None:
    d, mask, dx = call.one("Out@GRAD"), call.one("Mask"), call.out("X@GRAD")
    assert d is not None and dx is not None
    in_training, in_tests = _factors(call)
    layout = placed(builder.frame, d.shape, d.shape)
    parts = builder.read(d, layout)
    if call.attrs["is_test"]:
        made = [make("*", part, in_tests) for part in parts]
    else:
        assert mask is not None
        masks = builder.read(mask, layout)
        made = per_part([parts, masks], lambda a, m: expression("a * m * k", a=a, m=m, k=in_training))
    builder.write(dx, layout, made)


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
    lod=lambda lods, ins, outs, attrs: (lods[0], None),
    flops=_dropout_flops,
    fresh=True,
    view=Identity(_keeps_everything),
    fuses=Rule(_dropout_frame, _build_dropout, keyed=_keyed_dropout),
    training=lambda attrs: not attrs["is_test"],
    self_adjoint=True,
)
class dropout(Declaration):
    """Out = X with elements set to 0 at random; Mask says which were kept.

    "downgrade_in_infer" keeps the others as they are and multiplies by 1 - p in tests; "upscale_in_train" divides them
    by 1 - p and changes nothing in tests.
    """

    def infer(X, Seed, *, dropout_prob, is_test, dropout_implementation, **_):
        if X.dtype.kind != "f":
            raise DtypeError(message("dropout", "Input(X)", f"dtype {X.dtype}", "float32 or float64"))
        if Seed is not None:
            require_one_integer("dropout", "Seed", Seed)
        dropout_factors(dropout_prob, dropout_implementation)
        return X, None if is_test else Meta(X.shape, to_numpy("uint8"))

    def reference(xp, X, Seed, *, dropout_prob, is_test, fix_seed, seed, dropout_implementation):
        in_training, in_tests = dropout_factors(dropout_prob, dropout_implementation)
        if is_test:
            return X * xp.asarray(in_tests, dtype=X.dtype), None
        seed = 0 if Seed is None and not fix_seed else (Seed.item() if Seed is not None else seed) or ZERO
        mask = xp.asarray(draw.dropout_mask(X.shape, dropout_prob, seed))
        return X * mask.astype(X.dtype) / xp.asarray(in_training, dtype=X.dtype), mask

    def gradient(xp, Mask, dOut, *, dropout_prob, is_test, dropout_implementation):
        in_training, in_tests = dropout_factors(dropout_prob, dropout_implementation)
        if is_test:
            return dOut * xp.asarray(in_tests, dtype=dOut.dtype)
        return dOut * Mask.astype(dOut.dtype) / xp.asarray(in_training, dtype=dOut.dtype)

    grad = Grad(
        "Mask Out@GRAD",
        "X@GRAD",
        gradient,
        flops=PerElement(1, "Out@GRAD"),
        fuses=Rule(_dropout_gradient_frame, _build_dropout_gradient),
    )


def dropout_factors(p: float, implementation: str) -> tuple[float, float]:
    """Return (what the kept elements are divided by in training, what all are multiplied by in tests)."""
    if not 0 <= p <= 1:
        raise ArgumentValueError(message("dropout", "attribute 'dropout_prob'", p, "0 to 1"))
    if implementation == "downgrade_in_infer":
        return 1.0, 1.0 - p
    if implementation == "upscale_in_train":
        return 1.0 - p or 1.0, 1.0
    needs = '"downgrade_in_infer" or "upscale_in_train"'
    raise ArgumentValueError(message("dropout", "attribute 'dropout_implementation'", repr(implementation), needs))
