"""Pooling over images and volumes."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, message
from ...core.typing import Variable
from ...ops.nn import pool as ops
from ..support.window_arguments import padding_attrs, pair
from .conv import check_flag

__all__ = ["adaptive_pool2d", "adaptive_pool3d", "pool2d", "pool3d"]


def check_type(where: str, pool_type: str) -> str:
    """Return the pooling type; raise if it is unknown."""
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
) -> Variable:
    """Compute the maximum or the average over each window of an image.

    Arguments:
        input: [N, C, H, W], or [N, H, W, C] with data_format "NHWC"; float32 or float64.
        pool_size: [height, width] of the window, or one int for both; ignored with `global_pooling`.
        pool_type: "max" or "avg".
        pool_stride: [height, width], or one int for both.
        pool_padding: one int, [height, width], [top, bottom, left, right], four pairs, "SAME" or "VALID".
        global_pooling: use the whole image as the only window.
        use_cudnn: accepted for Fluid code, ignored.
        ceil_mode: round the size of the output up rather than down.
        exclusive: whether "avg" divides by the number of elements inside of the image rather than by the size of the
            window.
        name: accepted for Fluid code, ignored.
        data_format: "NCHW" or "NHWC".

    Returns:
        A Variable in the layout of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, use_cudnn is not a bool, or a size, stride or padding has another form.
        ArgumentValueError: pool_type, data_format or padding is unknown, a size, stride or padding is out of range, or
            pool_size is missing without global_pooling.
        ShapeError: input has another rank, or the window is larger than the padded input.
        DtypeError: input is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.arange(16, dtype='float32').reshape(1, 1, 4, 4))
    ...     fluid.layers.pool2d(x, pool_size=2, pool_stride=2).numpy()
    array([[[[ 5.,  7.],
             [13., 15.]]]], dtype=float32)
    """
    check_flag("pool2d", use_cudnn)
    return _strided(
        ops.pool2d,
        input,
        pool_size,
        pool_type,
        pool_stride,
        pool_padding,
        global_pooling,
        ceil_mode,
        exclusive,
        data_format,
    )


def pool3d(
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
    data_format: str = "NCDHW",
) -> Variable:
    """Compute the maximum or the average over each window of a volume.

    Arguments:
        input: [N, C, D, H, W], or [N, D, H, W, C] with data_format "NDHWC"; float32 or float64.
        pool_size: [depth, height, width] of the window, or one int for all; ignored with `global_pooling`.
        pool_type: "max" or "avg".
        pool_stride: [depth, height, width], or one int for all.
        pool_padding: one int, [depth, height, width], [front, back, top, bottom, left, right], five pairs, "SAME" or
            "VALID".
        global_pooling: use the whole volume as the only window.
        use_cudnn: accepted for Fluid code, ignored.
        ceil_mode: round the size of the output up rather than down.
        exclusive: whether "avg" divides by the number of elements inside of the volume rather than by the size of the
            window.
        name: accepted for Fluid code, ignored.
        data_format: "NCDHW" or "NDHWC".

    Returns:
        A Variable in the layout of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, use_cudnn is not a bool, or a size, stride or padding has another form.
        ArgumentValueError: pool_type, data_format or padding is unknown, a size, stride or padding is out of range, or
            pool_size is missing without global_pooling.
        ShapeError: input has another rank, or the window is larger than the padded input.
        DtypeError: input is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.arange(16, dtype='float32').reshape(1, 1, 4, 2, 2))
    ...     fluid.layers.pool3d(x, pool_size=2, pool_stride=2, pool_type='avg').numpy().ravel()
    array([ 3.5, 11.5], dtype=float32)
    """
    check_flag("pool3d", use_cudnn)
    return _strided(
        ops.pool3d,
        input,
        pool_size,
        pool_type,
        pool_stride,
        pool_padding,
        global_pooling,
        ceil_mode,
        exclusive,
        data_format,
    )


def _strided(
    op: Any,
    input: Any,
    pool_size: Any,
    pool_type: str,
    pool_stride: Any,
    pool_padding: Any,
    global_pooling: bool,
    ceil_mode: bool,
    exclusive: bool,
    data_format: str,
) -> Any:
    """Append a pool2d or pool3d operator with a fixed stride."""
    where, dims = op.type, len(op.attrs["strides"].default)
    check_type(where, pool_type)
    if pool_size == -1 and not global_pooling:
        raise ArgumentValueError(message(where, "pool_size", -1, "a size, where global_pooling is not set"))
    paddings, algorithm = padding_attrs(where, pool_padding, data_format.endswith("C"), dims)
    if algorithm == "VALID" and ceil_mode:
        raise ArgumentValueError(message(where, "ceil_mode", True, 'False with pool_padding="VALID"'))
    return op.call(
        input,
        pooling_type=pool_type,
        ksize=pair(where, "pool_size", pool_size, dims),
        global_pooling=global_pooling,
        strides=pair(where, "pool_stride", pool_stride, dims),
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
    """Compute the maximum or the average over windows that divide an image into `pool_size` parts.

    Arguments:
        input: [N, C, H, W], float32 or float64.
        pool_size: [height, width] of the output, or one int for both.
        pool_type: "max" or "avg".
        require_index: whether to return the positions of the maxima, too; only for "max".
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [N, C, *pool_size]; with `require_index` (this Variable, int32 positions row * W + column of the same
            shape).

    Raises:
        ArgumentTypeError: input is not a Variable, or pool_size has another form.
        ArgumentValueError: pool_type is unknown, or require_index is set with "avg".
        ShapeError: input has another rank.
        DtypeError: input is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([1, 2, 5, 7], 'float32'))
    ...     fluid.layers.adaptive_pool2d(x, [2, 3], pool_type='avg').shape
    [1, 2, 2, 3]
    """
    return _adaptive(
        "adaptive_pool2d", ops.pool2d, ops.max_pool2d_with_index, input, pool_size, pool_type, require_index
    )


def adaptive_pool3d(
    input: Any, pool_size: Any, pool_type: str = "max", require_index: bool = False, name: str | None = None
) -> Any:
    """Compute the maximum or the average over windows that divide a volume into `pool_size` parts.

    Arguments:
        input: [N, C, D, H, W], float32 or float64.
        pool_size: [depth, height, width] of the output, or one int for all.
        pool_type: "max" or "avg".
        require_index: whether to return the positions of the maxima, too; only for "max".
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [N, C, *pool_size]; with `require_index` (this Variable, int32 positions (depth * H + row) * W +
            column of the same shape).

    Raises:
        ArgumentTypeError: input is not a Variable, or pool_size has another form.
        ArgumentValueError: pool_type is unknown, or require_index is set with "avg".
        ShapeError: input has another rank.
        DtypeError: input is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([1, 2, 4, 5, 7], 'float32'))
    ...     fluid.layers.adaptive_pool3d(x, [4, 2, 3], pool_type='avg').shape
    [1, 2, 4, 2, 3]
    """
    return _adaptive(
        "adaptive_pool3d", ops.pool3d, ops.max_pool3d_with_index, input, pool_size, pool_type, require_index
    )


def _adaptive(
    where: str, pool: Any, with_index: Any, input: Any, size: Any, pool_type: str, require_index: bool
) -> Any:
    """Append an adaptive pooling operator, with or without the positions of the maxima."""
    check_type(where, pool_type)
    size = pair(where, "pool_size", size, len(pool.attrs["strides"].default))
    if pool_type == "avg":
        if require_index:
            raise ArgumentValueError(message(where, "require_index", True, 'False with pool_type="avg"'))
        return pool.call(input, pooling_type=pool_type, ksize=size, adaptive=True)
    out, index = with_index.call(input, ksize=size, adaptive=True)
    return (out, index) if require_index else out
