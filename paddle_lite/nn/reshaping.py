"""Layers that only arrange: Flatten, and padding of images."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ..core.errors import ArgumentTypeError, ArgumentValueError, ShapeError, describe, message
from ..core.typing import Variable
from ..imperative.layer import Layer
from ..ops.shape import padding, shape


class Flatten(Layer):
    """Flatten adjacent dimensions into one.

    Arguments:
        start_axis, stop_axis: the first and the last dimension of those that are joined.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.Flatten()(paddle.imperative.to_variable(np.ones([2, 3, 4, 5], 'float32'))).shape
    [2, 60]
    """

    def __init__(self, start_axis: int = 1, stop_axis: int = -1) -> None:
        super().__init__()
        self._axes = (start_axis, stop_axis)

    def forward(self, input: Variable) -> Variable:
        sizes = list(input.shape)
        first, last = (a + len(sizes) if a < 0 else a for a in self._axes)
        if not 0 <= first <= last < len(sizes):
            needs = f"dimensions of shape {sizes}, the first no later than the last"
            raise ShapeError(message("Flatten", "start_axis and stop_axis", self._axes, needs))
        joined = sizes[first : last + 1]
        size = -1 if -1 in joined else prod(joined)
        target = [0 if n == -1 and i < first else n for i, n in enumerate(sizes[:first])] + [size] + sizes[last + 1 :]
        return shape.reshape2.call(input, shape=target)[0]


class Pad2D(Layer):
    """Pad the height and width of images.

    Arguments:
        paddings: [top, bottom, left, right], or one int for all four.
        mode: "constant", "reflect" or "edge".
        pad_value: the value of "constant".
        data_format: "NCHW" or "NHWC".

    Raises:
        ArgumentTypeError: `paddings` is neither an int nor a list of four ints.
        ArgumentValueError: `mode` is unknown.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nn.Pad2D([1, 1, 2, 2])(paddle.imperative.to_variable(np.ones([1, 3, 4, 4], 'float32'))).shape
    [1, 3, 6, 8]
    """

    def __init__(
        self,
        paddings: int | Sequence[int] = 0,
        mode: str = "constant",
        pad_value: float = 0.0,
        data_format: str = "NCHW",
    ) -> None:
        super().__init__()
        if isinstance(paddings, int) and not isinstance(paddings, bool):
            paddings = [paddings] * 4
        if not isinstance(paddings, (list, tuple)) or len(paddings) != 4:
            raise ArgumentTypeError(
                message("Pad2D", "paddings", describe(paddings), "[top, bottom, left, right] or an int")
            )
        if mode not in ("constant", "reflect", "edge"):
            raise ArgumentValueError(message("Pad2D", "mode", repr(mode), '"constant", "reflect" or "edge"'))
        self._attrs = {
            "paddings": list(paddings),
            "mode": mode,
            "pad_value": float(pad_value),
            "data_format": data_format,
        }

    def forward(self, input: Variable) -> Variable:
        return padding.pad2d.call(input, **self._attrs)
