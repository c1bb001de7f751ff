"""Operators that write into rows of an array, or add to elements of it."""

from __future__ import annotations

from typing import Any

from ...core.errors import ShapeError, message
from ...core.indexed import write_at
from ...core.ranges import require_integers, require_range
from ..framework.spec import Declaration, Grad, op
from ..support.index_tuples import add_to_rows, as_rows, rows_of_tuples
from ..support.require import require_dtype, require_shape
from ..support.shape_rules import UNKNOWN
from .index import positions, require_rows


def require_updates(where: str, X: Any, Updates: Any, shape: tuple[int, ...]) -> None:
    """Raise unless Updates has X's dtype and this shape."""
    require_dtype(where, "Updates", Updates, X.dtype)
    require_shape(where, "Updates", Updates, shape)


def require_list(where: str, slot: str, index: Any) -> None:
    """Raise unless the index is a vector."""
    if len(index.shape) != 1:
        raise ShapeError(message(where, f"Input({slot})", f"shape {list(index.shape)}", "shape [n]", "Flatten it."))


@op("scatter", inputs="X Ids Updates", outputs="Out", attrs={"overwrite": True}, lod=None, flops=0, fed_as="Ids")
class scatter(Declaration):
    """Out = X with Out[Ids[i]] = Updates[i]; of equal Ids the last one counts.

    With overwrite=False the rows in Ids are the sums of their Updates, without the rows of X. The
    gradient of X is 0 in these rows.
    """

    def infer(X, Ids, Updates, **_):
        require_rows("scatter", X)
        require_list("scatter", "Ids", Ids)
        require_integers("scatter", "Input(Ids)", Ids)
        require_updates("scatter", X, Updates, (Ids.shape[0], *X.shape[1:]))
        return X._replace(lod_level=0)

    def reference(xp, X, Ids, Updates, *, overwrite):
        require_range("scatter", "Input(Ids)", Ids, X.shape[0])
        out = X.copy()
        if overwrite:
            write_at(xp, out, Ids, Updates)
        else:
            out[Ids] = 0
            add_to_rows(xp, out, Ids, Updates)
        return out

    def gradient(xp, Ids, Updates, dOut, *, need=(True, True)):
        dX = None
        if need[0]:
            dX = dOut.copy()
            dX[Ids] = 0
        return dX, dOut[Ids] if need[1] else None

    grad = Grad("Ids Updates# Out@GRAD", "X@GRAD Updates@GRAD", gradient)


def updated(Index, shape):
    """Return the shape of the updates for tuples in the last dimension of Index: one slice of an array of `shape` for each."""
    if len(Index.shape) < 2 or Index.shape[-1] > len(shape):
        needs = f"rank 2 or more, and a last dimension of at most {len(shape)}, the rank of X"
        raise ShapeError(message("scatter_nd_add", "Input(Index)", f"shape {list(Index.shape)}", needs))
    return (*Index.shape[:-1], *shape[Index.shape[-1] :])


@op("scatter_nd_add", inputs="X Index Updates", outputs="Out", fed_as="Index")
class scatter_nd_add(Declaration):
    """X with Updates added: each tuple in the last dimension of Index names an element, or a slice where it is shorter."""

    def infer(X, Index, Updates):
        require_integers("scatter_nd_add", "Input(Index) for axis 0", Index)
        if UNKNOWN in Index.shape[-1:]:
            return X
        require_updates("scatter_nd_add", X, Updates, updated(Index, X.shape))
        return X

    def reference(xp, X, Index, Updates):
        rows, out = rows_of_tuples(xp, "scatter_nd_add", Index, X.shape), X.copy()
        add_to_rows(xp, as_rows(out, Index.shape[-1]), rows, Updates)
        return out

    def gradient(xp, Index, Updates, dOut, *, need=(True, True)):
        picked = dOut[positions(Index)] if Index.shape[-1] else xp.broadcast_to(dOut, updated(Index, dOut.shape))
        return dOut if need[0] else None, picked if need[1] else None

    grad = Grad("Index Updates# Out@GRAD", "X@GRAD Updates@GRAD", gradient)
