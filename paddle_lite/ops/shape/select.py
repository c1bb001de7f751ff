"""Operators that choose among elements or arrays by conditions and indices, and that turn indices into vectors."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ...core.dtype import to_numpy
from ...core.errors import ArgumentValueError, ShapeError, message
from ...core.indexed import add_at
from ...core.ranges import require_integers, require_range
from ..framework.elements import of_text
from ..framework.spec import Declaration, Grad, Required, op
from ..support.index_tuples import add_to_rows
from ..support.meta import Meta
from ..support.require import require_dtype, require_one_shape, require_shape
from ..support.scalar_inputs import require_one_integer
from ..support.shape_rules import UNKNOWN, axis_of, common_shape, level_if

# --- by conditions ---------------------------------------------------------------------------------------------------


@op(
    "where",
    inputs="Condition X Y",
    outputs="Out",
    lod="X",
    flops=0,
    element=of_text("x1 if x0 else x2", "fiub"),
    captured=True,
)
class where(Declaration):
    """Each element of X where Condition is true, of Y elsewhere; all of one shape."""

    def infer(Condition, X, Y):
        require_dtype("where", "Condition", Condition, "bool")
        require_dtype("where", "Y", Y, X.dtype)
        require_one_shape("where", X=X, Condition=Condition, Y=Y)
        return X

    def reference(xp, Condition, X, Y):
        return xp.where(Condition, X, Y)

    def gradient(xp, Condition, X, Y, dOut, *, need=(True, True)):
        zero = xp.zeros((), dOut.dtype)
        return xp.where(Condition, dOut, zero) if need[0] else None, xp.where(Condition, zero, dOut) if need[
            1
        ] else None

    def double(xp, Condition, ddX, ddY):
        return xp.where(Condition, ddX, ddY)

    grad = Grad("Condition X# Y# Out@GRAD", "X@GRAD Y@GRAD", gradient,
                grad=Grad("Condition X@GRAD@GRAD Y@GRAD@GRAD", "Out@GRAD@GRAD", double))  # fmt: skip


@op("where_index", inputs="Condition", outputs="Out", lod=None)
class where_index(Declaration):
    """The int64 indices of the elements that are not 0 (or are true): one row for each, in the order of the array."""

    def infer(Condition):
        return Meta((UNKNOWN, len(Condition.shape)), np.dtype("int64"))

    def reference(xp, Condition):
        return xp.argwhere(Condition).astype("int64", copy=False)


# --- by indices ------------------------------------------------------------------------------------------------------


@op("index_select", inputs="X Index", outputs="Out", attrs={"dim": 0}, lod=lambda lods, ins, outs, attrs: (
    None if attrs["dim"] % ins[0].ndim == 0 else lods[0],), flops=0, gathers="X")  # fmt: skip
class index_select(Declaration):
    """The slices of X at the positions Index [n] along axis `dim`."""

    def infer(X, Index, *, dim):
        axis = axis_of("index_select", dim, len(X.shape), "dim")
        require_shape("index_select", "Index", Index, (UNKNOWN,), (UNKNOWN, 1))
        require_integers("index_select", "Input(Index)", Index)
        return Meta((*X.shape[:axis], Index.shape[0], *X.shape[axis + 1 :]), X.dtype, level_if(axis != 0, X))

    def reference(xp, X, Index, *, dim):
        axis = axis_of("index_select", dim, X.ndim, "dim")
        require_range("index_select", "Input(Index)", Index, X.shape[axis])
        return xp.take(X, Index.reshape(-1), axis=axis)

    def gradient(xp, X, Index, dOut, *, dim):
        first = xp.moveaxis(dOut, dim, 0)
        dX = xp.zeros((X.shape[dim], *first.shape[1:]), dOut.dtype)
        add_to_rows(xp, dX, Index, first)
        return xp.ascontiguousarray(xp.moveaxis(dX, 0, dim))

    grad = Grad("X# Index Out@GRAD", "X@GRAD", gradient)


@op("index_sample", inputs="X Index", outputs="Out", lod=None)
class index_sample(Declaration):
    """Out[i, j] = X[i, Index[i, j]] of a matrix X: each row has its own indices."""

    def infer(X, Index):
        if len(X.shape) != 2:
            raise ShapeError(message("index_sample", "Input(X)", f"shape {list(X.shape)}", "a matrix"))
        require_shape("index_sample", "Index", Index, (X.shape[0], UNKNOWN))
        require_integers("index_sample", "Input(Index)", Index)
        return Meta(Index.shape, X.dtype)

    def reference(xp, X, Index):
        require_range("index_sample", "Input(Index)", Index, X.shape[1])
        return xp.take_along_axis(X, Index, axis=1)

    def gradient(xp, X, Index, dOut):
        dX = xp.zeros(X.shape, dOut.dtype)
        add_at(xp, dX, (xp.arange(X.shape[0])[:, None], Index), dOut)
        return dX

    grad = Grad("X# Index Out@GRAD", "X@GRAD", gradient)


@op("multiplex", inputs="Ids X*", outputs="Out", lod=None, flops=0)
class multiplex(Declaration):
    """Row i of the result is row i of array Ids[i] of X."""

    def infer(Ids, X):
        if len(X) < 2:
            raise ArgumentValueError(message("multiplex", "Input(X)", f"{len(X)} array", "at least two to choose from"))
        dims = common_shape("multiplex", X)
        if len(dims) < 2:
            raise ShapeError(message("multiplex", "Input(X)", f"shape {dims}", "rank 2 or more"))
        require_dtype("multiplex", "Ids", Ids, "int32")
        require_shape("multiplex", "Ids", Ids, (dims[0], 1))
        return Meta(tuple(dims), X[0].dtype)

    def reference(xp, Ids, X):
        require_range("multiplex", "Input(Ids)", Ids, len(X))
        rows = Ids.reshape(-1)
        out = xp.empty_like(X[0])
        for i, each in enumerate(X):
            out[rows == i] = each[rows == i]
        return out

    def gradient(xp, Ids, dOut, *, need=None):
        count = len(need[0]) if need else int(Ids.max()) + 1
        chosen = Ids.reshape(-1, *(1,) * (dOut.ndim - 1))
        return [xp.where(chosen == i, dOut, xp.zeros((), dOut.dtype)) for i in range(count)]

    grad = Grad("Ids Out@GRAD", "X@GRAD", gradient)


# --- indices as vectors ----------------------------------------------------------------------------------------------

ONE_HOT: dict[str, Any] = {"depth": -1, "dtype": 5, "allow_out_of_range": False}


def depth_of(where: str, depth: int, depth_tensor: Any) -> int:
    """Return the length of each vector; raise unless it is positive."""
    depth = depth if depth_tensor is None else depth_tensor.item()
    if depth < 1:
        raise ArgumentValueError(message(where, "depth", depth, "at least 1"))
    return depth


def infer_one_hot(where: str, shape: tuple[int, ...], X: Meta, depth_tensor: Any, depth: int, dtype: int) -> Meta:
    require_integers(where, "Input(X)", X)
    if depth_tensor is not None:
        require_one_integer(where, "depth_tensor", depth_tensor)
    size = UNKNOWN if depth_tensor is not None else depth_of(where, depth, None)
    return Meta((*shape, size), to_numpy(dtype), X.lod_level)


def hot(xp: Any, where: str, X: Any, depth: int, dtype: int, allow_out_of_range: bool) -> Any:
    """Return a one-hot vector for each index."""
    if not allow_out_of_range:
        require_range(where, "Input(X)", X, depth)
    return (X[..., None] == xp.arange(depth)).astype(to_numpy(dtype))


def without_last(where: str, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape without its last dimension."""
    if len(shape) < 2:
        fix = "Use one_hot_v2 (fluid.one_hot) for other shapes."
        raise ShapeError(message(where, "Input(X)", f"shape {list(shape)}", "shape [..., 1]", fix))
    return shape[:-1]


@op("one_hot", inputs="X depth_tensor?", outputs="Out", attrs=ONE_HOT, flops=0, stopped="Out", fed_as="X depth_tensor")
class one_hot(Declaration):
    """Each index of X [..., 1] as a vector of `depth` elements, 1 at the index and 0 elsewhere: [..., depth].

    An index outside of 0 to depth - 1 is an error, or a vector of zeros if `allow_out_of_range`. Of X with another last
    dimension, as many indices are taken from its start as there are vectors, as PaddlePaddle does.
    """

    def infer(X, depth_tensor, *, depth, dtype, **_):
        return infer_one_hot("one_hot", without_last("one_hot", X.shape), X, depth_tensor, depth, dtype)

    def reference(xp, X, depth_tensor, *, depth, dtype, allow_out_of_range):
        depth = depth_of("one_hot", depth, depth_tensor)
        shape = without_last("one_hot", X.shape)
        return hot(xp, "one_hot", X.reshape(-1)[: prod(shape)].reshape(shape), depth, dtype, allow_out_of_range)


@op("one_hot_v2", inputs="X depth_tensor?", outputs="Out", attrs=ONE_HOT, flops=0, fed_as="X depth_tensor")
class one_hot_v2(Declaration):
    """one_hot of X of any shape: its vectors are a new last dimension."""

    def infer(X, depth_tensor, *, depth, dtype, **_):
        return infer_one_hot("one_hot_v2", X.shape, X, depth_tensor, depth, dtype)

    def reference(xp, X, depth_tensor, *, depth, dtype, allow_out_of_range):
        return hot(xp, "one_hot_v2", X, depth_of("one_hot_v2", depth, depth_tensor), dtype, allow_out_of_range)


@op(
    "shard_index",
    inputs="X",
    outputs="Out",
    attrs={
        "index_num": Required("INT"),
        "nshards": Required("INT"),
        "shard_id": Required("INT"),
        "ignore_value": -1,
    },
)
class shard_index(Declaration):
    """Indices into one of `nshards` equal parts of a table of `index_num` rows; `ignore_value` for those of other parts."""

    def infer(X, *, index_num, nshards, shard_id, **_):
        where = "shard_index"
        for name, value in (("index_num", index_num), ("nshards", nshards)):
            if value < 1:
                raise ArgumentValueError(message(where, f"attribute '{name}'", value, "at least 1"))
        if not 0 <= shard_id < nshards:
            raise ArgumentValueError(message(where, "attribute 'shard_id'", shard_id, f"0 to {nshards - 1}"))
        if len(X.shape) < 2:
            raise ShapeError(message(where, "Input(X)", f"shape {list(X.shape)}", "rank 2 or more, e.g. [N, 1]"))
        require_integers(where, "Input(X)", X)
        return X

    def reference(xp, X, *, index_num, nshards, shard_id, ignore_value):
        require_range("shard_index", "Input(X)", X, index_num)
        size = -(-index_num // nshards)
        return xp.where(X // size == shard_id, X % size, xp.asarray(ignore_value, dtype=X.dtype))
