"""Some columns of several matrices, side by side or added up."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, ShapeError, message
from ..framework.spec import MKLDNN, Declaration, Grad, op
from ..support.meta import Meta
from ..support.require import require_dtype
from ..support.shape_rules import UNKNOWN

ATTRS: dict[str, Any] = {"start_index": 0, "length": -1}


def _columns(where: str, width: int, start_index: int, length: int) -> slice:
    """Return the columns that the attributes name; raise unless a matrix of this width has them."""
    if not -width <= start_index < width:
        needs = f"{-width} to {width - 1}, for {width} columns"
        raise ArgumentValueError(message(where, "attribute 'start_index'", start_index, needs))
    start = start_index % width
    end = width if length < 0 else start + length
    if not start < end <= width:
        needs = f"1 to {width - start}, or -1, for {width} columns from {start} on"
        raise ArgumentValueError(message(where, "attribute 'length'", length, needs))
    return slice(start, end)


def _taken(where: str, X: Any, start_index: int, length: int) -> tuple[int, int]:
    """Return the numbers of rows and of columns that are taken of each matrix; raise unless the matrices fit."""
    shape = [UNKNOWN, UNKNOWN]
    for i, x in enumerate(X):
        require_dtype(where, f"X[{i}]", x, X[0].dtype)
        if len(x.shape) != 2 or any(UNKNOWN not in (n, m) and n != m for n, m in zip(x.shape, shape, strict=True)):
            needs = "[rows, columns]" if i == 0 else f"{list(X[0].shape)}, as X[0] has"
            raise ShapeError(message(where, f"Input(X[{i}])", f"shape {list(x.shape)}", needs))
        shape = [n if m == UNKNOWN else m for n, m in zip(x.shape, shape, strict=True)]
    rows, width = shape
    if width == UNKNOWN:
        return rows, UNKNOWN if length < 0 else length
    columns = _columns(where, width, start_index, length)
    return rows, columns.stop - columns.start


def _first(lods: tuple, ins: tuple, outs: tuple, attrs: dict) -> tuple:
    return (lods[0][0],)


@op("partial_concat", inputs="X*", outputs="Out", attrs=ATTRS, lod=_first, flops=0)
class partial_concat(Declaration):
    """Out = the columns from `start_index` on, `length` of them or all for -1, of each matrix of X, side by side."""

    def infer(X, *, start_index, length):
        rows, columns = _taken("partial_concat", X, start_index, length)
        return Meta((rows, UNKNOWN if columns == UNKNOWN else columns * len(X)), X[0].dtype, X[0].lod_level)

    def reference(xp, X, *, start_index, length):
        columns = _columns("partial_concat", X[0].shape[1], start_index, length)
        return xp.concatenate([x[:, columns] for x in X], axis=1)

    def gradient(xp, X, dOut, *, start_index, length):
        columns = _columns("partial_concat", X[0].shape[1], start_index, length)
        count, made = columns.stop - columns.start, [xp.zeros(x.shape, dOut.dtype) for x in X]
        for i, dx in enumerate(made):
            dx[:, columns] = dOut[:, i * count : (i + 1) * count]
        return made

    grad = Grad("X*# Out@GRAD", "X@GRAD", gradient)


@op("partial_sum", inputs="X*", outputs="Out", attrs={**MKLDNN, **ATTRS}, lod=_first)
class partial_sum(Declaration):
    """Out = the sum over the matrices of X of their columns from `start_index` on, `length` of them or all for -1."""

    def infer(X, *, start_index, length):
        return Meta(_taken("partial_sum", X, start_index, length), X[0].dtype, X[0].lod_level)

    def reference(xp, X, *, start_index, length):
        columns = _columns("partial_sum", X[0].shape[1], start_index, length)
        out = X[0][:, columns].copy()
        for x in X[1:]:
            out += x[:, columns]
        return out

    def gradient(xp, X, dOut, *, start_index, length):
        columns = _columns("partial_sum", X[0].shape[1], start_index, length)
        made = [xp.zeros(x.shape, dOut.dtype) for x in X]
        for dx in made:
            dx[:, columns] = dOut
        return made

    grad = Grad("X*# Out@GRAD", "X@GRAD", gradient)
