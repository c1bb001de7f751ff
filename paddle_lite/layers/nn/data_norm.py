"""Normalisation of columns by statistics that are learned."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentTypeError, ShapeError, describe, message
from ...core.mode import in_imperative_mode
from ...ops.nn import data_norm as ops
from ...params.attr import ParamAttr
from ...params.initializer import Constant
from ..support.arguments import check_variable
from ..support.helper import LayerHelper
from .norm import UNNAMED

__all__ = ["data_norm"]

START = {"batch_size": 1e4, "batch_sum": 0.0, "batch_square": 1e4, "scale_w": 1.0, "bias": 0.0}
NAMES = {"batch_square": "batch_square_sum"}


def data_norm(
    input: Any,
    act: Any = None,
    epsilon: float = 1e-05,
    param_attr: Any = None,
    data_layout: str = "NCHW",
    in_place: bool = False,
    name: str | None = None,
    moving_mean_name: str | None = None,
    moving_variance_name: str | None = None,
    do_model_average_for_mean_and_var: bool = True,
    slot_dim: int = -1,
    sync_stats: bool = False,
    summary_decay_rate: float = 0.9999999,
    enable_scale_and_shift: bool = False,
) -> Any:
    """(input - sum / size) * sqrt(size / square sum) for each column: by statistics that are new parameters.

    The gradients of the statistics are what this batch adds to them, so that training by a rule of its own keeps them up.

    Arguments:
        input: [N, D], float32 or float64.
        act: the name of an activation for the result.
        epsilon: added to squares where they are counted.
        param_attr: a dict of start values: "batch_size" (10000), "batch_sum" (0), "batch_square" (10000), and with
            enable_scale_and_shift "scale_w" (1) and "bias" (0); anything else is left out, as Paddle does.
        name: what the names of the parameters start with; "dn" in Programs.
        slot_dim: so many columns are a slot, which is left out (0 comes out) where its first element is 0.
        sync_stats, summary_decay_rate: kept for Paddle's training on several machines.
        enable_scale_and_shift: multiply and add parameters, too.
        data_layout, in_place, moving_mean_name, moving_variance_name, do_model_average_for_mean_and_var: kept for Fluid code.

    Returns:
        A Variable of the shape of `input`.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1., 5.]], 'float32'))
    ...     fluid.layers.data_norm(x, param_attr={"batch_size": 100., "batch_sum": 200., "batch_square": 25.}).numpy()
    array([[-2.,  6.]], dtype=float32)
    """
    shape = check_variable("data_norm", "input", input).shape
    if len(shape) != 2:
        raise ShapeError(message("data_norm", "input", f"shape {list(shape)}", "2 dimensions"))
    start = dict(START)
    if isinstance(param_attr, dict):
        unknown = [key for key in param_attr if key not in START]
        if unknown:
            needs = f"some of {', '.join(START)}"
            raise ArgumentTypeError(message("data_norm", "param_attr", describe(param_attr), needs))
        start.update(param_attr)
    helper = LayerHelper("data_norm", act=act, name=name)
    prefix = name or (helper.name if in_imperative_mode() else "dn")
    made = {}
    for key in ("scale_w", "bias", "batch_size", "batch_sum", "batch_square"):
        if enable_scale_and_shift or key.startswith("batch"):
            attr = ParamAttr(name=f"{prefix}.{NAMES.get(key, key)}", initializer=Constant(float(start[key])))
            made[key] = helper.create_parameter(attr, [shape[1]], input.dtype)
    y, _, _ = helper.run(
        ops.data_norm, made.get("scale_w"), made.get("bias"), input, made["batch_size"], made["batch_sum"], made["batch_square"],
        epsilon=float(epsilon), slot_dim=slot_dim, enable_scale_and_shift=bool(enable_scale_and_shift), order="Means Scales Y", key=UNNAMED,
    )  # fmt: skip
    return helper.append_activation(y)
