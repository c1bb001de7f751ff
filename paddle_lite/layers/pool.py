"""Pooling."""

from __future__ import annotations

from typing import Any

from ..core.errors import ArgumentValueError, message
from ..ops import pool as ops
from .padding import padding_attrs, pair

__all__ = ["adaptive_pool2d", "pool2d"]


def check_type(where: str, pool_type: str) -> str:
    """The type of a pooling, or an error."""
    if pool_type not in ("max", "avg"):
        raise ArgumentValueError(message(where, "pool_type", repr(pool_type), '"max" or "avg"'))
    return pool_type


def pool2d(
    input: Any,
    pool_size: Any = -1,
    pool_type: str = "max",
    pool_stride: Any = 1,
    pool_padding: Any = 0,
    global_pooling: bool = False,
    use_cudnn: bool = True,
    ceil_mode: bool = False,
    name: str | None = None,
    exclusive: bool = True,
    data_format: str = "NCHW",
) -> Any:
    """The maximum or the average over each window of an image.

    Arguments:
        input: [N, C, H, W], or [N, H, W, C] with data_format "NHWC"; float32 or float64.
        pool_size: height and width of the window, or one number; not needed with `global_pooling`.
        pool_type: "max" or "avg".
        pool_stride: one number or [height, width].
        pool_padding: one number, [height, width], [top, bottom, left, right], four pairs, "SAME" or "VALID".
        global_pooling: pool the whole image.
        use_cudnn: kept for Fluid code; has no effect.
        ceil_mode: round the size of the output up.
        exclusive: "avg" divides by the elements inside of the image, not by those of the window.

    Returns:
        A Variable in the layout of `input`.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.arange(16, dtype='float32').reshape(1, 1, 4, 4))
    ...     fluid.layers.pool2d(x, pool_size=2, pool_stride=2).numpy()
    array([[[[ 5.,  7.],
             [13., 15.]]]], dtype=float32)
    """
    check_type("pool2d", pool_type)
    if pool_size == -1 and not global_pooling:
        raise ArgumentValueError(message("pool2d", "pool_size", -1, "a size, where global_pooling is not set"))
    paddings, algorithm = padding_attrs("pool2d", pool_padding, data_format == "NHWC")
    if algorithm == "VALID" and ceil_mode:
        raise ArgumentValueError(message("pool2d", "ceil_mode", True, 'False with pool_padding="VALID"'))
    return ops.pool2d.call(
        input,
        pooling_type=pool_type,
        ksize=pair("pool2d", "pool_size", pool_size),
        global_pooling=global_pooling,
        strides=pair("pool2d", "pool_stride", pool_stride),
        paddings=paddings,
        padding_algorithm=algorithm,
        ceil_mode=ceil_mode,
        exclusive=exclusive,
        adaptive=False,
        data_format=data_format,
    )


def adaptive_pool2d(
    input: Any, pool_size: Any, pool_type: str = "max", require_index: bool = False, name: str | None = None
) -> Any:
    """The maximum or the average over windows that divide the image into `pool_size` outputs.

    Arguments:
        input: [N, C, H, W], float32 or float64.
        pool_size: height and width of the output, or one number.
        pool_type: "max" or "avg".
        require_index: return where the maxima were, too.

    Returns:
        [N, C, pool_size]; with `require_index` (that, int32 row * W + column of the same shape).

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([1, 2, 5, 7], 'float32'))
    ...     fluid.layers.adaptive_pool2d(x, [2, 3], pool_type='avg').shape
    [1, 2, 2, 3]
    """
    check_type("adaptive_pool2d", pool_type)
    size = pair("adaptive_pool2d", "pool_size", pool_size)
    if pool_type == "avg":
        if require_index:
            raise ArgumentValueError(message("adaptive_pool2d", "require_index", True, 'False with pool_type="avg"'))
        return ops.pool2d.call(input, pooling_type=pool_type, ksize=size, adaptive=True)
    out, index = ops.max_pool2d_with_index.call(input, ksize=size, adaptive=True)
    return (out, index) if require_index else out
