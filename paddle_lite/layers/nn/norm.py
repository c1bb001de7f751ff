"""Normalisation with learned scale and shift: batch_norm, instance_norm, layer_norm, group_norm, spectral_norm."""

from __future__ import annotations

from math import prod
from typing import Any

from ...core.calls.former import formerly
from ...core.errors import ArgumentValueError, ShapeError, message
from ...core.typing import Variable
from ...ops.nn import group_norm as image_ops
from ...ops.nn import lrn as weight_ops
from ...ops.nn import norm as ops
from ...params.attr import ParamAttr
from ...params.initializer import Constant, Normal
from ..support.arguments import check_variable, is_variable
from ..support.helper import LayerHelper

__all__ = ["batch_norm", "group_norm", "instance_norm", "layer_norm", "spectral_norm"]

UNNAMED = "_generated_var"  # the prefix that Paddle gives to results of layers that do not name them


def channel_count(where: str, input: Any, data_layout: Any = "NCHW") -> int:
    """Return the number of channels of an input; raise if it is unknown."""
    if data_layout not in ("NCHW", "NHWC"):
        raise ArgumentValueError(message(where, "data_layout", repr(data_layout), '"NCHW" or "NHWC"'))
    dims = list(check_variable(where, "input", input).shape)
    count = dims[1 if data_layout == "NCHW" else -1] if len(dims) > 1 else 0
    if count < 1:
        raise ShapeError(message(where, "input", f"shape {dims}", f"a known number of channels, {data_layout}"))
    return count


def needs_both(where: str, param_attr: Any, bias_attr: Any) -> None:
    """Raise if param_attr or bias_attr is False: the layer always has scale and shift."""
    for name, attr in (("param_attr", param_attr), ("bias_attr", bias_attr)):
        if attr is False:
            raise ArgumentValueError(message(where, name, attr, "scale and shift, which it cannot do without"))


def running_statistics(
    helper: LayerHelper, size: int, dtype: Any, mean_name: str | None, variance_name: str | None, averaged: bool
) -> tuple[Any, Any]:
    """Create the running mean and variance: parameters that are not trained."""
    made = []
    for name, start in ((mean_name, 0.0), (variance_name, 1.0)):
        attr = ParamAttr(name=name, initializer=Constant(start), trainable=False, do_model_average=averaged)
        made.append(helper.create_parameter(attr, [size], dtype, stop_gradient=True))
    return made[0], made[1]


@formerly(
    "input act is_test momentum epsilon param_attr bias_attr data_layout in_place name moving_mean_name moving_variance_name "
    "do_model_average_for_mean_and_var fuse_with_relu use_global_stats",
    gone="fuse_with_relu",
)
def batch_norm(
    input: Any,
    act: str | None = None,
    is_test: bool = False,
    momentum: Any = 0.9,
    epsilon: float = 1e-05,
    param_attr: Any = None,
    bias_attr: Any = None,
    data_layout: str = "NCHW",
    in_place: bool = False,
    name: str | None = None,
    moving_mean_name: str | None = None,
    moving_variance_name: str | None = None,
    do_model_average_for_mean_and_var: bool = True,
    use_global_stats: bool = False,
) -> Variable:
    """Normalise each channel over the batch, then scale and shift it by new parameters.

    Training uses the mean and variance of the batch and updates the running statistics: running = momentum * running +
    (1 - momentum) * batch. Inference uses the running statistics.

    Source: Ioffe and Szegedy, "Batch Normalization", 2015.

    Arguments:
        input: [N, C, ...] or with the channels last, rank 2 to 5; float32 or float64.
        act: the name of an activation to apply to the result, or None.
        is_test: normalise by the running statistics and do not update them. `Program.clone(for_test=True)` sets it.
        momentum: the weight of the old running statistics in their update, a number or a Variable [1].
        epsilon: the number added to the variance, at most 0.001.
        param_attr, bias_attr: the ParamAttrs of scale (initially 1) and shift (initially 0), each [C]; not False.
        data_layout: "NCHW" or "NHWC".
        in_place: accepted for Fluid code, ignored.
        name: the prefix of the parameters' names.
        moving_mean_name, moving_variance_name: names of the running statistics; generated where they are None.
        do_model_average_for_mean_and_var: whether ModelAverage averages the running statistics.
        use_global_stats: normalise by the running statistics in training, too.

    Returns:
        A Variable of the shape and dtype of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable.
        ArgumentValueError: data_layout is unknown, epsilon is out of range, or param_attr or bias_attr is False.
        ShapeError: input has another rank, or its number of channels is unknown.
        DtypeError: input is not float16, float32 or float64.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
    ...     image = fluid.data('image', [None, 3, 8, 8])
    ...     normal = fluid.layers.batch_norm(image, act='relu')
    ...     [p.name for p in fluid.default_main_program().all_parameters()]
    ['batch_norm_0.w_0', 'batch_norm_0.b_0', 'batch_norm_0.w_1', 'batch_norm_0.w_2']
    """
    needs_both("batch_norm", param_attr, bias_attr)
    size = channel_count("batch_norm", input, data_layout)
    helper = LayerHelper("batch_norm", act=act, name=name)
    dtype = "float32" if input.dtype == "float16" else input.dtype
    scale = helper.create_parameter(param_attr, [size], dtype, default_initializer=Constant(1.0))
    shift = helper.create_parameter(bias_attr, [size], dtype, is_bias=True)
    averaged = do_model_average_for_mean_and_var
    number, tensor = (0.9, momentum) if is_variable(momentum) else (momentum, None)
    mean, variance = running_statistics(helper, size, dtype, moving_mean_name, moving_variance_name, averaged)
    y, *_ = helper.run(
        ops.batch_norm, input, scale, shift, mean, variance, tensor, carry={"MeanOut": mean, "VarianceOut": variance},
        order="SavedMean SavedVariance Y", is_test=is_test, momentum=number, epsilon=epsilon, data_layout=data_layout,
        use_global_stats=use_global_stats,
    )  # fmt: skip
    return helper.append_activation(y)


def instance_norm(
    input: Any, epsilon: float = 1e-05, param_attr: Any = None, bias_attr: Any = None, name: str | None = None
) -> Variable:
    """Normalise each channel of each image, then scale and shift it by new parameters.

    Source: Ulyanov, Vedaldi and Lempitsky, "Instance Normalization", 2016.

    Arguments:
        input: [N, C], [N, C, L], [N, C, H, W] or [N, C, D, H, W], float32 or float64.
        epsilon: the number added to the variance, at most 0.001.
        param_attr, bias_attr: the ParamAttrs of scale (initially 1) and shift (initially 0), each [C]; not False.
        name: the prefix of the parameters' names.

    Returns:
        A Variable of the shape and dtype of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable.
        ArgumentValueError: epsilon is out of range, or param_attr or bias_attr is False.
        ShapeError: input has another rank, or its number of channels is unknown.
        DtypeError: input is not float32 or float64.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     fluid.layers.instance_norm(fluid.data('image', [None, 3, 8, 8])).shape
    (-1, 3, 8, 8)
    """
    needs_both("instance_norm", param_attr, bias_attr)
    size = channel_count("instance_norm", input)
    helper = LayerHelper("instance_norm", name=name)
    scale = helper.create_parameter(param_attr, [size], input.dtype, default_initializer=Constant(1.0))
    shift = helper.create_parameter(bias_attr, [size], input.dtype, is_bias=True)
    order = "SavedMean SavedVariance Y"
    return helper.run(image_ops.instance_norm, input, scale, shift, order=order, epsilon=epsilon)[0]


def layer_norm(
    input: Variable,
    scale: bool = True,
    shift: bool = True,
    begin_norm_axis: int = 1,
    epsilon: float = 1e-05,
    param_attr: Any = None,
    bias_attr: Any = None,
    act: str | None = None,
    name: str | None = None,
) -> Variable:
    """Normalise the trailing dimensions of each sample, then scale and shift them by new parameters.

    Source: Ba, Kiros and Hinton, "Layer Normalization", 2016.

    Arguments:
        input: a Variable of rank 2 or more, float32 or float64.
        scale, shift: whether to scale and to shift.
        begin_norm_axis: the first of the dimensions that are normalised together.
        epsilon: the number added to the variance, at most 0.001.
        param_attr, bias_attr: the ParamAttrs of scale (initially 1) and shift (initially 0), each of as many elements
            as are normalised together.
        act: the name of an activation to apply to the result, or None.
        name: the prefix of the parameters' names.

    Returns:
        A Variable of the shape and dtype of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable.
        ArgumentValueError: epsilon is out of range, or param_attr or bias_attr is False.
        ShapeError: there is no such axis, or a size from there on is unknown.
        DtypeError: input is not float32 or float64.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     fluid.layers.layer_norm(fluid.data('x', [None, 3, 8])).shape
    (-1, 3, 8)
    """
    dims = list(check_variable("layer_norm", "input", input).shape)
    for flag, what, attr in ((scale, "param_attr", param_attr), (shift, "bias_attr", bias_attr)):
        if flag and attr is False:
            fix = "Pass scale=False or shift=False to go without it."
            raise ArgumentValueError(message("layer_norm", what, "False", "attributes of a parameter", fix))
    if not 0 < begin_norm_axis < len(dims) or min(dims[begin_norm_axis:]) < 1:
        needs = f"1 to {len(dims) - 1}, and known sizes from there on, for shape {dims}"
        raise ShapeError(message("layer_norm", "begin_norm_axis", begin_norm_axis, needs))
    helper, size = LayerHelper("layer_norm", act=act, name=name), [prod(dims[begin_norm_axis:])]
    weight = bias = None
    if scale:
        weight = helper.create_parameter(param_attr, size, input.dtype, default_initializer=Constant(1.0))
    if shift:
        bias = helper.create_parameter(bias_attr, size, input.dtype, is_bias=True)
    attrs = {"epsilon": epsilon, "begin_norm_axis": begin_norm_axis}
    return helper.append_activation(
        helper.run(ops.layer_norm, input, weight, bias, order="Mean Variance Y", **attrs)[0]
    )


def group_norm(
    input: Any,
    groups: int,
    epsilon: float = 1e-05,
    param_attr: Any = None,
    bias_attr: Any = None,
    act: str | None = None,
    data_layout: str = "NCHW",
    name: str | None = None,
) -> Variable:
    """Normalise each group of channels of each image, then scale and shift each channel by new parameters.

    Source: Wu and He, "Group Normalization", 2018.

    Arguments:
        input: [N, C, H, W] or with the channels last, float32 or float64.
        groups: the number of groups, a divisor of the number of channels.
        epsilon: the number added to the variance.
        param_attr, bias_attr: the ParamAttrs of scale (initially 1) and shift (initially 0), each [C]. As in Paddle,
            None and False both mean no scale or no shift; pass `ParamAttr()` for the defaults.
        act: the name of an activation to apply to the result, or None.
        data_layout: "NCHW" or "NHWC".
        name: the prefix of the parameters' names.

    Returns:
        A Variable of the shape and dtype of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable.
        ArgumentValueError: groups does not divide the channels, data_layout is unknown, or epsilon is out of range.
        ShapeError: input has another rank, or its number of channels is unknown.
        DtypeError: input is not float32 or float64.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     fluid.layers.group_norm(fluid.data('image', [None, 8, 4, 4]), groups=4).shape
    (-1, 8, 4, 4)
    """
    size = [channel_count("group_norm", input, data_layout)]
    helper = LayerHelper("group_norm", act=act, name=name)
    scale = shift = None
    if param_attr:
        scale = helper.create_parameter(param_attr, size, input.dtype, default_initializer=Constant(1.0))
    if bias_attr:
        shift = helper.create_parameter(bias_attr, size, input.dtype, is_bias=True)
    attrs = {"epsilon": epsilon, "groups": groups, "data_layout": data_layout}
    y = helper.run(image_ops.group_norm, input, scale, shift, order="Mean Variance Y", key=UNNAMED, **attrs)[0]
    return helper.append_activation(y)


def spectral_norm(
    weight: Variable, dim: int = 0, power_iters: int = 1, eps: float = 1e-12, name: str | None = None
) -> Variable:
    """Divide a weight by its largest singular value, which power iteration estimates from new, random vectors.

    The vectors are never updated, as in Paddle 1.8.

    Source: Miyato et al., "Spectral Normalization for Generative Adversarial Networks", 2018.

    Arguments:
        weight: a Variable of rank 2 to 5, float32 or float64.
        dim: the axis that becomes the rows of the matrix, 0 or 1: the axis of the outputs (0 for convolutions, 1 for
            fc).
        power_iters: the number of iterations, 0 or more.
        eps: the number added to the norms of the vectors.
        name: the prefix of the vectors' names.

    Returns:
        A Variable of the shape and dtype of `weight`.

    Raises:
        ArgumentTypeError: weight is not a Variable.
        ArgumentValueError: dim is not 0 or 1, or power_iters is negative.
        ShapeError: weight has another rank, or a size is unknown.
        DtypeError: weight is not float32 or float64.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     weight = fluid.layers.create_parameter([4, 3], 'float32')
    ...     fluid.layers.spectral_norm(weight, power_iters=2).shape
    (4, 3)
    """
    dims = list(check_variable("spectral_norm", "weight", weight).shape)
    if dim not in (0, 1):
        raise ArgumentValueError(message("spectral_norm", "dim", dim, "0 or 1"))
    if len(dims) < 2 or min(dims) < 1:
        raise ShapeError(message("spectral_norm", "weight", f"shape {dims}", "2 to 5 dimensions of known sizes"))
    helper = LayerHelper("spectral_norm", name=name)
    vectors = [
        helper.create_parameter(None, [n], weight.dtype, default_initializer=Normal(0.0, 1.0), stop_gradient=True)
        for n in (dims[dim], prod(dims) // dims[dim])
    ]
    attrs = {"dim": dim, "power_iters": power_iters, "eps": eps}
    return helper.run(weight_ops.spectral_norm, weight, *vectors, key=UNNAMED, **attrs)
