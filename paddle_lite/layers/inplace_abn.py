"""Batch normalisation with an activation whose gradient is computed from what comes out."""

from __future__ import annotations

from typing import Any

from ..core import unique_name
from ..core.errors import ArgumentValueError, ShapeError, message
from ..ops import inplace_abn as ops
from ..params.attr import ParamAttr
from ..params.create import create_parameter
from ..params.initializer import Constant
from .arguments import check_variable

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
    for key, attr in (("param_attr", param_attr), ("bias_attr", bias_attr)):
        if attr is False:
            raise ArgumentValueError(message(where, key, attr, "scale and shift, which it cannot do without"))
    shape = check_variable(where, "input", input).shape
    if len(shape) < 2:
        raise ShapeError(message(where, "input", f"shape {list(shape)}", "2 to 5 dimensions"))
    size, prefix = [shape[1] if data_layout == "NCHW" else shape[-1]], name or unique_name.generate(where)

    def parameter(attr: Any, start: float, is_bias: bool = False) -> Any:
        return create_parameter(size, input.dtype, attr, is_bias, Constant(start), prefix=prefix)

    def statistic(name: str | None, start: float) -> Any:
        averaged = do_model_average_for_mean_and_var
        made = parameter(ParamAttr(name=name, trainable=False, do_model_average=averaged), start)
        made.stop_gradient = True
        return made

    scale, bias = parameter(param_attr, 1.0), parameter(bias_attr, 0.0, is_bias=True)
    mean, variance = statistic(moving_mean_name, 0.0), statistic(moving_variance_name, 1.0)
    y, mean_out, variance_out, *_ = ops.inplace_abn.call(
        input, scale, bias, mean, variance, is_test=bool(is_test), momentum=float(momentum), epsilon=float(epsilon),
        data_layout=data_layout, use_global_stats=bool(use_global_stats), activation=act or "", alpha=float(act_alpha),
    )  # fmt: skip
    mean.take(mean_out)
    variance.take(variance_out)
    return y
