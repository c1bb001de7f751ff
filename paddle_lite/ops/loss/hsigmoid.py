"""hierarchical_sigmoid: a loss over many classes, as decisions on the way through a binary tree."""

from __future__ import annotations

from typing import Any

from ...core.dtype import to_numpy
from ...core.errors import ArgumentTypeError, ArgumentValueError, ShapeError, message
from ...core.ranges import require_range
from ...core.selected_rows import SelectedRows
from ..framework.spec import Declaration, Grad, Longs, Strings, op
from ..support.meta import Meta
from ..support.require import require_dtype, require_floats, require_shape
from ..support.shape_rules import UNKNOWN

WHERE = "hierarchical_sigmoid"
LIMIT = 40.0  # of what goes into an exponential


def _shape(X: Any, W: Any, Label: Any, PathTable: Any, PathCode: Any, Bias: Any, classes: int) -> tuple[int, int]:
    """Return (N, number of steps of the longest path); raise if the inputs do not fit."""
    require_floats(WHERE, X=X, W=W, **({} if Bias is None else {"Bias": Bias}))
    for slot, meta in (("Label", Label), ("PathTable", PathTable), ("PathCode", PathCode)):
        if meta is not None:
            require_dtype(WHERE, slot, meta, to_numpy("int64"))
    if len(X.shape) != 2:
        raise ShapeError(message(WHERE, "Input(X)", f"shape {list(X.shape)}", "shape [N, features]"))
    if (PathTable is None) != (PathCode is None):
        absent = "PathTable" if PathTable is None else "PathCode"
        raise ArgumentTypeError(message(WHERE, f"Input({absent})", "None", "both PathTable and PathCode, or neither"))
    n = X.shape[0]
    require_shape(WHERE, "Label", Label, (n,), (n, 1))
    if PathTable is None and classes < 2:
        raise ArgumentValueError(message(WHERE, "attribute 'num_classes'", classes, "2 or more"))
    require_shape(WHERE, "W", W, (UNKNOWN if PathTable is not None else classes - 1, X.shape[1]))
    if Bias is not None:
        require_shape(WHERE, "Bias", Bias, (W.shape[0],), (W.shape[0], 1), (1, W.shape[0]))
    n = Label.shape[0] if n == UNKNOWN else n
    if PathTable is not None:
        require_shape(WHERE, "PathTable", PathTable, (n, UNKNOWN))
        require_shape(WHERE, "PathCode", PathCode, (n, PathTable.shape[1]))
        return n, PathTable.shape[1]
    return n, (classes - 1).bit_length()


def _ways(xp: Any, Label: Any, PathTable: Any, PathCode: Any, classes: int, rows: int) -> tuple[Any, Any, Any]:
    """Return, [N, steps] each: the row of W at each node, the decision (0 or 1), and whether the path goes that far.

    Without tables it is a complete tree: class c is leaf c + classes, node k has the children 2k and 2k + 1, and the
    way goes from the leaf up.
    """
    if PathTable is not None:
        on = xp.cumprod((PathTable >= 0).astype("int64"), axis=1) > 0
        nodes = xp.where(on, PathTable, 0)
        require_range(WHERE, "Input(PathTable)", nodes, rows)
        return nodes, xp.where(on, PathCode != 0, False), on
    require_range(WHERE, "Input(Label)", Label, classes)
    leaves = Label.reshape(-1, 1) + classes
    above = leaves >> xp.arange(1, (classes - 1).bit_length() + 1)
    on = above > 0
    return xp.where(on, above - 1, 0), on & ((leaves >> xp.arange(above.shape[1])) % 2 == 1), on


@op(
    "hierarchical_sigmoid",
    inputs="X W Label PathTable? PathCode? Bias?",
    outputs="Out PreOut~ W_Out~",
    attrs={
        "num_classes": 2,
        "remote_prefetch": False,
        "trainer_id": 0,
        "height_sections": Longs([]),
        "epmap": Strings([]),
        "table_names": Strings([]),
        "is_sparse": False,
    },
    lod=lambda lods, ins, outs, attrs: (lods[0], None, None),
    leaves=lambda attrs: ("W_Out",),
)
class hierarchical_sigmoid(Declaration):
    """Compute the hierarchical sigmoid loss: the sum of log(1 + exp(z)) - z * code over the path to the label.

    z = X . W[node] + Bias[node]. Source: Morin and Bengio, "Hierarchical Probabilistic Neural Network Language Model",
    2005. A path that is k nodes shorter than the longest one adds k * log(2), as in Paddle. PreOut holds log(1 +
    exp(z)). W_Out, which Programs of Paddle bind to W, is not written.
    """

    def infer(X, W, Label, PathTable, PathCode, Bias, *, num_classes, **_):
        n, steps = _shape(X, W, Label, PathTable, PathCode, Bias, num_classes)
        return Meta((n, 1), X.dtype, X.lod_level), Meta((n, steps), X.dtype), None

    def reference(xp, X, W, Label, PathTable, PathCode, Bias, *, num_classes, is_sparse):
        nodes, ones, on = _ways(xp, Label, PathTable, PathCode, num_classes, W.shape[0])
        z = xp.matmul(W[nodes], X[:, :, None])[:, :, 0]
        if Bias is not None:
            z = z + Bias.reshape(-1)[nodes]
        limit = X.dtype.type(LIMIT)
        z = xp.where(on, xp.clip(z, -limit, limit), X.dtype.type(0))
        pre = xp.log1p(xp.exp(z))
        return (pre - xp.where(ones, z, X.dtype.type(0))).sum(axis=1, keepdims=True), pre, None

    def gradient(
        xp, X, W, Label, PathTable, PathCode, Bias, PreOut, dOut, *, num_classes, is_sparse, need=(True, True, True)
    ):
        nodes, ones, on = _ways(xp, Label, PathTable, PathCode, num_classes, W.shape[0])
        slope = xp.where(on, -xp.expm1(-PreOut) - ones, PreOut.dtype.type(0)).astype(PreOut.dtype) * dOut
        dx = dw = dbias = None
        if need[0]:
            dx = xp.matmul(slope[:, None, :], W[nodes])[:, 0, :]
        rows = nodes[on]
        if need[1]:
            dw = SelectedRows(rows, (slope[:, :, None] * X[:, None, :])[on], W.shape[0])
            dw = dw.merged(xp) if is_sparse else dw.to_dense(xp)
        if need[2] and Bias is not None:
            dbias = SelectedRows(rows, slope[on], W.shape[0]).to_dense(xp).reshape(Bias.shape)
        return dx, dw, dbias

    grad = Grad("X W Label PathTable? PathCode? Bias?# PreOut Out@GRAD", "X@GRAD W@GRAD Bias@GRAD", gradient)
