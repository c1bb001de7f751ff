"""Normalisation of columns by learned statistics."""

from __future__ import annotations

from typing import Any

from ...core.calls.former import formerly
from ...core.errors import ArgumentTypeError, ShapeError, describe, message
from ...core.mode import state
from ...core.typing import Variable
from ...ops.nn import data_norm as ops
from ...params.attr import ParamAttr
from ...params.initializer import Constant
from ..support.arguments import check_variable, flag
from ..support.helper import LayerHelper
from .norm import UNNAMED

__all__ = ["data_norm"]

START = {"batch_size": 1e4, "batch_sum": 0.0, "batch_square": 1e4, "scale_w": 1.0, "bias": 0.0}
NAMES = {"batch_square": "batch_square_sum"}


@formerly(gone="use_mkldnn")
def data_norm(
    input: Variable,
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
) -> Variable:
    """Normalise each column: (input - sum / size) * sqrt(size / square_sum), with statistics that are new parameters.

    The gradients of the statistics are what the batch contributes to them; an optimizer rule of its own accumulates
    them.

    Arguments:
        input: [N, D], float32 or float64.
        act: the name of an activation to apply to the result, or None.
        epsilon: the number added to the squares when they are accumulated.
        param_attr: a dict of initial values: "batch_size" (10000), "batch_sum" (0), "batch_square" (10000), and with
            enable_scale_and_shift "scale_w" (1) and "bias" (0). Anything but a dict is ignored, as in Paddle.
        name: the prefix of the parameters' names; "dn" by default in Programs.
        slot_dim: the number of columns of a slot; a slot whose first element is 0 is not normalised but set to 0. -1:
            no slots.
        sync_stats, summary_decay_rate: accepted for Paddle's distributed training, ignored.
        enable_scale_and_shift: also multiply by a learned scale and add a learned shift.
        data_layout, in_place, moving_mean_name, moving_variance_name, do_model_average_for_mean_and_var: accepted for
            Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, or param_attr has an unknown key.
        ArgumentValueError: epsilon is out of range.
        ShapeError: the rank of input is not 2.
        DtypeError: input is not float32 or float64.

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
    prefix = name or state.mode.shared_name("dn", helper.name)
    made = {}
    for key in ("scale_w", "bias", "batch_size", "batch_sum", "batch_square"):
        if enable_scale_and_shift or key.startswith("batch"):
            attr = ParamAttr(name=f"{prefix}.{NAMES.get(key, key)}", initializer=Constant(float(start[key])))
            made[key] = helper.create_parameter(attr, [shape[1]], input.dtype)
    y, _, _ = helper.run(
        ops.data_norm, made.get("scale_w"), made.get("bias"), input, made["batch_size"], made["batch_sum"], made["batch_square"],
        epsilon=float(epsilon), slot_dim=slot_dim, enable_scale_and_shift=flag("data_norm", "enable_scale_and_shift", enable_scale_and_shift), order="Means Scales Y", key=UNNAMED,
    )  # fmt: skip
    return helper.append_activation(y)
