"""Batch normalisation with an activation whose gradient is computed from what comes out."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, ShapeError, message
from ...ops.nn import inplace_abn as ops
from ...params.initializer import Constant
from ..support.arguments import check_variable
from ..support.helper import LayerHelper
from .norm import channel_count, needs_both, running_statistics

__all__ = ["inplace_abn"]


def inplace_abn(
    input: Any,
    act: str | None = None,
    is_test: bool = False,
    momentum: float = 0.9,
    epsilon: float = 1e-05,
    param_attr: Any = None,
    bias_attr: Any = None,
    data_layout: str = "NCHW",
    name: str | None = None,
    moving_mean_name: str | None = None,
    moving_variance_name: str | None = None,
    do_model_average_for_mean_and_var: bool = True,
    use_global_stats: bool = False,
    act_alpha: float = 1.0,
) -> Any:
    """activation(batch_norm(input)) with new parameters; training keeps the result only, not the input.

    Rota Bulo, Porzi and Kontschieder, "In-Place Activated BatchNorm for Memory-Optimized Training of DNNs", 2018. Paddle
    overwrites the input; here it stays as it is.

    Arguments:
        input: 2 to 5 dimensions, float32 or float64.
        act: None, "identity", "leaky_relu" or "elu".
        is_test: normalise by the running statistics, and leave them as they are.
        momentum: of the running statistics.
        epsilon: added to the variance.
        param_attr, bias_attr: what `ParamAttr` says of scale and shift, each [channels].
        data_layout: "NCHW" or "NHWC".
        name: what the names of the parameters start with.
        moving_mean_name, moving_variance_name: names of the running statistics.
        do_model_average_for_mean_and_var: whether averages of models count them.
        use_global_stats: use the running statistics in training, too.
        act_alpha: the slope of leaky_relu below 0, the alpha of elu.

    Returns:
        A Variable of the shape of `input`.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1.], [3.]], 'float32'))
    ...     fluid.layers.inplace_abn(x, act="leaky_relu", act_alpha=0.5).numpy().round(2)
    array([[-0.5],
           [ 1. ]], dtype=float32)
    """
    where = "inplace_abn"
    if act not in (None, *ops.ACTIVATIONS[1:]):
        needs = 'None, "identity", "leaky_relu" or "elu"'
        raise ArgumentValueError(message(where, "act", repr(act), needs))
    needs_both(where, param_attr, bias_attr)
    shape = check_variable(where, "input", input).shape
    if len(shape) < 2:
        raise ShapeError(message(where, "input", f"shape {list(shape)}", "2 to 5 dimensions"))
    size, helper = channel_count(where, input, data_layout), LayerHelper(where, name=name)
    scale = helper.create_parameter(param_attr, [size], input.dtype, default_initializer=Constant(1.0))
    bias = helper.create_parameter(bias_attr, [size], input.dtype, is_bias=True)
    averaged = do_model_average_for_mean_and_var
    mean, variance = running_statistics(helper, size, input.dtype, moving_mean_name, moving_variance_name, averaged)
    y, *_ = helper.run(
        ops.inplace_abn, input, scale, bias, mean, variance, state={"MeanOut": mean, "VarianceOut": variance},
        order="SavedMean SavedVariance Y", is_test=bool(is_test), momentum=float(momentum), epsilon=float(epsilon),
        data_layout=data_layout, use_global_stats=bool(use_global_stats), activation=act or "", alpha=float(act_alpha),
    )  # fmt: skip
    return y
