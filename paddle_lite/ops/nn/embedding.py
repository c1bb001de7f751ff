"""Operators that look up rows of a table by their indices."""

from __future__ import annotations

import numpy as np

from ...core.errors import DtypeError, ShapeError, message
from ...core.ranges import require_range
from ...core.selected_rows import SelectedRows
from ...kernels.row_gather import gather_rows
from ..framework.call import Call
from ..framework.spec import Declaration, Grad, Long, Longs, Strings, op
from ..framework.traits import AddsRows, ByRows, TakesRows
from ..support.index_tuples import add_to_rows
from ..support.meta import Meta
from ..support.shape_rules import UNKNOWN

NO_PADDING = -1
ATTRS = {
    "is_sparse": False,
    "is_distributed": False,
    "padding_idx": Long(NO_PADDING),
    "remote_prefetch": False,
    "trainer_id": 0,
    "height_sections": Longs([]),
    "epmap": Strings([]),
    "table_names": Strings([]),
}


def check(where, W, Ids, dims):
    """Return the shape of the result; raise unless W is a matrix and Ids int64."""
    if len(W.shape) != 2:
        raise ShapeError(message(where, "Input(W)", f"shape {list(W.shape)}", "shape [rows, width]"))
    if Ids.dtype != np.int64:
        raise DtypeError(message(where, "Input(Ids)", f"dtype {Ids.dtype}", "int64", "Convert it with cast()."))
    return (*dims, W.shape[1])


def columns(Ids):
    """Return the shape of Ids without its last dimension, which is 1."""
    if not Ids.shape or Ids.shape[-1] not in (1, UNKNOWN):
        fix = "Add one with unsqueeze(), or use lookup_table_v2 (fluid.embedding)."
        raise ShapeError(
            message("lookup_table", "Input(Ids)", f"shape {list(Ids.shape)}", "a last dimension of 1", fix)
        )
    return Ids.shape[:-1]


def looked_up(where, xp, W, Ids, shape, padding_idx):
    """Return the rows of W at Ids in this shape; zeros for `padding_idx`. W may be SelectedRows, which hold a part of the rows."""
    rows = Ids.reshape(-1)
    if isinstance(W, SelectedRows):
        return held_rows(where, xp, W, rows, padding_idx).reshape(shape)
    if padding_idx == NO_PADDING:
        require_range(where, "Input(Ids)", rows, W.shape[0])
        return gather_rows(W, rows).reshape(shape)
    padding = rows == padding_idx
    rows = xp.where(padding, 0, rows)
    require_range(where, "Input(Ids)", rows, W.shape[0])
    out = gather_rows(W, rows)
    out[padding] = 0
    return out.reshape(shape)


def held_rows(where, xp, W, rows, padding_idx):
    """Return the values of these rows of SelectedRows; zeros for `padding_idx`."""
    out = xp.zeros((len(rows), *W.values.shape[1:]), W.dtype)
    real = (rows != padding_idx) | (padding_idx == NO_PADDING)
    out[real] = W.values[W.places(where, "Input(Ids)", rows[real], xp)]
    return out


def gradient(xp, W, Ids, dOut, *, is_sparse, padding_idx):
    """Return the gradient of W: each row of dOut is added to the row that was looked up, except the padding row."""
    rows, values = Ids.reshape(-1), dOut.reshape(-1, W.shape[1])
    if padding_idx != NO_PADDING:
        trained = rows != padding_idx
        rows, values = rows[trained], values[trained]
    if is_sparse:
        return SelectedRows(rows, values, W.shape[0])
    dW = xp.zeros(W.shape, dOut.dtype)
    add_to_rows(xp, dW, rows, values)
    return dW


BY_ROWS = ByRows("Ids", when=lambda attrs: True)
TAKES_ROWS = TakesRows(
    "W", "Ids", skip=lambda attrs: None if attrs["padding_idx"] == NO_PADDING else attrs["padding_idx"],
    dense=lambda attrs: not attrs["is_sparse"],
)  # fmt: skip
ADDS_ROWS = AddsRows(when=lambda attrs: not attrs["is_sparse"], skip=lambda attrs: attrs["padding_idx"])


def of_one_size(call: Call) -> bool:
    """Return whether the gradient has the same size for all ids: not one of SelectedRows from which rows of padding are left out."""
    return not call.attrs["is_sparse"] or call.attrs["padding_idx"] == NO_PADDING


@op(
    "lookup_table",
    inputs="W Ids",
    outputs="Out",
    attrs={**ATTRS, "grad_inplace": False},
    lod="Ids",
    flops=0,
    gathers="W",
    takes_rows=TAKES_ROWS,
    by_rows=BY_ROWS,
    fresh=True,
)
class lookup_table(Declaration):
    """Rows of the table W by their indices; Ids [..., 1] gives [..., width]."""

    def infer(W, Ids, **_):
        return Meta(check("lookup_table", W, Ids, columns(Ids)), W.dtype, Ids.lod_level)

    def reference(xp, W, Ids, *, is_sparse, padding_idx):
        return looked_up("lookup_table", xp, W, Ids, check("lookup_table", W, Ids, columns(Ids)), padding_idx)

    grad = Grad("W# Ids Out@GRAD", "W@GRAD", gradient, captured=of_one_size, adds_rows=ADDS_ROWS)


@op(
    "lookup_table_v2",
    inputs="W Ids",
    outputs="Out",
    attrs=ATTRS,
    lod="Ids",
    flops=0,
    gathers="W",
    takes_rows=TAKES_ROWS,
    by_rows=BY_ROWS,
    fresh=True,
)
class lookup_table_v2(Declaration):
    """Rows of the table W by their indices; Ids [...] gives [..., width]."""

    def infer(W, Ids, **_):
        return Meta(check("lookup_table_v2", W, Ids, Ids.shape), W.dtype, Ids.lod_level)

    def reference(xp, W, Ids, *, is_sparse, padding_idx):
        return looked_up("lookup_table_v2", xp, W, Ids, check("lookup_table_v2", W, Ids, Ids.shape), padding_idx)

    grad = Grad("W# Ids Out@GRAD", "W@GRAD", gradient, captured=of_one_size, adds_rows=ADDS_ROWS)
