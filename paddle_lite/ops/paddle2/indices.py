"""Operators newer than PaddlePaddle 1.8.5 with indices: written along an axis, counted, searched for, and made.

Slots, attributes and results are those of PaddlePaddle 2.6.2.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from ...core.dtype import VarType, to_numpy
from ...core.errors import ArgumentValueError, ShapeError, message
from ...core.indexed import add_at, write_at
from ..framework.spec import Declaration, Grad, Ints, Longs, OpDef, Required, op
from ..math.arithmetic import need_kind
from ..math.elementwise import same_dtype
from ..support.meta import Meta
from ..support.require import shapes_match
from ..support.scalar_inputs import require_integer_numbers
from ..support.shape_rules import UNKNOWN, axis_of, requested, requested_if_known
from .manipulation import broadcast_dims, summed_to
from .places import along, require_index

INT64, INT32 = np.dtype("int64"), np.dtype("int32")


def require_places(where: str, Index: Any, extent: int, what: str) -> None:
    """Raise unless all indices are places of an axis."""
    if Index.size and not (0 <= int(Index.min()) and int(Index.max()) < extent):
        got = f"{int(Index.min())} to {int(Index.max())}"
        raise ArgumentValueError(message(where, "Input(Index)", got, f"0 to {extent - 1}, places of {what}"))


# --- written along an axis ----------------------------------------------------------------------------------------------------


@op(
    "put_along_axis",
    inputs="Input Index Value",
    outputs="Result",
    attrs={"Axis": Required("INT"), "Reduce": "assign", "Include_self": True},
    lod=None,
)
class put_along_axis(Declaration):
    """Write Value to the element Index[..., i, ...] along an axis of Input for each place of Index, or add or multiply it."""

    def infer(Input, Index, Value, *, Axis, Reduce, Include_self):
        axis = axis_of("put_along_axis", Axis, len(Input.shape), "Axis")
        require_integer_numbers("put_along_axis", "Index", Index)
        same_dtype("put_along_axis", Input, Value, "Value")
        require_index("put_along_axis", Input, Index, axis)
        if not shapes_match(Value.shape, Index.shape):
            needs = f"{list(Index.shape)}, the shape of Index"
            raise ShapeError(message("put_along_axis", "Input(Value)", f"shape {list(Value.shape)}", needs))
        if Reduce not in ("assign", "add", "mul", "multiply") or not Include_self:
            got = f"{Reduce!r}, Include_self={Include_self}"
            needs = "'assign', 'add' or 'multiply', with Include_self"
            raise ArgumentValueError(message("put_along_axis", "attribute 'Reduce'", got, needs))
        return Meta(tuple(Input.shape), Input.dtype)

    def reference(xp, Input, Index, Value, *, Axis, Reduce, Include_self):
        axis, out = Axis % Input.ndim, Input.copy()
        require_places("put_along_axis", Index, Input.shape[axis], f"axis {axis}")
        where, value = along(xp, Index, axis), Value
        if Reduce == "assign":
            write_at(xp, out, where, value)
        elif Reduce == "add":
            add_at(xp, out, where, value)
        else:
            for i in range(Index.shape[axis]):  # the places of one i are different ones
                one = xp.take(Index, xp.asarray([i]), axis=axis)
                out[along(xp, one, axis)] *= xp.take(value, xp.asarray([i]), axis=axis)
        return out

    def gradient(xp, Input, Index, Value, Result, dResult, *, Axis, Reduce, need=(True, True)):
        axis = Axis % dResult.ndim
        where = along(xp, Index, axis)
        dinput, dvalue = dResult.copy(), dResult[where]
        if Reduce == "assign":
            dinput[where] = 0
        elif Reduce != "add":
            dinput = dResult * xp.where(Input == 0, 1, Result / xp.where(Input == 0, 1, Input))
            dvalue = (dResult * Result)[where] / Value
        return (
            dinput.astype(dResult.dtype) if need[0] else None,
            dvalue.astype(dResult.dtype) if need[1] else None,
        )

    grad = Grad("Input Index Value Result Result@GRAD", "Input@GRAD Value@GRAD", gradient)


@op("index_add", inputs="X Index AddValue", outputs="Out", attrs={"axis": 0}, lod=None)
class index_add(Declaration):
    """Add AddValue to the elements of X at the places Index [n] of an axis; a place that occurs twice gets both."""

    def infer(X, Index, AddValue, *, axis):
        at = axis_of("index_add", axis, len(X.shape))
        require_integer_numbers("index_add", "Index", Index)
        same_dtype("index_add", X, AddValue, "AddValue")
        wanted = (*X.shape[:at], *Index.shape, *X.shape[at + 1 :])
        if len(wanted) != len(AddValue.shape) or any(
            n != m and UNKNOWN not in (n, m) for n, m in zip(wanted, AddValue.shape, strict=True)
        ):
            got = f"shape {list(AddValue.shape)}"
            raise ShapeError(
                message("index_add", "Input(AddValue)", got, f"{list(wanted)}, X at {list(Index.shape)} places")
            )
        return Meta(tuple(X.shape), X.dtype)

    def reference(xp, X, Index, AddValue, *, axis):
        axis %= X.ndim
        require_places("index_add", Index, X.shape[axis], f"axis {axis}")
        out = X.copy()
        add_at(xp, xp.moveaxis(out, axis, 0), Index, xp.moveaxis(AddValue, axis, 0))
        return out

    def gradient(xp, Index, dOut, *, axis):
        return xp.ascontiguousarray(xp.take(dOut, Index, axis=axis)), dOut.copy()

    grad = Grad("Index Out@GRAD", "AddValue@GRAD X@GRAD", gradient)


@op("repeat_interleave", inputs="X RepeatsTensor?", outputs="Out", attrs={"Repeats": 0, "dim": 0}, lod=None, flops=0)
class repeat_interleave(Declaration):
    """Repeat each element along an axis: Repeats times, or each as often as RepeatsTensor says."""

    def infer(X, RepeatsTensor, *, Repeats, dim):
        axis, shape = axis_of("repeat_interleave", dim, len(X.shape), "dim"), list(X.shape)
        if RepeatsTensor is not None:
            require_integer_numbers("repeat_interleave", "RepeatsTensor", RepeatsTensor)
            if RepeatsTensor.shape not in ((UNKNOWN,), (shape[axis],)) and shape[axis] != UNKNOWN:
                got = f"shape {list(RepeatsTensor.shape)}"
                needs = f"[{shape[axis]}], a number for each element"
                raise ShapeError(message("repeat_interleave", "Input(RepeatsTensor)", got, needs))
            shape[axis] = UNKNOWN
        elif Repeats < 1:
            raise ArgumentValueError(message("repeat_interleave", "attribute 'Repeats'", Repeats, "1 or more"))
        elif shape[axis] != UNKNOWN:
            shape[axis] *= Repeats
        return Meta(tuple(shape), X.dtype)

    def reference(xp, X, RepeatsTensor, *, Repeats, dim):
        return xp.repeat(X, Repeats if RepeatsTensor is None else RepeatsTensor.tolist(), axis=dim)

    def gradient(xp, X, RepeatsTensor, dOut, *, Repeats, dim):
        times = [Repeats] * X.shape[dim] if RepeatsTensor is None else RepeatsTensor.tolist()
        from_row, dx = xp.repeat(xp.arange(len(times)), times), xp.zeros(X.shape, dOut.dtype)
        add_at(xp, xp.moveaxis(dx, dim, 0), from_row, xp.moveaxis(dOut, dim, 0))
        return dx

    grad = Grad("X# RepeatsTensor Out@GRAD", "X@GRAD", gradient)


# --- searched for and counted -------------------------------------------------------------------------------------------------


@op("searchsorted", inputs="SortedSequence Values", outputs="Out", attrs={"out_int32": False, "right": False}, lod=None)
class searchsorted(Declaration):
    """Return where each of Values belongs into sorted numbers: one row of them for all, or a row for each row of Values."""

    def infer(SortedSequence, Values, *, out_int32, **_):
        need_kind("searchsorted", SortedSequence, "fi", "a float or integer dtype", "SortedSequence")
        same_dtype("searchsorted", SortedSequence, Values, "Values")
        rows = SortedSequence.shape[:-1]
        if rows and any(n != m and UNKNOWN not in (n, m) for n, m in zip(rows, Values.shape[:-1], strict=False)):
            needs = f"the rows of SortedSequence, {list(rows)}"
            raise ShapeError(message("searchsorted", "Input(Values)", f"shape {list(Values.shape)}", needs))
        if rows and len(rows) != len(Values.shape) - 1:
            needs = f"{len(rows) + 1} dimensions, as SortedSequence has"
            raise ShapeError(message("searchsorted", "Input(Values)", f"shape {list(Values.shape)}", needs))
        return Meta(tuple(Values.shape), INT32 if out_int32 else INT64)

    def reference(xp, SortedSequence, Values, *, out_int32, right):
        side, dtype = "right" if right else "left", "int32" if out_int32 else "int64"
        if SortedSequence.ndim == 1:
            return xp.searchsorted(SortedSequence, Values, side=side).astype(dtype)
        count = int(np.prod(Values.shape[:-1]))
        rows = SortedSequence.reshape(count, SortedSequence.shape[-1])
        values = Values.reshape(count, Values.shape[-1])
        out = xp.empty(values.shape, dtype)
        for i, row in enumerate(rows):
            out[i] = xp.searchsorted(row, values[i], side=side)
        return out.reshape(Values.shape)


@op("bincount", inputs="X Weights?", outputs="Out", attrs={"minlength": 0}, lod=None)
class bincount(Declaration):
    """Count how often each number from 0 on occurs in X [n], or sum the Weights of its places."""

    def infer(X, Weights, **_):
        require_integer_numbers("bincount", "X", X)
        if len(X.shape) != 1:
            raise ShapeError(message("bincount", "Input(X)", f"shape {list(X.shape)}", "one dimension"))
        if Weights is None:
            return Meta((UNKNOWN,), INT64)
        if tuple(Weights.shape) != tuple(X.shape) and UNKNOWN not in (*Weights.shape, *X.shape):
            raise ShapeError(
                message("bincount", "Input(Weights)", f"shape {list(Weights.shape)}", f"{list(X.shape)}, as X")
            )
        return Meta((UNKNOWN,), Weights.dtype if Weights.dtype.kind == "f" else np.dtype("float64"))

    def reference(xp, X, Weights, *, minlength):
        if X.size and int(X.min()) < 0:
            raise ArgumentValueError(message("bincount", "Input(X)", int(X.min()), "numbers from 0 on"))
        dtype = INT64 if Weights is None else Weights.dtype if Weights.dtype.kind == "f" else "float64"
        return xp.bincount(X, Weights, minlength).astype(dtype)


@op(
    "unique_consecutive",
    inputs="X",
    outputs="Out Index? Counts?",
    attrs={"return_inverse": False, "return_counts": False, "axis": Ints([]), "dtype": int(VarType.FP32)},
    lod=None,
)
class unique_consecutive(Declaration):
    """Return X without elements (or rows along an axis) that are equal to the one before, where each went, and their number."""

    def infer(X, *, return_inverse, return_counts, axis, dtype):
        number = to_numpy(dtype if dtype in (VarType.INT32, VarType.INT64) else VarType.INT64)
        shape = (UNKNOWN,)
        if len(axis):
            at = axis_of("unique_consecutive", axis[0], len(X.shape))
            shape = (*X.shape[:at], UNKNOWN, *X.shape[at + 1 :])
        index, counts = Meta((UNKNOWN,), number), Meta((UNKNOWN,), number)
        return Meta(shape, X.dtype), index if return_inverse else None, counts if return_counts else None

    def reference(xp, X, *, return_inverse, return_counts, axis, dtype):
        number = to_numpy(dtype if dtype in (VarType.INT32, VarType.INT64) else VarType.INT64)
        rows = xp.moveaxis(X, axis[0], 0) if len(axis) else X.reshape(-1)
        differs = (rows[1:] != rows[:-1]).any(tuple(range(1, rows.ndim)))
        first = xp.concatenate([xp.ones(min(len(rows), 1), bool), differs])
        places = xp.nonzero(first)[0]
        out = xp.ascontiguousarray(xp.moveaxis(rows[places], 0, axis[0]) if len(axis) else rows[places])
        index = (xp.cumsum(first) - 1).astype(number) if return_inverse else None
        counts = xp.diff(xp.concatenate([places, xp.asarray([len(rows)])])).astype(number) if return_counts else None
        return out, index, counts


# --- made ---------------------------------------------------------------------------------------------------------------------


def _triangle(type: str, rows_name: str, columns_name: str, upper: bool, doc: str) -> OpDef:
    """Declare the indices of the elements of a triangle of a matrix."""

    def infer(*, offset, dtype, **size):
        rows, columns = size[rows_name], size[columns_name]
        if min(rows, columns) < 0:
            raise ArgumentValueError(message(type, f"attribute {rows_name!r}", f"{rows}, {columns}", "sizes from 0 on"))
        row, column = np.ogrid[:rows, :columns]
        count = int(((column - row >= offset) if upper else (column - row <= offset)).sum())
        return Meta((2, count), to_numpy(dtype, type))

    def reference(xp, *, offset, dtype, **size):
        rows, columns = xp.arange(size[rows_name])[:, None], xp.arange(size[columns_name])
        inside = columns - rows >= offset if upper else columns - rows <= offset
        return xp.stack(xp.nonzero(inside)).astype(to_numpy(dtype))

    reference.keyword_only = (rows_name, columns_name, "offset", "dtype")  # type: ignore[attr-defined]
    attrs = {rows_name: 0, columns_name: 0, "offset": 0, "dtype": int(VarType.INT64)}
    body = SimpleNamespace(__module__=__name__, __doc__=doc, infer=infer, reference=reference)
    return op(type, inputs="", outputs="out", attrs=attrs, lod=None)(body)


tril_indices = _triangle(
    "tril_indices", "rows", "cols", False, "Return the rows and columns of the elements on and below a diagonal."
)
triu_indices = _triangle(
    "triu_indices", "row", "col", True, "Return the rows and columns of the elements on and above a diagonal."
)


@op("logspace", inputs="Start Stop Num Base", outputs="Out", attrs={"dtype": Required("INT")}, lod=None)
class logspace(Declaration):
    """Return Num powers of Base, with exponents at equal distances from Start to Stop."""

    def infer(Start, Stop, Num, Base, *, dtype):
        require_integer_numbers("logspace", "Num", Num)
        return Meta((UNKNOWN,), to_numpy(dtype, "logspace"))

    def reference(xp, Start, Stop, Num, Base, *, dtype):
        count = int(Num.reshape(-1)[0])
        if count < 1:
            raise ArgumentValueError(message("logspace", "Input(Num)", count, "1 or more"))
        start, stop, base = (float(a.reshape(-1)[0]) for a in (Start, Stop, Base))
        return xp.power(base, xp.linspace(start, stop, count)).astype(to_numpy(dtype))


@op(
    "empty", inputs="ShapeTensor? ShapeTensorList*?", outputs="Out", attrs={"shape": Longs([]), "dtype": int(VarType.FP32)},
    lod=None,
)  # fmt: skip
class empty(Declaration):
    """Make an array. Its elements are zeros here; in Paddle what was in memory."""

    def infer(ShapeTensor, ShapeTensorList, *, shape, dtype):
        known = requested_if_known("empty", shape, ShapeTensor=ShapeTensor, ShapeTensorList=ShapeTensorList)
        if any(n is not None and n < 0 for n in known):
            raise ShapeError(message("empty", "attribute 'shape'", list(shape), "sizes from 0 on"))
        return Meta(tuple(UNKNOWN if n is None else n for n in known), to_numpy(dtype, "empty"))

    def reference(xp, ShapeTensor, ShapeTensorList, *, shape, dtype):
        return xp.zeros([int(n) for n in requested(shape, ShapeTensor, ShapeTensorList)], to_numpy(dtype))


@op("diag_v2", inputs="X", outputs="Out", attrs={"offset": 0, "padding_value": 0.0}, lod=None)
class diag_v2(Declaration):
    """Return the matrix with X [n] on a diagonal and padding_value beside it, or the diagonal of a matrix X."""

    def infer(X, *, offset, **_):
        if len(X.shape) == 1:
            n = UNKNOWN if X.shape[0] == UNKNOWN else X.shape[0] + abs(offset)
            return Meta((n, n), X.dtype)
        if len(X.shape) != 2:
            raise ShapeError(message("diag_v2", "Input(X)", f"shape {list(X.shape)}", "1 or 2 dimensions"))
        rows, columns = X.shape
        count = max(min(rows + min(offset, 0), columns - max(offset, 0)), 0)
        return Meta((UNKNOWN if UNKNOWN in X.shape else count,), X.dtype)

    def reference(xp, X, *, offset, padding_value):
        if X.ndim == 2:
            return xp.diagonal(X, offset).copy()
        size = len(X) + abs(offset)
        out, at = xp.full((size, size), padding_value, X.dtype), xp.arange(len(X))
        out[at - min(offset, 0), at + max(offset, 0)] = X
        return out

    def gradient(xp, X, dOut, *, offset):
        if len(X.shape) == 1:
            return xp.diagonal(dOut, offset).copy()
        dx, at = xp.zeros(X.shape, dOut.dtype), xp.arange(len(dOut))
        dx[at - min(offset, 0), at + max(offset, 0)] = dOut
        return dx

    grad = Grad("X# Out@GRAD", "X@GRAD", gradient)


@op("broadcast_tensors", inputs="X*", outputs="Out*", lod=None)
class broadcast_tensors(Declaration):
    """Broadcast arrays to their common shape."""

    def infer(X):
        shape: tuple = ()
        for meta in X:
            shape = broadcast_dims("broadcast_tensors", shape, tuple(meta.shape))
        return ([Meta(shape, meta.dtype) for meta in X],)

    def reference(xp, X):
        return [each.copy() for each in xp.broadcast_arrays(*X)]

    def gradient(xp, X, dOut):
        return [None if d is None else summed_to(xp, d, x.shape) for x, d in zip(X, dOut, strict=True)]

    grad = Grad("X# Out@GRAD", "X@GRAD", gradient)
