"""Batch normalisation with an activation whose gradient is computed from the result."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, ShapeError, message
from ...core.typing import Variable
from ...ops.nn import inplace_abn as ops
from ...params.initializer import Constant
from ..support.arguments import check_variable, flag
from ..support.helper import LayerHelper
from .norm import channel_count, needs_both, running_statistics

__all__ = ["inplace_abn"]


def inplace_abn(
    input: Variable,
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
) -> Variable:
    """Compute activation(batch_norm(input)) with new parameters; training stores only the result, not the input.

    Source: Rota Bulo, Porzi and Kontschieder, "In-Place Activated BatchNorm for Memory-Optimized Training of DNNs",
    2018. Paddle overwrites the input; here it is not changed.

    Arguments:
        input: [N, C, ...] or with the channels last, rank 2 to 5; float32 or float64.
        act: None, "identity", "leaky_relu" or "elu".
        is_test: normalise by the running statistics and do not update them. `Program.clone(for_test=True)` sets it.
        momentum: the weight of the old running statistics in their update.
        epsilon: the number added to the variance, at most 0.001.
        param_attr, bias_attr: the ParamAttrs of scale and shift, each [C].
        data_layout: "NCHW" or "NHWC".
        name: the prefix of the parameters' names.
        moving_mean_name, moving_variance_name: names of the running statistics; generated where they are None.
        do_model_average_for_mean_and_var: whether ModelAverage averages the running statistics.
        use_global_stats: normalise by the running statistics in training, too.
        act_alpha: the slope of leaky_relu for negative elements, the alpha of elu.

    Returns:
        A Variable of the shape and dtype of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable.
        ArgumentValueError: act, data_layout, epsilon or act_alpha is not supported, or param_attr or bias_attr is
            False.
        ShapeError: input has another rank, or its number of channels is unknown.
        DtypeError: input is not float32 or float64.

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
        ops.inplace_abn, input, scale, bias, mean, variance, carry={"MeanOut": mean, "VarianceOut": variance},
        order="SavedMean SavedVariance Y", is_test=flag(where, "is_test", is_test), momentum=float(momentum), epsilon=float(epsilon),
        data_layout=data_layout, use_global_stats=flag(where, "use_global_stats", use_global_stats), activation=act or "", alpha=float(act_alpha),
    )  # fmt: skip
    return y
