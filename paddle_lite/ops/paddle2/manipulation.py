"""Operators newer than PaddlePaddle 1.8.5, which models of its later versions contain.

Slots, attributes and results are those of PaddlePaddle 2.6.2.
"""

from __future__ import annotations

import sys
from math import prod

import numpy as np

from ...core.errors import ArgumentValueError, ShapeError, message
from ..control.printing import tensor_text
from ..framework.costs import MATMUL, PerElement
from ..framework.pointwise import pointwise
from ..framework.spec import Declaration, Grad, Ints, Long, op
from ..math.arithmetic import need_kind
from ..math.elementwise import same_dtype
from ..shape.shape import forth
from ..support.matmul_shapes import as_matrix
from ..support.meta import Meta
from ..support.require import require_dtype
from ..support.scalar_inputs import require_one_integer
from ..support.shape_rules import UNKNOWN, axis_of, remember, remembered, requested, requested_if_known

silu = pointwise(
    "silu",
    "x * sigmoid(x)",
    grad="dout * sigmoid(x) * (1 + x * (1 - sigmoid(x)))",
    common={},
    doc="Out = X / (1 + exp(-X)).",
    activation=False,
)


# --- products -------------------------------------------------------------------------------------------------------------


def broadcast_dims(where, x, y):
    """Return the broadcast shape of two shapes."""
    rank = max(len(x), len(y))
    dims = []
    for a, b in zip((1,) * (rank - len(x)) + x, (1,) * (rank - len(y)) + y, strict=True):
        if a != b and 1 not in (a, b) and UNKNOWN not in (a, b):
            raise ShapeError(message(where, "Input(Y)", f"batches {list(y)}", f"ones that fit those of X, {list(x)}"))
        dims.append(b if a == 1 else a if b in (1, UNKNOWN) else b)
    return tuple(dims)


def summed_to(xp, array, shape):
    """Return the gradient of a broadcast: sums over the axes along which `shape` was repeated."""
    more = array.ndim - len(shape)
    array = array.sum(axis=tuple(range(more))) if more else array
    ones = tuple(i for i, n in enumerate(shape) if n == 1 and array.shape[i] != 1)
    return array.sum(axis=ones, keepdims=True) if ones else array


def as_matrices(x, y, trans_x, trans_y):
    """Return the shapes of the matrices that are multiplied: a vector is a row on the left, a column on the right."""
    a = (1, *x) if len(x) == 1 else (*x[:-2], x[-1], x[-2]) if trans_x else x
    b = (*y, 1) if len(y) == 1 else (*y[:-2], y[-1], y[-2]) if trans_y else y
    return a, b


def turned(array, transposed, left):
    """Reshape an array to a stack of matrices of those shapes."""
    if array.ndim == 1:
        return array[None, :] if left else array[:, None]
    return array.swapaxes(-1, -2) if transposed else array


def require_numbers(X, Y):
    same_dtype("matmul_v2", X, Y)
    need_kind("matmul_v2", X, "fi", "a float or int dtype")


@op("matmul_v2", inputs="X Y", outputs="Out", attrs={"trans_x": False, "trans_y": False}, flops=MATMUL, captured=True)
class matmul_v2(Declaration):
    """Out = X @ Y of vectors, matrices or batches of matrices, which are broadcast."""

    def infer(X, Y, *, trans_x, trans_y):
        require_numbers(X, Y)
        for slot, meta in (("X", X), ("Y", Y)):
            if not meta.shape:
                raise ShapeError(message("matmul_v2", f"Input({slot})", "rank 0", "1 dimension or more"))
        a, b = as_matrices(tuple(X.shape), tuple(Y.shape), trans_x, trans_y)
        if a[-1] != b[-2] and UNKNOWN not in (a[-1], b[-2]):
            needs = f"{a[-1]}, the number of columns of X (X has shape {list(X.shape)}, Y {list(Y.shape)})"
            raise ShapeError(message("matmul_v2", "Input(Y)", f"{b[-2]} rows", needs))
        rows = () if len(X.shape) == 1 else (a[-2],)
        columns = () if len(Y.shape) == 1 else (b[-1],)
        return Meta((*broadcast_dims("matmul_v2", a[:-2], b[:-2]), *rows, *columns), X.dtype, X.lod_level)

    def reference(xp, X, Y, *, trans_x, trans_y):
        out = xp.matmul(turned(X, trans_x, True), turned(Y, trans_y, False))
        shape = list(out.shape)
        if Y.ndim == 1:
            del shape[-1]
        if X.ndim == 1:
            del shape[-1 if Y.ndim == 1 else -2]
        return out.reshape(shape)

    def gradient(xp, X, Y, dOut, *, trans_x, trans_y):
        x, y = turned(X, trans_x, True), turned(Y, trans_y, False)
        batch = np.broadcast_shapes(x.shape[:-2], y.shape[:-2])
        dout = dOut.reshape((*batch, x.shape[-2], y.shape[-1]))
        dx = summed_to(xp, xp.matmul(dout, y.swapaxes(-1, -2)), x.shape)
        dy = summed_to(xp, xp.matmul(x.swapaxes(-1, -2), dout), y.shape)
        dx = dx.swapaxes(-1, -2) if trans_x and X.ndim > 1 else dx
        dy = dy.swapaxes(-1, -2) if trans_y and Y.ndim > 1 else dy
        return xp.ascontiguousarray(dx).reshape(X.shape), xp.ascontiguousarray(dy).reshape(Y.shape)

    grad = Grad("X Y Out@GRAD", "X@GRAD Y@GRAD", gradient)


# --- shapes ---------------------------------------------------------------------------------------------------------------


def flat(shape, start_axis, stop_axis):
    """Return the shape with the axes from `start_axis` to `stop_axis` merged into one."""
    where, rank = "flatten_contiguous_range", len(shape)
    if not rank:
        return (1,)
    start, stop = axis_of(where, start_axis, rank, "start_axis"), axis_of(where, stop_axis, rank, "stop_axis")
    if start > stop:
        raise ShapeError(message(where, "attribute 'stop_axis'", stop_axis, f"{start} or more, the start_axis"))
    part = shape[start : stop + 1]
    return (*shape[:start], UNKNOWN if UNKNOWN in part else prod(part), *shape[stop + 1 :])


def unflattened(xp, XShape, dOut):
    return dOut.reshape(XShape.shape[1:])


@op(
    "flatten_contiguous_range", inputs="X", outputs="Out XShape~", attrs={"start_axis": 1, "stop_axis": 1}, lod=None, flops=0
)  # fmt: skip
class flatten_contiguous_range(Declaration):
    """Flatten the axes of X from `start_axis` to `stop_axis` into one."""

    def infer(X, *, start_axis, stop_axis):
        return Meta(flat(tuple(X.shape), start_axis, stop_axis), X.dtype), remembered(X)

    def reference(xp, X, *, start_axis, stop_axis):
        return X.reshape(flat(X.shape, start_axis, stop_axis)), remember(xp, X)

    grad = Grad(
        "XShape Out@GRAD", "X@GRAD", unflattened, grad=Grad("Out@GRAD# X@GRAD@GRAD", "Out@GRAD@GRAD", forth)
    )  # fmt: skip


def tiled(dims, times):
    """Return (dims, times) of the same length, with ones before the shorter."""
    rank = max(len(dims), len(times))
    return (1,) * (rank - len(dims)) + tuple(dims), (1,) * (rank - len(times)) + tuple(times)


def times_of(times):
    if any(n is not None and n < 1 for n in times):
        raise ShapeError(message("tile", "attribute 'repeat_times'", list(times), "numbers of at least 1"))
    return tuple(times)


@op(
    "tile",
    inputs="X RepeatTimes? repeat_times_tensor*?",
    outputs="Out",
    attrs={"repeat_times": Ints([])},
    lod=None,
    flops=0,
)
class tile(Declaration):
    """Repeat X `repeat_times[i]` times along axis i, counted from the last axis."""

    def infer(X, Times, TimesList, *, repeat_times):
        times = requested_if_known("tile", repeat_times, RepeatTimes=Times, repeat_times_tensor=TimesList)
        dims, times = tiled(X.shape, times_of(times))
        known = [UNKNOWN if t is None or n == UNKNOWN else n * t for n, t in zip(dims, times, strict=True)]
        return Meta(tuple(known), X.dtype)

    def reference(xp, X, Times, TimesList, *, repeat_times):
        return xp.tile(X, times_of(requested(repeat_times, Times, TimesList)))

    def gradient(xp, X, Times, TimesList, dOut, *, repeat_times):
        dims, times = tiled(X.shape, requested(repeat_times, Times, TimesList))
        pairs = [n for pair in zip(times, dims, strict=True) for n in pair]
        return dOut.reshape(pairs).sum(axis=tuple(range(0, len(pairs), 2))).reshape(X.shape)

    grad = Grad("X# RepeatTimes repeat_times_tensor Out@GRAD", "X@GRAD", gradient)


def expanded(where, dims, shape):
    """Return the shape that X is expanded to: -1 copies a size of X; None is one that an input will hold."""
    more = len(shape) - len(dims)
    if more < 0:
        raise ShapeError(message(where, "attribute 'shape'", list(shape), f"at least {len(dims)} sizes, as X has"))
    out = []
    for i, n in enumerate(shape):
        of_x = dims[i - more] if i >= more else 1
        if n is None:
            out.append(UNKNOWN)
            continue
        if (n == -1 and i < more) or n < -1 or (n != -1 and of_x not in (1, n, UNKNOWN)):
            needs = f"sizes of X, {list(dims)}, -1 for them, or others where X has 1"
            raise ShapeError(message(where, "attribute 'shape'", list(shape), needs))
        out.append(of_x if n == -1 else n)
    return tuple(out)


@op(
    "expand_v2",
    inputs="X Shape? expand_shapes_tensor*?",
    outputs="Out",
    attrs={"shape": Ints([])},
    lod=None,
)
class expand_v2(Declaration):
    """Broadcast X to `shape`; -1 keeps a size."""

    def infer(X, Shape, ShapeList, *, shape):
        known = requested_if_known("expand_v2", shape, Shape=Shape, expand_shapes_tensor=ShapeList)
        return Meta(expanded("expand_v2", X.shape, known), X.dtype)

    def reference(xp, X, Shape, ShapeList, *, shape):
        return xp.broadcast_to(X, expanded("expand_v2", X.shape, requested(shape, Shape, ShapeList))).copy()

    def gradient(xp, X, Shape, ShapeList, dOut, *, shape):
        return summed_to(xp, dOut, X.shape)

    grad = Grad("X# Shape expand_shapes_tensor Out@GRAD", "X@GRAD", gradient)


@op("expand_as_v2", inputs="X Y?", outputs="Out", attrs={"target_shape": Ints([])}, lod=None)
class expand_as_v2(Declaration):
    """Broadcast X to the shape of Y, or to `target_shape`."""

    def infer(X, Y, *, target_shape):
        shape = target_shape if Y is None else [None if n == UNKNOWN else n for n in Y.shape]
        return Meta(expanded("expand_as_v2", X.shape, shape), X.dtype)

    def reference(xp, X, Y, *, target_shape):
        return xp.broadcast_to(X, expanded("expand_as_v2", X.shape, target_shape if Y is None else Y.shape)).copy()

    def gradient(xp, X, dOut):
        return summed_to(xp, dOut, X.shape)

    grad = Grad("X# Out@GRAD", "X@GRAD", gradient)


# --- along an axis ----------------------------------------------------------------------------------------------------------


@op("log_softmax", inputs="X", outputs="Out", attrs={"axis": -1}, flops=PerElement(5), captured=True)
class log_softmax(Declaration):
    """Compute Out = X - log(sum of exp(X)) along an axis."""

    def infer(X, *, axis):
        need_kind("log_softmax", X, "f", "a float dtype")
        axis_of("log_softmax", axis, len(X.shape))
        return Meta(tuple(X.shape), X.dtype, X.lod_level)

    def reference(xp, X, *, axis):
        if not X.size:
            return X.copy()
        moved = X - X.max(axis=axis, keepdims=True)
        return moved - xp.log(xp.exp(moved).sum(axis=axis, keepdims=True))

    def gradient(xp, Out, dOut, *, axis):
        return dOut - xp.exp(Out) * dOut.sum(axis=axis, keepdims=True)

    grad = Grad("Out Out@GRAD", "X@GRAD", gradient, flops=PerElement(4, "Out@GRAD"))


@op(
    "top_k_v2",
    inputs="X K?",
    outputs="Out Indices",
    attrs={"k": 1, "axis": -1, "largest": True, "sorted": True},
    lod=None,
)
class top_k_v2(Declaration):
    """Return the k largest (or smallest) elements along an axis in order, and their int64 indices."""

    def infer(X, K, *, k, axis, **_):
        at = axis_of("top_k_v2", axis, len(X.shape))
        if K is not None:
            require_one_integer("top_k_v2", "K", K)
        require_k(k if K is None else 1, X.shape[at])
        shape = (*X.shape[:at], k if K is None else UNKNOWN, *X.shape[at + 1 :])
        return Meta(shape, X.dtype), Meta(shape, np.dtype("int64"))

    def reference(xp, X, K=None, *, k, axis, largest):
        k = k if K is None else K.item()
        require_k(k, X.shape[axis])
        order = xp.argsort(-X if largest else X, axis=axis, kind="stable")
        where = xp.take(order, xp.arange(k), axis).astype("int64", copy=False)
        return xp.take_along_axis(X, where, axis), where

    def gradient(xp, X, Indices, dOut, *, axis):
        where, dout = xp.moveaxis(Indices, axis, -1), xp.moveaxis(dOut, axis, -1)
        dims = (*where.shape[:-1], X.shape[axis])
        dX = xp.zeros((prod(dims[:-1]), dims[-1]), dOut.dtype)
        dX[xp.arange(len(dX))[:, None], as_matrix(where, where.ndim - 1)] = as_matrix(dout, dout.ndim - 1)
        return xp.ascontiguousarray(xp.moveaxis(dX.reshape(dims), -1, axis))

    grad = Grad("X# Indices Out@GRAD", "X@GRAD", gradient)


def require_k(k, size):
    if k < 1 or (size != UNKNOWN and k > size):
        raise ShapeError(message("top_k_v2", "attribute 'k'", k, f"1 to {size}, the size of the axis"))


# --- requirements of a Program --------------------------------------------------------------------------------------------


@op(
    "assert",
    inputs="Cond Data*?",
    outputs="",
    attrs={"summarize": Long(-1)},
    lod=None,
    needs_lod="Data",
    effects="io",
)
class assert_(Declaration):
    """Raise an error and print Data unless Cond, a bool of one element, is True."""

    def infer(Cond, Data, **_):
        require_dtype("assert", "Cond", Cond, np.dtype("bool"))
        if prod(Cond.shape) != 1 and UNKNOWN not in Cond.shape:
            raise ShapeError(message("assert", "Input(Cond)", f"shape {list(Cond.shape)}", "one element"))
        return ()

    def reference(xp, Cond, Data, *, site=None, lod, summarize):
        if Cond.size != 1:
            raise ShapeError(message("assert", "Input(Cond)", f"shape {list(Cond.shape)}", "one element"))
        if bool(Cond.reshape(-1)[0]):
            return ()
        names = site.names if site is not None else (None,) * (1 + len(Data or ()))
        for array, levels, name in zip(Data or (), lod or (), names[1:], strict=False):
            sys.stdout.write(tensor_text(array, levels, name, "", summarize))
        sys.stdout.flush()
        needs = "True: the assertion failed, and what was to be shown with it stands above"
        raise ArgumentValueError(message("assert", f"condition {names[0] or ''}".strip(), "False", needs))
