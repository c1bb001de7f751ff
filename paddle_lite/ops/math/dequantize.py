"""Integers of 8 bits read as floats: weights that were quantised after training."""

from __future__ import annotations

import numpy as np

from ...core.errors import DtypeError, ShapeError, message
from ...core.ranges import require_range
from ..framework.spec import Declaration, Long, Required, op
from ..support.meta import Meta
from ..support.require import require_dtype, require_floats, require_shape
from ..support.shape_rules import UNKNOWN

FLOAT32, INT8 = np.dtype("float32"), np.dtype("int8")
NO_PADDING = -1


@op("dequantize_abs_max", inputs="X Scale", outputs="Out", attrs={"max_range": Required("FLOAT")})
class dequantize_abs_max(Declaration):
    """Out = X * Scale / max_range, for an int8 X and one Scale."""

    def infer(X, Scale, **_):
        require_dtype("dequantize_abs_max", "X", X, INT8)
        require_floats("dequantize_abs_max", Scale=Scale)
        require_shape("dequantize_abs_max", "Scale", Scale, (1,), ())
        return X._replace(dtype=Scale.dtype)

    def reference(xp, X, Scale, *, max_range):
        return X.astype(Scale.dtype) * Scale / xp.asarray(max_range, dtype=Scale.dtype)


@op("dequantize_log", inputs="X Dict", outputs="Out")
class dequantize_log(Declaration):
    """Out = Dict[X], and -Dict[X + 128] for a negative X, for an int8 X and the 128 numbers of Dict."""

    def infer(X, Dict):
        require_dtype("dequantize_log", "X", X, INT8)
        require_floats("dequantize_log", Dict=Dict)
        require_shape("dequantize_log", "Dict", Dict, (128,))
        return X._replace(dtype=Dict.dtype)

    def reference(xp, X, Dict):
        return xp.concatenate([Dict, -Dict])[X.astype("int64") & 255]


@op("lookup_table_dequant", inputs="W Ids", outputs="Out", attrs={"padding_idx": Long(NO_PADDING)}, lod="Ids", flops=0)
class lookup_table_dequant(Declaration):
    """Rows of a quantised table by their indices; Ids int64 [..., 1] gives float32 [..., width].

    A row of W, float32 [rows, 2 + width / 4], is a lower limit, an upper limit, and `width` bytes, of which each stands
    for lower + byte * (upper - lower) / 256. The row `padding_idx` is read as zeros.
    """

    def infer(W, Ids, **_):
        where = "lookup_table_dequant"
        require_dtype(where, "W", W, FLOAT32)
        if Ids.dtype != np.int64:
            raise DtypeError(message(where, "Input(Ids)", f"dtype {Ids.dtype}", "int64", "Convert it with cast()."))
        if len(W.shape) != 2 or W.shape[1] in (0, 1, 2):
            needs = "[rows, 3 or more]: two limits and the bytes of a row"
            raise ShapeError(message(where, "Input(W)", f"shape {list(W.shape)}", needs))
        if not Ids.shape or Ids.shape[-1] not in (1, UNKNOWN):
            fix = "Add one with unsqueeze()."
            raise ShapeError(message(where, "Input(Ids)", f"shape {list(Ids.shape)}", "a last dimension of 1", fix))
        width = UNKNOWN if W.shape[1] == UNKNOWN else 4 * (W.shape[1] - 2)
        return Meta((*Ids.shape[:-1], width), FLOAT32, Ids.lod_level)

    def reference(xp, W, Ids, *, padding_idx):
        ids = Ids.reshape(-1)
        padding = ids == padding_idx if padding_idx != NO_PADDING else xp.zeros(ids.shape, "bool")
        ids = xp.where(padding, 0, ids)
        require_range("lookup_table_dequant", "Input(Ids)", ids, W.shape[0])
        rows = W[ids]
        low, high = rows[:, :1], rows[:, 1:2]
        out = (high - low) / xp.asarray(256, dtype="float32") * xp.ascontiguousarray(rows[:, 2:]).view("uint8") + low
        out[padding] = 0
        return out.astype("float32").reshape(*Ids.shape[:-1], -1)
