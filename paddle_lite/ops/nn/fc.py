"""A fully connected layer as one operator, which models optimized for inference have."""

from __future__ import annotations

from math import prod
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, ShapeError, message
from ..framework.costs import Amount, Product, multiply_adds, result
from ..framework.spec import MKLDNN, Declaration, Floats, op
from ..support.matmul_shapes import as_matrix
from ..support.meta import Meta
from ..support.require import require_floats, require_shape
from ..support.shape_rules import UNKNOWN

PADDING = 4
"""With `padding_weights` W has so many more rows and columns, which have no effect."""


def _columns(Input: Any, W: Any, dims: int, padding: bool) -> tuple[int, int]:
    """Return (the rows of W, its columns), without padding; raise unless W fits Input."""
    if len(Input.shape) <= dims or dims < 1:
        needs = f"1 to {len(Input.shape) - 1} for Input of shape {list(Input.shape)}"
        raise ShapeError(message("fc", "attribute 'in_num_col_dims'", dims, needs))
    inner, more = Input.shape[dims:], PADDING if padding else 0
    rows = UNKNOWN if UNKNOWN in inner else prod(inner)
    require_shape("fc", "W", W, (UNKNOWN if rows == UNKNOWN else rows + more, UNKNOWN))
    return rows, W.shape[1] if W.shape[1] == UNKNOWN else W.shape[1] - more


def _flops(call: Any) -> Amount | None:
    w = call.one("W")
    return None if w is None else multiply_adds(result(call, "Out"), w.shape[0])


@op(
    "fc", inputs="Input W Bias?", outputs="Out",
    attrs={
        "in_num_col_dims": 1, "activation_type": "", **MKLDNN, "padding_weights": False,
        "@ALL_KERNELS_MUST_COMPUTE_RUNTIME_SHAPE@": True, "use_quantizer": False, "Scale_in": 1.0,
        "Scale_weights": Floats([1.0]), "Scale_out": 1.0, "force_fp32_output": False,
    }, flops=Product("Input W", _flops), fresh=True,
)  # fmt: skip
class fc(Declaration):
    """Out = relu(Input W + Bias), or without relu; Input is flattened to a matrix after `in_num_col_dims` dimensions.

    `activation_type` is "" or "relu", which needs a Bias. With `padding_weights` the last 4 rows and columns of W are
    padding.
    """

    def infer(Input, W, Bias, *, in_num_col_dims, activation_type, padding_weights):
        require_floats("fc", Input=Input, W=W, **({} if Bias is None else {"Bias": Bias}))
        _, columns = _columns(Input, W, in_num_col_dims, padding_weights)
        if activation_type not in ("", "relu"):
            raise ArgumentValueError(
                message("fc", "attribute 'activation_type'", repr(activation_type), '"" or "relu"')
            )
        if Bias is not None:
            require_shape("fc", "Bias", Bias, (columns,), (1, columns))
        elif activation_type:
            raise ArgumentTypeError(message("fc", "Input(Bias)", "None", 'a Variable for activation_type "relu"'))
        return Meta((*Input.shape[:in_num_col_dims], columns), Input.dtype, Input.lod_level)

    def reference(xp, Input, W, Bias, *, in_num_col_dims, activation_type, padding_weights):
        rows, columns = _columns(Input, W, in_num_col_dims, padding_weights)
        out = xp.matmul(as_matrix(Input, in_num_col_dims), W[:rows, :columns])
        if Bias is not None:
            out += Bias.reshape(-1)
        if activation_type:
            out = xp.maximum(out, 0)
        return out.reshape(*Input.shape[:in_num_col_dims], columns)
