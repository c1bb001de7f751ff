"""Pooling layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.errors import ArgumentValueError, message
from ..core.typing import Variable
from ..imperative.layer import Layer
from ..imperative.layers.forms import also_before_1_7
from ..layers.nn.conv import check_flag
from ..layers.support.window_arguments import padding_attrs, pair
from ..ops.nn import pool


@also_before_1_7()
class Pool2D(Layer):
    """Apply two-dimensional pooling to [N, C, H, W].

    Arguments:
        pool_size: height and width of the window, or one number; not needed with `global_pooling`.
        pool_type: "max" or "avg".
        pool_stride: one number or [height, width].
        pool_padding: one number, [height, width], [top, bottom, left, right], "SAME" or "VALID".
        global_pooling: pool the whole image.
        use_cudnn: kept for Fluid code; has no effect.
        ceil_mode: round the size of the output up.
        exclusive: "avg" divides by the elements inside of the image, not by those of the window.

    Raises:
        ArgumentValueError: `pool_type` is not "max" or "avg", or there is no `pool_size`.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> pool = paddle.nn.Pool2D(pool_size=2, pool_type='max', pool_stride=2)
    >>> pool(paddle.imperative.to_variable(np.ones([2, 3, 8, 8], 'float32'))).shape
    [2, 3, 4, 4]
    """

    _unless_given = {
        "pooling_type": "max",
        "ksize": [-1, -1],
        "global_pooling": False,
        "strides": [1, 1],
        "paddings": [0, 0],
        "padding_algorithm": "EXPLICIT",
        "ceil_mode": False,
        "exclusive": True,
        "adaptive": False,
        "data_format": "NCHW",
    }

    def __init__(
        self,
        pool_size: int | Sequence[int] = -1,
        pool_type: str = "max",
        pool_stride: int | Sequence[int] = 1,
        pool_padding: Any = 0,
        global_pooling: bool = False,
        use_cudnn: bool = True,
        ceil_mode: bool = False,
        exclusive: bool = True,
    ) -> None:
        super().__init__()
        check_flag("Pool2D", use_cudnn)
        if pool_type not in ("max", "avg"):
            raise ArgumentValueError(message("Pool2D", "pool_type", repr(pool_type), '"max" or "avg"'))
        if pool_size == -1 and not global_pooling:
            raise ArgumentValueError(message("Pool2D", "pool_size", -1, "a size, where global_pooling is not set"))
        paddings, algorithm = padding_attrs("Pool2D", pool_padding)
        self._l_type, self._use_cudnn = "pool2d", use_cudnn
        self._attrs = {
            "pooling_type": pool_type,
            "ksize": pair("Pool2D", "pool_size", pool_size),
            "global_pooling": global_pooling,
            "strides": pair("Pool2D", "pool_stride", pool_stride),
            "paddings": paddings,
            "padding_algorithm": algorithm,
            "ceil_mode": ceil_mode,
            "exclusive": exclusive,
            "adaptive": False,
            "data_format": "NCHW",
        }

    def forward(self, input: Variable) -> Variable:
        return pool.pool2d.call(input, **self._attrs)
