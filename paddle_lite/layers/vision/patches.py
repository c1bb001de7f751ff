"""Patches of images as columns of a matrix (im2col), or as sequences."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, message
from ...core.typing import Variable
from ...ops.vision import patches as ops
from ..support.arguments import check_variable, int_list

__all__ = ["im2sequence", "unfold"]


def sizes(name: str, value: Any, *lengths: int, where: str = "unfold") -> list[int]:
    """Convert an int, or a list of ints of one of these lengths, to a list of the last length."""
    given = int_list(where, name, value)
    if isinstance(value, (list, tuple)) and len(given) not in lengths:
        needs = f"an int, or {' or '.join(map(str, lengths))} of them"
        raise ArgumentValueError(message(where, name, list(value), needs))
    return given * (lengths[-1] // len(given))


def unfold(
    x: Variable,
    kernel_sizes: Any,
    strides: Any = 1,
    paddings: Any = 0,
    dilations: Any = 1,
    name: str | None = None,
) -> Variable:
    """Extract sliding windows of an image as columns (im2col): a convolution is a matrix product with them.

    Arguments:
        x: [N, C, H, W], float32 or float64.
        kernel_sizes: [height, width] of the window, or one int for both.
        strides: [height, width], or one int for both.
        paddings: one int, [height, width], or [top, left, bottom, right]; padded with 0.
        dilations: the distance of the points of a window: [height, width], or one int for both.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [N, C * kernel height * kernel width, number of windows].

    Raises:
        ArgumentTypeError: x is not a Variable, or a size is not an int or a list of ints.
        ArgumentValueError: a list has the wrong length, or a number is out of range.
        ShapeError: the rank of x is not 4, or the window is larger than the padded image.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.arange(6, dtype='float32').reshape(1, 1, 2, 3))
    ...     fluid.layers.unfold(x, 2).numpy()
    array([[[0., 1.],
            [1., 2.],
            [3., 4.],
            [4., 5.]]], dtype=float32)
    """
    return ops.unfold.call(
        check_variable("unfold", "x", x),
        kernel_sizes=sizes("kernel_sizes", kernel_sizes, 2),
        strides=sizes("strides", strides, 2),
        paddings=sizes("paddings", paddings, 2, 4),
        dilations=sizes("dilations", dilations, 2),
    )


def im2sequence(
    input: Variable,
    filter_size: Any = 1,
    stride: Any = 1,
    padding: Any = 0,
    input_image_size: Variable | None = None,
    out_stride: Any = 1,
    name: str | None = None,
) -> Variable:
    """Extract sliding windows of each image as a sequence of rows, in row-major order.

    Arguments:
        input: [N, C, H, W], float32 or float64.
        filter_size: [height, width] of the window, or one int for both.
        stride: [height, width], or one int for both.
        padding: one int, [height, width], or [top, left, bottom, right]; padded with 0.
        input_image_size: a Variable [N, 2] of the dtype of `input`: the real height and width of each image. Where it
            excludes windows, there is no gradient; it is ignored where N is 1.
        out_stride: the divisor that converts these sizes to sizes in `input` (rounded up): [height, width], or one int
            for both.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [windows, C * filter height * filter width]; its LoD has the number of windows of each image.

    Raises:
        ArgumentTypeError: input or input_image_size is not a Variable, or a size is not an int or a list of ints.
        ArgumentValueError: a list has the wrong length, or a number is out of range.
        ShapeError: the rank of input is not 4, or the window is larger than the padded image.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.arange(6, dtype='float32').reshape(1, 1, 2, 3))
    ...     fluid.layers.im2sequence(x, filter_size=2).numpy()
    array([[0., 1., 3., 4.],
           [1., 2., 4., 5.]], dtype=float32)
    """
    where = "im2sequence"
    attrs = {
        "kernels": sizes("filter_size", filter_size, 2, where=where),
        "strides": sizes("stride", stride, 2, where=where),
    }
    attrs["paddings"] = sizes("padding", padding, 2, 4, where=where)
    if input_image_size is not None:
        check_variable(where, "input_image_size", input_image_size)
        attrs["out_stride"] = sizes("out_stride", out_stride, 2, where=where)
    return ops.im2sequence.call(check_variable(where, "input", input), input_image_size, **attrs)
