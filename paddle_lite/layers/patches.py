"""The windows over an image as columns of a matrix."""

from __future__ import annotations

from typing import Any

from ..core.errors import ArgumentValueError, message
from ..ops import patches as ops
from .arguments import check_variable, ints

__all__ = ["unfold"]


def sizes(name: str, value: Any, *lengths: int) -> list[int]:
    """An int, or a list of ints of one of these lengths, as a list of the last of them."""
    given = ints("unfold", name, value)
    if isinstance(value, (list, tuple)) and len(given) not in lengths:
        needs = f"an int, or {' or '.join(map(str, lengths))} of them"
        raise ArgumentValueError(message("unfold", name, list(value), needs))
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
