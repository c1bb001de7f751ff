"""Matching matrices of pairs of sequences: one number for each row of one and each row of the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.errors import ArgumentValueError, message
from ...core.typing import Variable
from ...ops.sequence import sequence_match as ops
from ..support.arguments import check_int, check_variable, int_list
from ..support.helper import LayerHelper

__all__ = ["match_matrix_tensor", "sequence_topk_avg_pooling", "var_conv_2d"]


def match_matrix_tensor(
    x: Any,
    y: Any,
    channel_num: int,
    act: str | None = None,
    param_attr: Any = None,
    dtype: Any = "float32",
    name: str | None = None,
) -> tuple[Any, Any]:
    """Compute the matching scores x W y of each row of a sequence with each row of another, with new weights for each
    channel.

    Arguments:
        x: [rows, D] with a LoD of one level.
        y: [rows, E] with a LoD of as many sequences.
        channel_num: the number of channels.
        act: the name of an activation to apply to the result, or None.
        param_attr: the ParamAttr of the weights [D, channel_num, E].
        dtype: the dtype of the weights.
        name: the prefix of the parameter's name.

    Returns:
        (scores [n, 1] with a LoD: for each pair of sequences [channels, rows of x, rows of y], flattened; x W,
            flattened).

    Raises:
        ArgumentTypeError: x or y is not a Variable, or channel_num is not an int.
        ArgumentValueError: channel_num is below 1.
        LoDError: x or y has no LoD of one level, or the numbers of sequences differ.
        ShapeError: the rank of x or y is not 2.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.create_lod_tensor(np.ones([3, 2], 'float32'), [[1, 2]], fluid.CPUPlace())
    ...     y = fluid.create_lod_tensor(np.ones([4, 2], 'float32'), [[3, 1]], fluid.CPUPlace())
    ...     x, y = fluid.dygraph.to_variable(x), fluid.dygraph.to_variable(y)
    ...     table, _ = fluid.contrib.layers.match_matrix_tensor(x, y, channel_num=2)
    ...     table.shape, table.lod()
    ([10, 1], [[0, 6, 10]])
    """
    where = "match_matrix_tensor"
    widths = [check_variable(where, key, value).shape[-1] for key, value in (("x", x), ("y", y))]
    channels = check_int(where, "channel_num", channel_num)
    helper = LayerHelper(where, act=act, name=name)
    weight = helper.create_parameter(param_attr, [widths[0], channels, widths[1]], dtype)
    out, projected = helper.run(ops.match_matrix_tensor, x, y, weight, dim_t=channels)
    return helper.append_activation(out), projected


def _pair(where: str, name: str, value: Any) -> list[int]:
    """Return [along rows, along columns] from one int or a list of two."""
    each = int_list(where, name, value)
    if len(each) not in (1, 2):
        raise ArgumentValueError(message(where, name, value, "one int, or two: along rows and along columns"))
    return each * (3 - len(each))


def var_conv_2d(
    input: Any,
    row: Any,
    col: Any,
    input_channel: int,
    output_channel: int,
    filter_size: Any,
    stride: Any = 1,
    param_attr: Any = None,
    act: str | None = None,
    dtype: Any = "float32",
    name: str | None = None,
) -> Variable:
    """Compute a convolution over images of different sizes with new weights; the images are padded with 0.

    Arguments:
        input: [n, 1] with a LoD: each sequence is an image [channels, rows, columns], flattened.
        row: a Variable whose LoD has the number of rows of each image as lengths.
        col: the same for the columns.
        input_channel: the number of channels of the images.
        output_channel: the number of channels of the result.
        filter_size: the size of the window: an int, or [along rows, along columns].
        stride: the distance between windows, in the same form.
        param_attr: the ParamAttr of the weights [output_channel, input_channel * filter_size[0] * filter_size[1]].
        act: the name of an activation to apply to the result, or None.
        dtype: the dtype of the weights.
        name: the prefix of the parameter's name.

    Returns:
        A Variable that holds the resulting images in the form of `input`.

    Raises:
        ArgumentTypeError: input, row or col is not a Variable, or a number is not an int.
        ArgumentValueError: filter_size or stride is out of range.
        LoDError: a LoD is missing, or the LoDs do not fit together.
        ShapeError: input is not [n, 1].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     def lod(lengths):
    ...         x = fluid.create_lod_tensor(np.ones([sum(lengths), 1], 'float32'), [lengths], fluid.CPUPlace())
    ...         return fluid.dygraph.to_variable(x)
    ...     out = fluid.contrib.layers.var_conv_2d(lod([6, 4]), lod([2, 2]), lod([3, 2]), 1, 5, filter_size=3)
    ...     out.shape, out.lod()
    ([50, 1], [[0, 30, 50]])
    """
    where = "var_conv_2d"
    inputs = [check_variable(where, key, value) for key, value in (("input", input), ("row", row), ("col", col))]
    size, step = _pair(where, "filter_size", filter_size), _pair(where, "stride", stride)
    attrs = {
        "InputChannel": check_int(where, "input_channel", input_channel),
        "OutputChannel": check_int(where, "output_channel", output_channel),
        **dict(zip(("KernelH", "KernelW", "StrideH", "StrideW"), (*size, *step), strict=True)),
    }
    helper = LayerHelper(where, act=act, name=name)
    shape = [attrs["OutputChannel"], attrs["InputChannel"] * size[0] * size[1]]
    weight = helper.create_parameter(param_attr, shape, dtype)
    out, _ = helper.run(ops.var_conv_2d, *inputs, weight, **attrs)
    return helper.append_activation(out)


def sequence_topk_avg_pooling(input: Any, row: Any, col: Any, topks: Sequence[int], channel_num: int) -> Variable:
    """Compute the means of the k largest elements of each row of matrices, for several k.

    Arguments:
        input: [n, 1] with a LoD: each sequence is a matrix [channels, rows, columns], flattened.
        row: a Variable whose LoD has the number of rows of each matrix as lengths.
        col: the same for the columns.
        topks: the values of k in ascending order. The sum is divided by k even if there are fewer columns.
        channel_num: the number of channels.

    Returns:
        A Variable [rows, channel_num * len(topks)] with the LoD of `row`.

    Raises:
        ArgumentTypeError: input, row or col is not a Variable, or topks or channel_num does not hold ints.
        ArgumentValueError: topks is empty or not in ascending order.
        LoDError: a LoD is missing, or the LoDs do not fit together.
        ShapeError: input is not [n, 1].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     def lod(lengths):
    ...         x = np.arange(sum(lengths), dtype='float32').reshape(-1, 1)
    ...         return fluid.dygraph.to_variable(fluid.create_lod_tensor(x, [lengths], fluid.CPUPlace()))
    ...     fluid.contrib.layers.sequence_topk_avg_pooling(lod([6]), lod([2]), lod([3]), [1, 2], 1).numpy().tolist()
    [[2.0, 1.5], [5.0, 4.5]]
    """
    where = "sequence_topk_avg_pooling"
    inputs = [check_variable(where, key, value) for key, value in (("input", input), ("row", row), ("col", col))]
    attrs = {"topks": int_list(where, "topks", topks), "channel_num": check_int(where, "channel_num", channel_num)}
    return ops.sequence_topk_avg_pooling.call(*inputs, **attrs)[0]
