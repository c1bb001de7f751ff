"""What feature maps tell: how the channels of two go together, and where the strongest places of one are."""

from __future__ import annotations

from ...core.errors import ArgumentValueError, ShapeError, message
from ..framework.spec import Declaration, Grad, Required, op
from ..support.matmul_shapes import as_matrix
from ..support.meta import Meta
from ..support.require import require_floats, shapes_match


@op("fsp", inputs="X Y", outputs="Out", lod=None)
class fsp(Declaration):
    """Compute the flow of the solution procedure: Out[n, i, j] = the mean over all pixels of X[n, i] * Y[n, j].

    Source: Yim et al., "A Gift from Knowledge Distillation", 2017.
    """

    def infer(X, Y):
        require_floats("fsp", X=X, Y=Y)
        for name, meta in (("X", X), ("Y", Y)):
            if len(meta.shape) != 4 or 0 in meta.shape:
                needs = "shape [N, C, H, W], none of them 0"
                raise ShapeError(message("fsp", f"Input({name})", f"shape {list(meta.shape)}", needs))
        if not shapes_match((X.shape[0], *X.shape[2:]), (Y.shape[0], *Y.shape[2:])):
            n, _, height, width = X.shape
            needs = f"shape [{n}, C, {height}, {width}], that of X but for the channels"
            raise ShapeError(message("fsp", "Input(Y)", f"shape {list(Y.shape)}", needs))
        return Meta((X.shape[0], X.shape[1], Y.shape[1]), X.dtype)

    def reference(xp, X, Y):
        x, y = X.reshape(*X.shape[:2], -1), Y.reshape(*Y.shape[:2], -1)
        return x @ y.swapaxes(1, 2) / xp.asarray(x.shape[2], dtype=X.dtype)

    def gradient(xp, X, Y, dOut, *, need=(True, True)):
        x, y = X.reshape(*X.shape[:2], -1), Y.reshape(*Y.shape[:2], -1)
        shares = dOut / xp.asarray(x.shape[2], dtype=dOut.dtype)
        dx = (shares @ y).reshape(X.shape) if need[0] else None
        return dx, (shares.swapaxes(1, 2) @ x).reshape(Y.shape) if need[1] else None

    grad = Grad("X Y Out@GRAD", "X@GRAD Y@GRAD", gradient)


def _strongest(xp, maps):
    """Return the mask of the strongest places of matrices [N, rows, columns]: greedily, one for each row and column."""
    n, rows, columns = maps.shape
    flat = as_matrix(maps, 1)
    order = xp.argsort(-flat, axis=1, kind="stable")
    rank = xp.empty(flat.shape, "int64")
    rank[xp.arange(n)[:, None], order] = xp.arange(rows * columns)
    rank = rank.reshape(maps.shape)
    chosen, each = xp.zeros(maps.shape, bool), xp.arange(n)
    for _ in range(min(rows, columns)):
        best = as_matrix(rank, 1).argmin(axis=1)
        row, column = best // columns, best % columns
        chosen[each, row, column] = True
        rank[each, row, :] = rows * columns
        rank[each, :, column] = rows * columns
    return chosen


@op(
    "similarity_focus",
    inputs="X",
    outputs="Out",
    attrs={"axis": Required("INT"), "indexes": Required("INTS")},
)
class similarity_focus(Declaration):
    """Set Out to 1 along `axis` at the strongest places of the slices with the given `indexes`, and to 0 elsewhere.

    The strongest places of a slice are its largest element, then the largest element in another row and another column,
    and so on. Source: He and Lin, "Pairwise Word Interaction Modeling with Deep Neural Networks", 2016.
    """

    def infer(X, *, axis, indexes):
        type = "similarity_focus"
        require_floats(type, X=X)
        if len(X.shape) != 4:
            raise ShapeError(message(type, "Input(X)", f"shape {list(X.shape)}", "4 dimensions"))
        if axis not in (1, 2, 3):
            raise ArgumentValueError(message(type, "attribute 'axis'", axis, "1, 2 or 3"))
        size = X.shape[axis]
        if not indexes or min(indexes) < 0 or (size != -1 and max(indexes) >= size):
            limit = "" if size == -1 else f" to {size - 1}"
            needs = f"at least one index, from 0{limit}"
            raise ArgumentValueError(message(type, "attribute 'indexes'", list(indexes), needs))
        return X

    def reference(xp, X, *, axis, indexes):
        slices = xp.moveaxis(X, axis, 1)
        found = xp.zeros((X.shape[0], *slices.shape[2:]), bool)
        for index in indexes:
            found |= _strongest(xp, slices[:, index])
        out = xp.empty(X.shape, X.dtype)
        out[...] = xp.expand_dims(found, axis)
        return out
