"""Deformable convolution."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, ShapeError, message
from ...core.typing import Variable
from ...ops.nn import deformable_conv as ops
from ...params.initializer import Normal
from ..support.arguments import check_int, check_variable, int_list
from ..support.helper import LayerHelper

__all__ = ["deformable_conv"]


def _two(name: str, value: Any) -> list[int]:
    """Return [height, width] from one int or a list of both."""
    given = int_list("deformable_conv", name, value)
    if len(given) not in (1, 2):
        raise ArgumentValueError(message("deformable_conv", name, value, "an int, or [height, width]"))
    return given * (2 // len(given))


def deformable_conv(
    input: Variable,
    offset: Variable,
    mask: Variable,
    num_filters: int,
    filter_size: Any,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int | None = None,
    deformable_groups: int | None = None,
    im2col_step: int | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    modulated: bool = True,
    name: str | None = None,
) -> Variable:
    """Compute a deformable convolution with new parameters: each point of its window is moved by an offset and
    multiplied by a mask.

    Source: Dai et al., "Deformable Convolutional Networks", 2017 (without a mask); Zhu et al., "Deformable ConvNets
    v2", 2018.

    Arguments:
        input: [N, C, H, W], float32 or float64.
        offset: [N, 2 * deformable_groups * window height * window width, H_out, W_out]: how far down and to the right
            each point of a window is moved.
        mask: [N, deformable_groups * window height * window width, H_out, W_out]; not read where `modulated` is False.
        num_filters: the number of channels of the output.
        filter_size, stride, padding, dilation: [height, width], or one int for both.
        groups: the number of groups of channels that are convolved separately; 1 where it is None.
        deformable_groups: the number of groups of channels with their own offsets; 1 where it is None.
        im2col_step: accepted for Fluid code, ignored. (On a CPU, Paddle mixes up images unless it is 1.)
        param_attr, bias_attr: the ParamAttrs of the filter [num_filters, C / groups, height, width] and the bias
            [num_filters]; bias_attr=False: no bias.
        modulated: whether to multiply by a mask.
        name: the prefix of the parameters' names.

    Returns:
        A Variable [N, num_filters, H_out, W_out].

    Raises:
        ArgumentTypeError: input, offset or mask is not a Variable, or a number is not an int.
        ArgumentValueError: a filter_size, stride, padding or dilation is out of range.
        ShapeError: the shapes do not fit together.
        DtypeError: the dtypes differ, or are not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     variable = lambda *shape: fluid.dygraph.to_variable(np.ones(shape, 'float32'))
    ...     x, offset, mask = variable(1, 3, 8, 8), variable(1, 18, 6, 6), variable(1, 9, 6, 6)
    ...     fluid.layers.deformable_conv(x, offset, mask, num_filters=4, filter_size=3).shape
    [1, 4, 6, 6]
    """
    where = "deformable_conv"
    inputs = [check_variable(where, "input", input), check_variable(where, "offset", offset)]
    if modulated:
        inputs.append(check_variable(where, "mask", mask))
    shape = input.shape
    groups = 1 if groups is None else check_int(where, "groups", groups)
    if len(shape) != 4 or groups < 1 or shape[1] % groups:
        needs = f"[N, C, H, W] with C a multiple of groups, {groups}"
        raise ShapeError(message(where, "input", f"shape {list(shape)}", needs))
    window, count = _two("filter_size", filter_size), check_int(where, "num_filters", num_filters)
    helper = LayerHelper(where, bias_attr=bias_attr, name=name)
    deviation = (2.0 / (window[0] * window[1] * shape[1])) ** 0.5
    sizes = [count, shape[1] // groups, *window]
    filters = helper.create_parameter(param_attr, sizes, input.dtype, default_initializer=Normal(0.0, deviation))
    op = ops.deformable_conv if modulated else ops.deformable_conv_v1
    out = helper.run(
        op, *inputs, filters, recorded={"im2col_step": 64 if im2col_step is None else int(im2col_step)}, strides=_two("stride", stride), paddings=_two("padding", padding),
        dilations=_two("dilation", dilation), groups=groups,
        deformable_groups=1 if deformable_groups is None else check_int(where, "deformable_groups", deformable_groups),
    )  # fmt: skip
    return helper.append_bias_op(out, dim_start=1, dim_end=2)
