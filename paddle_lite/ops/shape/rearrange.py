"""Operators that reorder or repeat the elements of an array, independently of their values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.errors import ArgumentValueError, ShapeError, message
from ..framework.spec import Declaration, Grad, Ints, Longs, op
from ..framework.traits import Repeat
from ..support.meta import Meta
from ..support.require import require_dtype
from ..support.shape_rules import UNKNOWN, axis_of, level_if, repeats_of, requested, requested_if_known, rows_kept

# --- backwards, around -----------------------------------------------------------------------------------------------


def axes_of(where: str, axes: Sequence[int], rank: int, name: str = "axis") -> tuple[int, ...]:
    """Return the axes counted from the front; raise if none is named, or one that is not there."""
    if not axes:
        raise ArgumentValueError(message(where, f"attribute '{name}'", "[]", "at least one axis"))
    return tuple(axis_of(where, a, rank, name) for a in axes)


@op("reverse", inputs="X", outputs="Out", attrs={"axis": Ints()}, lod=None, flops=0)
class reverse(Declaration):
    """X with the order of its elements reversed along each given axis."""

    def infer(X, *, axis):
        axes_of("reverse", axis, len(X.shape))
        return X._replace(lod_level=0)

    def reference(xp, X, *, axis):
        return xp.flip(X, tuple(set(axes_of("reverse", axis, X.ndim))))

    grad = Grad("Out@GRAD", "X@GRAD", via="reverse", attrs=lambda a: {"axis": a["axis"]})


@op("flip", inputs="X", outputs="Out", attrs={"dims": Ints()}, flops=0, captured=True)
class flip(Declaration):
    """X with the order of its elements reversed along each given axis, as in the 2.0 API: no axis may occur twice."""

    def infer(X, *, dims):
        axes = axes_of("flip", dims, len(X.shape), "dims")
        if len(set(axes)) < len(axes):
            raise ArgumentValueError(message("flip", "attribute 'dims'", list(dims), "each axis once"))
        return X

    def reference(xp, X, *, dims):
        return xp.flip(X, tuple(dims))

    grad = Grad("Out@GRAD", "X@GRAD", via="flip", attrs=lambda a: {"dims": a["dims"]})


@op("roll", inputs="X", outputs="Out", attrs={"shifts": Longs([]), "dims": Longs([])}, flops=0, captured=True)
class roll(Declaration):
    """X moved by `shifts[i]` places along axis `dims[i]`; elements shifted beyond the end re-enter at the start."""

    def infer(X, *, shifts, dims):
        axes_of("roll", dims, len(X.shape), "dims")
        if len(shifts) != len(dims):
            needs = f"{len(dims)} numbers, one for each of dims"
            raise ArgumentValueError(message("roll", "attribute 'shifts'", list(shifts), needs))
        return X

    def reference(xp, X, *, shifts, dims):
        return xp.roll(X, tuple(shifts), tuple(dims))

    def gradient(xp, X, dOut, *, shifts, dims):
        return xp.roll(dOut, tuple(-s for s in shifts), tuple(dims))

    def double(xp, ddX, *, shifts, dims):
        return xp.roll(ddX, tuple(shifts), tuple(dims))

    grad = Grad("X# Out@GRAD", "X@GRAD", gradient, grad=Grad("X@GRAD@GRAD", "Out@GRAD@GRAD", double))


# --- repeated --------------------------------------------------------------------------------------------------------


TIMES, EXPAND = "ExpandTimes? expand_times_tensor*?", {"expand_times": Ints([])}


@op(
    "expand", inputs=f"X {TIMES}", outputs="Out", attrs=EXPAND, lod=rows_kept, flops=0, algebra=Repeat("expand_times"),
    fed_as="ExpandTimes expand_times_tensor",
)  # fmt: skip
class expand(Declaration):
    """X repeated `expand_times[i]` times along axis i."""

    def infer(X, Times, TimesList, *, expand_times):
        times = requested_if_known("expand", expand_times, ExpandTimes=Times, expand_times_tensor=TimesList)
        times = repeats_of(len(X.shape), times)
        dims = [UNKNOWN if t is None or n == UNKNOWN else n * t for n, t in zip(X.shape, times, strict=True)]
        return Meta(tuple(dims), X.dtype, level_if(times[0] == 1, X))

    def reference(xp, X, Times, TimesList, *, expand_times):
        return xp.tile(X, repeats_of(X.ndim, requested(expand_times, Times, TimesList)))

    def gradient(xp, X, Times, TimesList, dOut, *, expand_times):
        times = requested(expand_times, Times, TimesList)
        pairs = [n for pair in zip(times, X.shape, strict=True) for n in pair]
        return dOut.reshape(pairs).sum(axis=tuple(range(0, len(pairs), 2)))

    def double(xp, Times, TimesList, ddX, *, expand_times):
        return xp.tile(ddX, requested(expand_times, Times, TimesList))

    grad = Grad(f"X# {TIMES} Out@GRAD", "X@GRAD", gradient,
                grad=Grad(f"{TIMES} X@GRAD@GRAD", "Out@GRAD@GRAD", double))  # fmt: skip


def times_into(dims: Sequence[int], target: Sequence[int]) -> list[int]:
    """Return the quotients of the target's dimensions and X's; raise if there is a remainder."""
    fits = len(dims) == len(target) and all(
        UNKNOWN in (m, n) or (n and m % n == 0) for m, n in zip(target, dims, strict=True)
    )
    if not fits:
        needs = f"multiples of the dimensions of X {list(dims)}"
        raise ShapeError(message("expand_as", "Input(target_tensor)", f"shape {list(target)}", needs))
    return [m // n for m, n in zip(target, dims, strict=True)]


@op("expand_as", inputs="X target_tensor", outputs="Out", lod=None, flops=0, captured=True)
class expand_as(Declaration):
    """X repeated along each axis until it has the shape of the target."""

    def infer(X, target_tensor):
        require_dtype("expand_as", "target_tensor", target_tensor, X.dtype)
        times_into(X.shape, target_tensor.shape)
        return Meta(target_tensor.shape, X.dtype)

    def reference(xp, X, target_tensor):
        return xp.tile(X, times_into(X.shape, target_tensor.shape))

    def gradient(xp, X, Target, dOut):
        pairs = [n for pair in zip(times_into(X.shape, dOut.shape), X.shape, strict=True) for n in pair]
        return dOut.reshape(pairs).sum(axis=tuple(range(0, len(pairs), 2)))

    grad = Grad("X# target_tensor# Out@GRAD", "X@GRAD", gradient)


def require_vectors(X: Sequence[Any]) -> None:
    """Raise unless there are at least two vectors, all of one dtype."""
    if len(X) < 2:
        raise ArgumentValueError(message("meshgrid", "Input(X)", f"{len(X)} array", "at least two"))
    for i, x in enumerate(X):
        if len(x.shape) != 1:
            raise ShapeError(message("meshgrid", f"Input(X)[{i}]", f"shape {list(x.shape)}", "shape [n]"))
        require_dtype("meshgrid", "X", x, X[0].dtype)


@op("meshgrid", inputs="X*", outputs="Out*", lod=None, flops=0)
class meshgrid(Declaration):
    """Out[i][j0, j1, ...] = X[i][ji]: the coordinates of a grid."""

    def infer(X):
        require_vectors(X)
        shape = tuple(m.shape[0] for m in X)
        return ([Meta(shape, m.dtype) for m in X],)

    def reference(xp, X):
        return list(xp.meshgrid(*X, indexing="ij"))

    def gradient(xp, X, dOut):
        return [d.sum(axis=tuple(a for a in range(d.ndim) if a != i)) for i, d in enumerate(dOut)]

    grad = Grad("X# Out@GRAD", "X@GRAD", gradient)


# --- taken apart -----------------------------------------------------------------------------------------------------


def lod_of_unbind(lods, ins, outs, attrs):
    """Return the LoD of X, or None if the rows are taken apart."""
    return (None if attrs["axis"] % ins[0].ndim == 0 else lods[0],)


@op("unbind", inputs="X", outputs="Out*", attrs={"axis": 0}, lod=lod_of_unbind, flops=0)
class unbind(Declaration):
    """The slices of X along an axis, without that axis."""

    def infer(X, *, axis):
        axis = axis_of("unbind", axis, len(X.shape))
        if X.shape[axis] == UNKNOWN:
            needs = "an axis whose size is known: there is one result for each of its elements"
            raise ShapeError(message("unbind", "attribute 'axis'", axis, needs))
        one = Meta((*X.shape[:axis], *X.shape[axis + 1 :]), X.dtype, level_if(axis != 0, X))
        return ([one] * X.shape[axis],)

    def reference(xp, X, *, axis):
        first = xp.moveaxis(X, axis_of("unbind", axis, X.ndim), 0)
        return [first[i, ...] for i in range(len(first))]

    grad = Grad("Out@GRAD", "X@GRAD", via="stack", attrs=lambda a: {"axis": a["axis"]})


@op("diag", inputs="Diagonal", outputs="Out", lod=None, flops=0, stopped="Out")
class diag(Declaration):
    """A square matrix with these numbers on its diagonal, else zeros."""

    def infer(Diagonal):
        if len(Diagonal.shape) != 1:
            raise ShapeError(message("diag", "Input(Diagonal)", f"shape {list(Diagonal.shape)}", "shape [n]"))
        return Meta(Diagonal.shape * 2, Diagonal.dtype)

    def reference(xp, Diagonal):
        return xp.diag(Diagonal)


def embedded(where: str, dims: Sequence[int], offset: int, dim1: int, dim2: int) -> tuple[list[int], int, int]:
    """Return the shape with the last axis made a diagonal of axes dim1 and dim2; these, counted from the front."""
    rank = len(dims) + 1
    first, second = axis_of(where, dim1, rank, "dim1"), axis_of(where, dim2, rank, "dim2")
    if first == second:
        raise ArgumentValueError(message(where, "attributes 'dim1' and 'dim2'", (dim1, dim2), "two axes that differ"))
    if not dims:
        raise ShapeError(message(where, "Input(Input)", "shape []", "rank 1 or more"))
    size = UNKNOWN if dims[-1] == UNKNOWN else dims[-1] + abs(offset)
    out = list(dims[:-1])
    for axis in sorted((first, second)):
        out.insert(axis, size)
    return out, first, second


@op(
    "diag_embed",
    inputs="Input",
    outputs="Out",
    attrs={"offset": 0, "dim1": -2, "dim2": -1},
    lod=None,
    flops=0,
    stopped="Out",
)
class diag_embed(Declaration):
    """Each row along the last axis as a diagonal of a square matrix, which stands in axes dim1 and dim2 of the result.

    The diagonal lies `offset` places above the main one, or below it where that is negative.
    """

    def infer(Input, *, offset, dim1, dim2):
        return Meta(tuple(embedded("diag_embed", Input.shape, offset, dim1, dim2)[0]), Input.dtype)

    def reference(xp, Input, *, offset, dim1, dim2):
        shape, first, second = embedded("diag_embed", Input.shape, offset, dim1, dim2)
        out = xp.zeros(shape, Input.dtype)
        places = xp.arange(Input.shape[-1])
        xp.moveaxis(out, (first, second), (-2, -1))[..., places + max(-offset, 0), places + max(offset, 0)] = Input
        return out
