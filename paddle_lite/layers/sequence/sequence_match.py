"""Tables of pairs of sequences: a number for each row of the one and each row of the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.errors import ArgumentValueError, message
from ...ops.sequence import sequence_match as ops
from ..support.arguments import check_variable, ints, whole
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
    """How well each row of a sequence goes with each row of another: x W y, with new weights for each channel.

    Arguments:
        x: [rows, D] with a LoD of one level.
        y: [rows, E] with a LoD of as many sequences.
        channel_num: the number of channels.
        act: name of an activation.
        param_attr: of the weights [D, channel_num, E].
        dtype: of the weights.
        name: the parameter's name starts with it.

    Returns:
        (the tables [numbers, 1], for each pair of sequences channels, rows of x, rows of y; x W, flat)

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
    channels = whole(where, "channel_num", channel_num)
    helper = LayerHelper(where, act=act, name=name)
    weight = helper.create_parameter(param_attr, [widths[0], channels, widths[1]], dtype)
    out, projected = helper.run(ops.match_matrix_tensor, x, y, weight, dim_t=channels)
    return helper.append_activation(out), projected


def _pair(where: str, name: str, value: Any) -> list[int]:
    """[along rows, along columns] from one number or two."""
    each = ints(where, name, value)
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
) -> Any:
    """A convolution over images of different sizes, with new weights; 0 stands outside of an image.

    Arguments:
        input: [numbers, 1] with a LoD: each sequence is an image, channels by rows by columns.
        row: a Variable whose LoD has as many rows in each sequence as the image.
        col: the same for its columns.
        input_channel: the number of channels of the images.
        output_channel: and of the result.
        filter_size: of the windows: an int, or a list [along rows, along columns].
        stride: from window to window, in the same way.
        param_attr: of the weights [output_channel, input_channel * filter_size[0] * filter_size[1]].
        act: name of an activation.
        dtype: of the weights.
        name: the parameter's name starts with it.

    Returns:
        The images that come out, as `input` holds them.

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
        "InputChannel": whole(where, "input_channel", input_channel),
        "OutputChannel": whole(where, "output_channel", output_channel),
        **dict(zip(("KernelH", "KernelW", "StrideH", "StrideW"), (*size, *step), strict=True)),
    }
    helper = LayerHelper(where, act=act, name=name)
    shape = [attrs["OutputChannel"], attrs["InputChannel"] * size[0] * size[1]]
    weight = helper.create_parameter(param_attr, shape, dtype)
    out, _ = helper.run(ops.var_conv_2d, *inputs, weight, **attrs)
    return helper.append_activation(out)


def sequence_topk_avg_pooling(input: Any, row: Any, col: Any, topks: Sequence[int], channel_num: int) -> Any:
    """The means of the k largest numbers of each row of tables, for several k.

    Arguments:
        input: [numbers, 1] with a LoD: each sequence is a table, channels by rows by columns.
        row: a Variable whose LoD has as many rows in each sequence as the table.
        col: the same for its columns.
        topks: rising numbers; k divides the sum even where there are fewer columns.
        channel_num: the number of channels.

    Returns:
        [rows, channel_num * len(topks)] with the LoD of `row`.

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
    attrs = {"topks": ints(where, "topks", topks), "channel_num": whole(where, "channel_num", channel_num)}
    return ops.sequence_topk_avg_pooling.call(*inputs, **attrs)[0]
