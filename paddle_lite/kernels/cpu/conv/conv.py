"""2-D convolution and its gradients on NumPy arrays, each by the algorithm that is fastest for its sizes.

The algorithms are matrix products over blocks that stay in the cache (`columns`), sums in registers (`direct`), one
channel a filter (`depthwise`), and fewer products by polynomials (`winograd`). `choice` selects one.

Arrays are `[image, channel, row, column]`, filters `[filter, channel of the group, row, column]`; paddings are `(top,
bottom, left, right)`. Results have the dtype of the first argument, float32 or float64, to which the other arguments are
converted.

The order of summation differs from that of the definition, and `winograd` uses another formula: for 3x3 filters with
stride 1 and many channels, float32 results are within 1e-4 of the largest one, and an infinite or NaN input affects the
4x4 outputs around it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from paddle_lite.kernels.cpu.conv.choice import choose
from paddle_lite.kernels.cpu.conv.epilogue import epilogue
from paddle_lite.kernels.cpu.conv.geometry import geometry

__all__ = ["conv2d", "conv2d_filter_grad", "conv2d_input_grad"]


def conv2d(
    x: np.ndarray,
    w: np.ndarray,
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int],
    groups: int,
    bias: np.ndarray | None = None,
    act: str | None = None,
) -> np.ndarray:
    """Convolve images with filters (cross-correlation in the terms of signal processing).

    Args:
        x: images [N, C, H, W], float32 or float64.
        w: filters [K, C / groups, KH, KW] of the same dtype.
        strides: (vertical, horizontal).
        pads: zero padding at (top, bottom, left, right).
        dilations: distance between taps, (vertical, horizontal).
        groups: K / groups filters each see C / groups channels.
        bias: [K], added to the outputs of each filter.
        act: "relu", "relu6", "sigmoid" or "tanh", applied to the sum.

    Returns:
        [N, K, OH, OW] with OH = (H + top + bottom - dilation * (KH - 1) - 1) // stride + 1, likewise OW.

    Raises:
        ShapeError: channels, filters and groups disagree, the window is larger than the padded image, or the bias does
            not fit the filters.
        ArgumentValueError: the activation is not one of these.

    Example:
        >>> x = np.arange(9, dtype=np.float32).reshape(1, 1, 3, 3)
        >>> conv2d(x, np.ones((1, 1, 2, 2), np.float32), (1, 1), (0, 0, 0, 0), (1, 1), 1)
        array([[[[ 8., 12.],
                 [20., 24.]]]], dtype=float32)
    """
    g = geometry(x.shape, w.shape, tuple(strides), tuple(pads), tuple(dilations), groups)
    x, w = np.ascontiguousarray(x), np.ascontiguousarray(w, x.dtype)
    y = np.empty((g.batch, w.shape[0], g.out_height, g.out_width), x.dtype)
    after = epilogue(bias, act, w.shape[0], x.dtype)
    if y.size:
        choose("forward", g, x.dtype)(g, x, w, y, after)
    return y


def conv2d_input_grad(
    dy: np.ndarray,
    w: np.ndarray,
    x_shape: Sequence[int],
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int],
    groups: int,
) -> np.ndarray:
    """Return the gradient of `conv2d` with respect to the images.

    Args:
        dy: gradient of the result, [N, K, OH, OW].
        w: the filters, [K, C / groups, KH, KW].
        x_shape: shape of the images, [N, C, H, W].
        strides: as for `conv2d`.
        pads: as for `conv2d`.
        dilations: as for `conv2d`.
        groups: as for `conv2d`.

    Returns:
        An array of shape x_shape.

    Raises:
        ShapeError: as for `conv2d`.
    """
    g = geometry(tuple(x_shape), w.shape, tuple(strides), tuple(pads), tuple(dilations), groups)
    dy, w = np.ascontiguousarray(dy), np.ascontiguousarray(w, dy.dtype)
    dx = np.empty(tuple(x_shape), dy.dtype)
    if dx.size:
        choose("input_grad", g, dy.dtype)(g, dy, w, dx)
    return dx


def conv2d_filter_grad(
    x: np.ndarray,
    dy: np.ndarray,
    w_shape: Sequence[int],
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int],
    groups: int,
) -> np.ndarray:
    """Return the gradient of `conv2d` with respect to the filters.

    Args:
        x: the images, [N, C, H, W].
        dy: gradient of the result, [N, K, OH, OW].
        w_shape: shape of the filters, [K, C / groups, KH, KW].
        strides: as for `conv2d`.
        pads: as for `conv2d`.
        dilations: as for `conv2d`.
        groups: as for `conv2d`.

    Returns:
        An array of shape w_shape.

    Raises:
        ShapeError: as for `conv2d`.
    """
    g = geometry(x.shape, tuple(w_shape), tuple(strides), tuple(pads), tuple(dilations), groups)
    x, dy = np.ascontiguousarray(x), np.ascontiguousarray(dy, x.dtype)
    dw = np.empty(tuple(w_shape), x.dtype)
    if g.batch:
        choose("filter_grad", g, x.dtype)(g, x, dy, dw)
    else:
        dw[...] = 0
    return dw
