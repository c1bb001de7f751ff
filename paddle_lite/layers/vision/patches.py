"""The windows over an image as columns of a matrix, or as rows."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, message
from ...ops.vision import patches as ops
from ..support.arguments import check_variable, ints

__all__ = ["im2sequence", "unfold"]


def sizes(name: str, value: Any, *lengths: int, where: str = "unfold") -> list[int]:
    """An int, or a list of ints of one of these lengths, as a list of the last of them."""
    given = ints(where, name, value)
    if isinstance(value, (list, tuple)) and len(given) not in lengths:
        needs = f"an int, or {' or '.join(map(str, lengths))} of them"
        raise ArgumentValueError(message(where, name, list(value), needs))
    return given * (lengths[-1] // len(given))


def unfold(
    x: Any,
    kernel_sizes: Any,
    strides: Any = 1,
    paddings: Any = 0,
    dilations: Any = 1,
    name: str | None = None,
) -> Any:
    """The windows over an image as columns of a matrix (im2col): a convolution is a product with it.

    Arguments:
        x: [N, C, H, W], float32 or float64.
        kernel_sizes: height and width of the window, or one number for both.
        strides: one number or [height, width].
        paddings: one number, [height, width], or [top, left, bottom, right]; zeros are put there.
        dilations: how far apart the points of a window are; one number or [height, width].
        name: kept for Fluid code.

    Returns:
        A Variable [N, C * kernel height * kernel width, number of windows].

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
    input: Any,
    filter_size: Any = 1,
    stride: Any = 1,
    padding: Any = 0,
    input_image_size: Any = None,
    out_stride: Any = 1,
    name: str | None = None,
) -> Any:
    """The windows over each image as a sequence of rows: what a recurrent network reads from left to right, row by row.

    Arguments:
        input: [N, C, H, W], float32 or float64.
        filter_size: height and width of the window, or one number for both.
        stride: one number or [height, width].
        padding: one number, [height, width], or [top, left, bottom, right]; zeros are put there.
        input_image_size: a Variable [N, 2], of input's dtype: how high and wide each image was. There is no gradient where
            this leaves out windows; it does not count where N is 1.
        out_stride: what these are divided by (rounded up) to give sizes in `input`; one number or [height, width].
        name: kept for Fluid code.

    Returns:
        A Variable [number of windows, C * filter height * filter width], whose LoD counts the windows of each image.

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
