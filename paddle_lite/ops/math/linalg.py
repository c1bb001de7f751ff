"""Products of vectors and matrices beyond matmul, triangles, traces, inverses and cumulative sums."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.linalg import LinAlgError

from ...core.errors import ArgumentValueError, ShapeError, message
from ..framework.costs import MATMUL, PerElement
from ..framework.double_gradients import bilinear, call
from ..framework.spec import MKLDNN, Declaration, Grad, Required, op
from ..framework.traits import Along
from ..support.broadcasting import unbroadcast
from ..support.matmul_shapes import transpose_matrices
from ..support.meta import Meta
from .arithmetic import attribute_scalar, need_kind
from .elementwise import numbers, same_dtype


def _same_shape(where: str, X: Any, Y: Any) -> None:
    x, y = tuple(X.shape), tuple(Y.shape)
    if len(x) != len(y) or any(m != n and -1 not in (m, n) for m, n in zip(x, y)):
        raise ShapeError(message(where, "Input(Y)", f"shape {list(y)}", f"{list(x)}, the shape of X"))


def _need_rank(where: str, slot: str, array: Any, ranks: tuple[int, ...], what: str) -> None:
    if len(array.shape) not in ranks:
        raise ShapeError(message(where, f"Input({slot})", f"shape {list(array.shape)}", what))


def _known(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the merger of shapes that are equal where both are known."""
    return tuple(max(sizes) for sizes in zip(*shapes))


def axis_of(where: str, shape: tuple[int, ...], axis: int, name: str = "axis") -> int:
    """Return a dimension counted from the front."""
    rank = len(shape)
    if not -rank <= axis < rank:
        needs = f"{-rank} to {rank - 1} for shape {list(shape)}" if rank else "an input of rank 1 or more"
        raise ArgumentValueError(message(where, f"attribute {name!r}", axis, needs))
    return axis % rank


# --- products --------------------------------------------------------------------------------------------------------


def _bmm_shape(X: Any, Y: Any) -> tuple[int, int, int]:
    need_kind("bmm", X, "f", "a float dtype")
    same_dtype("bmm", X, Y)
    for slot, array in (("X", X), ("Y", Y)):
        _need_rank("bmm", slot, array, (3,), "rank 3, [batch, rows, columns]")
    (b, n, k), (c, j, m) = X.shape, Y.shape
    for what, one, other in (("a batch of", b, c), ("rows:", k, j)):
        if one != other and -1 not in (one, other):
            needs = f"{what} {one}, for X of shape {list(X.shape)}"
            raise ShapeError(message("bmm", "Input(Y)", f"shape {list(Y.shape)}", needs))
    return max(b, c), n, m


@op("bmm", inputs="X Y", outputs="Out", flops=MATMUL, captured=True)
class bmm(Declaration):
    """Out[i] = X[i] @ Y[i], for two batches of matrices."""

    def infer(X, Y):
        return Meta(_bmm_shape(X, Y), X.dtype, X.lod_level)

    def reference(xp, X, Y):
        return xp.matmul(X, Y)

    def gradient(xp, X, Y, dOut, *, need=(True, True)):
        return (
            xp.matmul(dOut, transpose_matrices(Y)) if need[0] else None,
            xp.matmul(transpose_matrices(X), dOut) if need[1] else None,
        )

    grad = Grad("X Y Out@GRAD", "X@GRAD Y@GRAD", gradient, grad=bilinear("bmm"))


def _mv_takes(X: Any, Vec: Any) -> None:
    need_kind("mv", X, "f", "a float dtype")
    same_dtype("mv", X, Vec, "Vec")
    _need_rank("mv", "X", X, (2,), "a matrix")
    if len(Vec.shape) != 1 or (Vec.shape[0] != X.shape[1] and -1 not in (Vec.shape[0], X.shape[1])):
        needs = f"[{X.shape[1]}], the columns of X of shape {list(X.shape)}"
        raise ShapeError(message("mv", "Input(Vec)", f"shape {list(Vec.shape)}", needs))


@op("mv", inputs="X Vec", outputs="Out")
class mv(Declaration):
    """Out = X @ Vec, for a matrix and a vector."""

    def infer(X, Vec):
        _mv_takes(X, Vec)
        return Meta((X.shape[0],), X.dtype, X.lod_level)

    def reference(xp, X, Vec):
        return xp.matmul(X, Vec)

    def gradient(xp, X, Vec, dOut, *, need=(True, True)):
        return dOut[:, None] * Vec if need[0] else None, xp.matmul(X.T, dOut) if need[1] else None

    grad = Grad("X Vec Out@GRAD", "X@GRAD Vec@GRAD", gradient)


def _dot_takes(X: Any, Y: Any) -> None:
    numbers("dot", X, Y)
    _need_rank("dot", "X", X, (1, 2), "a vector, or a batch of vectors [N, D]")
    _same_shape("dot", X, Y)


@op("dot", inputs="X Y", outputs="Out", lod=None, flops=PerElement(2), captured=True)
class dot(Declaration):
    """Out = the sum of X * Y: [1] for two vectors, [N, 1] for two batches of them."""

    def infer(X, Y):
        _dot_takes(X, Y)
        return Meta((*_known(X.shape, Y.shape)[:-1], 1), X.dtype)

    def reference(xp, X, Y):
        return (X * Y).sum(axis=-1, keepdims=True, dtype=X.dtype)

    def gradient(xp, X, Y, dOut, *, need=(True, True)):
        return dOut * Y if need[0] else None, dOut * X if need[1] else None

    grad = Grad("X Y Out@GRAD", "X@GRAD Y@GRAD", gradient, grad=bilinear("dot"))


def _interleaved(X: Any, Y: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the shapes [x0, 1, x1, 1, ...] and [1, y0, 1, y1, ...] in which X * Y is the Kronecker product."""
    numbers("kron", X, Y)
    sizes = list(zip_longest(reversed(X.shape), reversed(Y.shape), fillvalue=1))[::-1]
    return tuple(n for x, _ in sizes for n in (x, 1)), tuple(n for _, y in sizes for n in (1, y))


@op("kron", inputs="X Y", outputs="Out", lod=None)
class kron(Declaration):
    """Out = the Kronecker product: each element of X times all of Y; the shorter shape is padded with 1 in front."""

    def infer(X, Y):
        x, y = _interleaved(X, Y)
        return Meta(tuple(-1 if -1 in (m, n) else m * n for m, n in zip(x[::2], y[1::2])), X.dtype)

    def reference(xp, X, Y):
        x, y = _interleaved(X, Y)
        return (X.reshape(x) * Y.reshape(y)).reshape([m * n for m, n in zip(x[::2], y[1::2])])

    def gradient(xp, X, Y, dOut, *, need=(True, True)):
        x, y = _interleaved(X, Y)
        dout = dOut.reshape([max(m, n) if 0 not in (m, n) else 0 for m, n in zip(x, y)])
        odd, even = tuple(range(1, dout.ndim, 2)), tuple(range(0, dout.ndim, 2))
        return (
            (dout * Y.reshape(y)).sum(axis=odd).reshape(X.shape) if need[0] else None,
            (dout * X.reshape(x)).sum(axis=even).reshape(Y.shape) if need[1] else None,
        )

    grad = Grad("X Y Out@GRAD", "X@GRAD Y@GRAD", gradient, grad=bilinear("kron"))


FIRST_OF_THREE = 9  # the default of `dim`, Paddle's largest rank


def _cross_axis(X: Any, Y: Any, dim: int) -> int | None:
    """Return the dimension of the vectors; None if it cannot be determined because sizes are unknown."""
    numbers("cross", X, Y)
    _same_shape("cross", X, Y)
    shape = _known(X.shape, Y.shape)
    if dim == FIRST_OF_THREE:
        if 3 not in shape and -1 not in shape:
            raise ShapeError(message("cross", "Input(X)", f"shape {list(shape)}", "one dimension of size 3"))
        return None if -1 in shape else shape.index(3)
    axis = axis_of("cross", shape, dim, "dim")
    if shape[axis] not in (3, -1):
        needs = "a dimension of size 3"
        raise ShapeError(message("cross", "attribute 'dim'", f"{dim} for shape {list(shape)}", needs))
    return axis


def _cross(xp: Any, X: Any, Y: Any, axis: Any) -> Any:
    (a, b, c), (d, e, f) = xp.moveaxis(X, axis, 0), xp.moveaxis(Y, axis, 0)
    return xp.ascontiguousarray(xp.stack([b * f - c * e, c * d - a * f, a * e - b * d], axis=axis))


@op("cross", inputs="X Y", outputs="Out", attrs={"dim": FIRST_OF_THREE})
class cross(Declaration):
    """Out = the cross product of vectors along `dim`, or along the first dimension of size 3."""

    def infer(X, Y, *, dim):
        _cross_axis(X, Y, dim)
        return Meta(_known(X.shape, Y.shape), X.dtype, X.lod_level)

    def reference(xp, X, Y, *, dim):
        return _cross(xp, X, Y, _cross_axis(X, Y, dim))

    def gradient(xp, X, Y, dOut, *, dim, need=(True, True)):
        axis = _cross_axis(X, Y, dim)
        return _cross(xp, Y, dOut, axis) if need[0] else None, _cross(xp, dOut, X, axis) if need[1] else None

    grad = Grad("X Y Out@GRAD", "X@GRAD Y@GRAD", gradient, grad=bilinear("cross"))


def _addmm_shape(Input: Any, X: Any, Y: Any) -> tuple[int, int]:
    need_kind("addmm", X, "f", "a float dtype")
    same_dtype("addmm", X, Y)
    same_dtype("addmm", X, Input, "Input")
    for slot, array in (("Input", Input), ("X", X), ("Y", Y)):
        _need_rank("addmm", slot, array, (2,), "a matrix")
    (n, k), (j, m) = X.shape, Y.shape
    if k != j and -1 not in (k, j):
        needs = f"{k} rows, for X of shape {list(X.shape)}"
        raise ShapeError(message("addmm", "Input(Y)", f"shape {list(Y.shape)}", needs))
    if any(i not in (1, -1, o) and o != -1 for i, o in zip(Input.shape, (n, m))):
        needs = f"{[n, m]}, the shape of X @ Y, or 1 in place of a size"
        raise ShapeError(message("addmm", "Input(Input)", f"shape {list(Input.shape)}", needs))
    return n, m


@op("addmm", inputs="Input X Y", outputs="Out", attrs={**MKLDNN, "Alpha": 1.0, "Beta": 1.0}, captured=True)
class addmm(Declaration):
    """Out = Alpha * X @ Y + Beta * Input, with Input broadcast to the shape of the product."""

    def infer(Input, X, Y, **_):
        return Meta(_addmm_shape(Input, X, Y), X.dtype, Input.lod_level)

    def reference(xp, Input, X, Y, *, Alpha, Beta):
        alpha, beta = attribute_scalar(Alpha, X.dtype), attribute_scalar(Beta, X.dtype)
        return X.dtype.type(alpha) * xp.matmul(X, Y) + X.dtype.type(beta) * Input

    def gradient(xp, Input, X, Y, dOut, *, Alpha, Beta, need=(True, True, True)):
        scaled = X.dtype.type(attribute_scalar(Alpha, X.dtype)) * dOut
        beta = X.dtype.type(attribute_scalar(Beta, X.dtype))
        return (
            beta * unbroadcast(dOut, Input, dOut, -1) if need[0] else None,
            xp.matmul(scaled, Y.T) if need[1] else None,
            xp.matmul(X.T, scaled) if need[2] else None,
        )

    grad = Grad("Input# X Y Out@GRAD", "Input@GRAD X@GRAD Y@GRAD", gradient)


def _bilinear_takes(X: Any, Y: Any, Weight: Any, Bias: Any) -> None:
    name = "bilinear_tensor_product"
    need_kind(name, X, "f", "a float dtype")
    _need_rank(name, "X", X, (2,), "rank 2, [N, M]")
    _need_rank(name, "Y", Y, (2,), "rank 2, [N, P]")
    (rows, m), p = X.shape, Y.shape[1]
    needed = {"Y": (rows, p), "Weight": (-1, m, p), "Bias": (1, Weight.shape[0] if len(Weight.shape) == 3 else -1)}
    for slot, array in (("Y", Y), ("Weight", Weight), ("Bias", Bias)):
        if array is None:
            continue
        same_dtype(name, X, array, slot)
        shape, needs = tuple(array.shape), needed[slot]
        if len(shape) != len(needs) or any(a != b and -1 not in (a, b) for a, b in zip(shape, needs)):
            shown = str(list(needs)).replace("-1", "any")
            fix = f"X has shape {list(X.shape)}, Y {list(Y.shape)}."
            raise ShapeError(message(name, f"Input({slot})", f"shape {list(shape)}", f"shape {shown}", fix))


@op("bilinear_tensor_product", inputs="X Y Weight Bias?", outputs="Out")
class bilinear_tensor_product(Declaration):
    """Out[n, s] = X[n] @ Weight[s] @ Y[n] + Bias[0, s] (Socher et al., Neural Tensor Networks, 2013)."""

    def infer(X, Y, Weight, Bias):
        _bilinear_takes(X, Y, Weight, Bias)
        return Meta((max(X.shape[0], Y.shape[0]), Weight.shape[0]), X.dtype, X.lod_level)

    def reference(xp, X, Y, Weight, Bias):
        out = (xp.tensordot(X, Weight, axes=([1], [1])) * Y[:, None, :]).sum(axis=2)
        return out if Bias is None else out + Bias

    def gradient(xp, X, Y, Weight, dOut, *, need=(True, True, True, True)):
        dx = dy = dweight = None
        if need[0] or need[1]:
            mixed = xp.tensordot(dOut, Weight, axes=([1], [0]))  # [N, M, P]
            dx = xp.matmul(mixed, Y[:, :, None])[:, :, 0] if need[0] else None
            dy = xp.matmul(X[:, None, :], mixed)[:, 0, :] if need[1] else None
        if need[2]:
            dweight = xp.tensordot(dOut, X[:, :, None] * Y[:, None, :], axes=([0], [0]))
        return dx, dy, dweight, dOut.sum(axis=0, keepdims=True) if need[3] else None

    grad = Grad("X Y Weight Out@GRAD", "X@GRAD Y@GRAD Weight@GRAD Bias@GRAD", gradient)


# --- inverses and factors --------------------------------------------------------------------------------------------


def _square(where: str, slot: str, array: Any) -> None:
    need_kind(where, array, "f", "float32 or float64", slot)
    shape = tuple(array.shape)
    if len(shape) < 2 or (shape[-1] != shape[-2] and -1 not in shape[-2:]):
        needs = "square matrices, [..., n, n]"
        raise ShapeError(message(where, f"Input({slot})", f"shape {list(shape)}", needs))


def _solved(where: str, slot: str, needs: str, solve: Callable, matrices: Any) -> Any:
    """Return `solve` of the matrices; raise if one of them has no solution."""
    try:
        return solve(matrices)
    except LinAlgError as error:
        raise ArgumentValueError(message(where, f"Input({slot})", f"one without solution ({error})", needs)) from None


@op("inverse", inputs="Input", outputs="Output")
class inverse(Declaration):
    """Output = the inverse of each matrix of Input."""

    def infer(Input):
        _square("inverse", "Input", Input)
        n = max(Input.shape[-2:])
        return Meta((*Input.shape[:-2], n, n), Input.dtype, Input.lod_level)

    def reference(xp, Input):
        return _solved("inverse", "Input", "matrices of full rank", xp.linalg.inv, Input)

    def gradient(xp, Output, dOutput):
        turned = transpose_matrices(Output)
        return -xp.matmul(xp.matmul(turned, dOutput), turned)

    grad = Grad("Output Output@GRAD", "Input@GRAD", gradient)


@op("cholesky", inputs="X", outputs="Out", attrs={"upper": False}, lod=None)
class cholesky(Declaration):
    """Out = the triangular L with L @ L.T = X (or U with U.T @ U = X) of each symmetric, positive definite matrix X.

    The gradient is symmetric, as X is (Murray, Differentiation of the Cholesky decomposition, 2016).
    """

    def infer(X, **_):
        _square("cholesky", "X", X)
        n = max(X.shape[-2:])
        return Meta((*X.shape[:-2], n, n), X.dtype)

    def reference(xp, X, *, upper):
        symmetric = (X + transpose_matrices(X)) / 2
        lower = _solved("cholesky", "X", "positive definite matrices", xp.linalg.cholesky, symmetric)
        return xp.ascontiguousarray(transpose_matrices(lower)) if upper else lower

    def gradient(xp, Out, dOut, *, upper):
        lower, dlower = (transpose_matrices(Out), transpose_matrices(dOut)) if upper else (Out, dOut)
        inner = xp.tril(xp.matmul(transpose_matrices(lower), dlower))
        halved = inner * (1 - xp.eye(inner.shape[-1], dtype=inner.dtype) / 2)
        inverted = xp.linalg.inv(lower)
        of_lower = xp.matmul(xp.matmul(transpose_matrices(inverted), halved), inverted)
        return (of_lower + transpose_matrices(of_lower)) / 2

    grad = Grad("Out Out@GRAD", "X@GRAD", gradient)


# --- diagonals and triangles -----------------------------------------------------------------------------------------


def _diagonal_axes(Input: Any, dim1: int, dim2: int) -> tuple[int, int]:
    need_kind("trace", Input, "fiu", "a float or integer dtype", "Input")
    shape = tuple(Input.shape)
    if len(shape) < 2:
        raise ShapeError(message("trace", "Input(Input)", f"shape {list(shape)}", "rank 2 or more"))
    a, b = axis_of("trace", shape, dim1, "dim1"), axis_of("trace", shape, dim2, "dim2")
    if a == b:
        needs = f"another dimension than dim1, {dim1}"
        raise ArgumentValueError(message("trace", "attribute 'dim2'", dim2, needs))
    return min(a, b), max(a, b)


@op("trace", inputs="Input", outputs="Out", attrs={"offset": 0, "dim1": -2, "dim2": -1}, lod=None)
class trace(Declaration):
    """Out = the sum along a diagonal of the matrices over dim1 and dim2; the lesser is the dimension of rows.

    offset: the distance to the right of the main diagonal; negative for a diagonal below it.
    """

    def infer(Input, *, dim1, dim2, **_):
        axes = _diagonal_axes(Input, dim1, dim2)
        return Meta(tuple(n for i, n in enumerate(Input.shape) if i not in axes) or (1,), Input.dtype)

    def reference(xp, Input, *, offset, dim1, dim2):
        a, b = _diagonal_axes(Input, dim1, dim2)
        mask = xp.eye(Input.shape[a], Input.shape[b], k=offset, dtype=Input.dtype)
        total = (xp.moveaxis(Input, (a, b), (-2, -1)) * mask).sum(axis=(-2, -1), dtype=Input.dtype)
        return total if total.ndim else total.reshape(1)

    def gradient(xp, Input, dOut, *, offset, dim1, dim2):
        a, b = _diagonal_axes(Input, dim1, dim2)
        mask = xp.eye(Input.shape[a], Input.shape[b], k=offset, dtype=dOut.dtype)
        rest = tuple(n for i, n in enumerate(Input.shape) if i not in (a, b))
        return xp.ascontiguousarray(xp.moveaxis(dOut.reshape(*rest, 1, 1) * mask, (-2, -1), (a, b)))

    def again(Input, ddInput, **attrs):
        return call("trace", ddInput, **attrs)

    twice = Grad("Input# Input@GRAD@GRAD", "Out@GRAD@GRAD", compose=again)
    grad = Grad("Input# Out@GRAD", "Input@GRAD", gradient, grad=twice)


def _tril_triu_takes(X: Any) -> None:
    need_kind("tril_triu", X, "fiu", "a float or integer dtype")
    if len(X.shape) < 2:
        raise ShapeError(message("tril_triu", "Input(X)", f"shape {list(X.shape)}", "rank 2 or more"))


def _triangle(xp: Any, X: Any, diagonal: int, lower: bool) -> Any:
    return xp.tril(X, diagonal) if lower else xp.triu(X, diagonal)


@op("tril_triu", inputs="X", outputs="Out", attrs={"diagonal": 0, "lower": Required("BOOLEAN")})
class tril_triu(Declaration):
    """Out = X with zeros above (if `lower`) or below the given diagonal of each matrix."""

    def infer(X, **_):
        _tril_triu_takes(X)
        return X

    def reference(xp, X, *, diagonal, lower):
        return _triangle(xp, X, diagonal, lower)

    def gradient(xp, dOut, *, diagonal, lower):
        return _triangle(xp, dOut, diagonal, lower)

    def again(ddX, **attrs):
        return call("tril_triu", ddX, **attrs)

    grad = Grad("Out@GRAD", "X@GRAD", gradient, grad=Grad("X@GRAD@GRAD", "Out@GRAD@GRAD", compose=again))


# --- cumulative sums -------------------------------------------------------------------------------------------------


@op(
    "cumsum",
    inputs="X",
    outputs="Out",
    attrs={"axis": -1, "exclusive": False, "reverse": False},
    flops=PerElement(1),
    along=Along("cumsum", numbers=lambda attrs: (int(attrs["exclusive"]), int(attrs["reverse"]))),
    captured=True,
)
class cumsum(Declaration):
    """Out[i] = X[0] + ... + X[i] along `axis`; exclusive: without X[i]; reverse: from the other end."""

    def infer(X, *, axis, **_):
        need_kind("cumsum", X, "fiu", "a float or integer dtype")
        axis_of("cumsum", X.shape, axis)
        return X

    @np.errstate(over="ignore", invalid="ignore")
    def reference(xp, X, *, axis, exclusive, reverse):
        axis = axis_of("cumsum", X.shape, axis)

        def part(start: Any, stop: Any, step: Any = None) -> tuple:
            return (slice(None),) * axis + (slice(start, stop, step),)

        x = X[part(None, None, -1)] if reverse else X
        if exclusive:
            x = xp.concatenate((xp.zeros_like(x[part(0, 1)]), x[part(None, -1)]), axis=axis)
        out = xp.cumsum(x, axis=axis, dtype=X.dtype)
        return xp.ascontiguousarray(out[part(None, None, -1)]) if reverse else out

    grad = Grad("Out@GRAD", "X@GRAD", via="cumsum", attrs=lambda a: {**a, "reverse": not a["reverse"]})
