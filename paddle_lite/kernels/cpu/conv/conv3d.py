"""3-D convolution and its gradients on NumPy arrays, implemented by 2-D convolutions.

The depth taps of a window become channels: a volume [N, C, D, H, W] becomes images [N * OD, C * KD, H, W], which are
convolved with filters [K, C / groups * KD, KH, KW]. Paddings are (front, back, top, bottom, left, right); everything else
is as in `conv`, with the depth first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from paddle_lite.core.errors import ShapeError, message
from paddle_lite.kernels.cpu.conv.conv import conv2d, conv2d_filter_grad, conv2d_input_grad
from paddle_lite.ops.support.window_sizes import window_count

__all__ = ["conv3d", "conv3d_filter_grad", "conv3d_input_grad"]

Numbers = Sequence[int]


def conv3d(
    x: np.ndarray, w: np.ndarray, strides: Numbers, pads: Numbers, dilations: Numbers, groups: int
) -> np.ndarray:
    """Convolve volumes with filters.

    Args:
        x: volumes [N, C, D, H, W], float32 or float64.
        w: filters [K, C / groups, KD, KH, KW] of the same dtype.
        strides: (along the depth, vertical, horizontal).
        pads: zero padding at (front, back, top, bottom, left, right).
        dilations: distance between taps, as strides.
        groups: K / groups filters each see C / groups channels.

    Returns:
        [N, K, OD, OH, OW].

    Raises:
        ShapeError: channels, filters and groups disagree, or the window is larger than the padded volume.

    Example:
        >>> x = np.ones((1, 1, 2, 2, 2), np.float32)
        >>> conv3d(x, np.ones((1, 1, 2, 2, 1), np.float32), (1, 1, 1), (0,) * 6, (1, 1, 1), 1)
        array([[[[[4., 4.]]]]], dtype=float32)
    """
    depth = Depth.of(x.shape[2], w.shape[2], strides, pads, dilations)
    y = conv2d(_stack(x, depth), _flat(w), strides[1:], pads[2:], dilations[1:], groups)
    return np.ascontiguousarray(y.reshape(x.shape[0], depth.out, *y.shape[1:]).swapaxes(1, 2))


def conv3d_input_grad(
    dy: np.ndarray, w: np.ndarray, x_shape: Numbers, strides: Numbers, pads: Numbers, dilations: Numbers, groups: int
) -> np.ndarray:
    """Return the gradient of `conv3d` with respect to the volumes.

    Args:
        dy: gradient of the result, [N, K, OD, OH, OW].
        w: the filters, [K, C / groups, KD, KH, KW].
        x_shape: shape of the volumes, [N, C, D, H, W].
        strides, pads, dilations, groups: as for `conv3d`.

    Returns:
        An array of shape x_shape.

    Raises:
        ShapeError: as for `conv3d`.
    """
    n, c, d, height, width = x_shape
    depth = Depth.of(d, w.shape[2], strides, pads, dilations)
    shape = (n * depth.out, c * depth.taps, height, width)
    stack = conv2d_input_grad(_images(dy), _flat(w), shape, strides[1:], pads[2:], dilations[1:], groups)
    stack = stack.reshape(n, depth.out, c, depth.taps, height, width)
    dx = np.zeros(tuple(x_shape), dy.dtype)
    for layer, tap, at in depth.places():
        dx[:, :, at] += stack[:, layer, :, tap]
    return dx


def conv3d_filter_grad(
    x: np.ndarray, dy: np.ndarray, w_shape: Numbers, strides: Numbers, pads: Numbers, dilations: Numbers, groups: int
) -> np.ndarray:
    """Return the gradient of `conv3d` with respect to the filters.

    Args:
        x: the volumes, [N, C, D, H, W].
        dy: gradient of the result, [N, K, OD, OH, OW].
        w_shape: shape of the filters, [K, C / groups, KD, KH, KW].
        strides, pads, dilations, groups: as for `conv3d`.

    Returns:
        An array of shape w_shape.

    Raises:
        ShapeError: as for `conv3d`.
    """
    filters, channels, taps, *window = w_shape
    depth = Depth.of(x.shape[2], taps, strides, pads, dilations)
    flat = (filters, channels * taps, *window)
    dw = conv2d_filter_grad(_stack(x, depth), _images(dy), flat, strides[1:], pads[2:], dilations[1:], groups)
    return dw.reshape(tuple(w_shape))


class Depth(NamedTuple):
    """The geometry of the windows along the depth."""

    size: int
    taps: int
    stride: int
    front: int
    dilation: int
    out: int

    @classmethod
    def of(cls, size: int, taps: int, strides: Numbers, pads: Numbers, dilations: Numbers) -> Depth:
        """Return the geometry along the depth from the attributes of all three dimensions."""
        out = window_count(size, taps, strides[0], (pads[0], pads[1]), dilations[0])
        if out < 1:
            needs = f"room for a window of {taps}, {dilations[0]} apart"
            raise ShapeError(message("conv3d", "Input", f"a depth of {size}", needs, "Add padding."))
        return cls(size, taps, strides[0], pads[0], dilations[0], out)

    def places(self) -> Iterator[tuple[int, int, int]]:
        """Yield (output, tap, index in the volume) for all taps outside the padding."""
        for layer in range(self.out):
            for tap in range(self.taps):
                at = layer * self.stride + tap * self.dilation - self.front
                if 0 <= at < self.size:
                    yield layer, tap, at


def _stack(x: np.ndarray, depth: Depth) -> np.ndarray:
    """Return the volumes as images with each depth tap's channels: [N * OD, C * KD, H, W]."""
    n, c, _, height, width = x.shape
    stack = np.zeros((n, depth.out, c, depth.taps, height, width), x.dtype)
    for layer, tap, at in depth.places():
        stack[:, layer, :, tap] = x[:, :, at]
    return stack.reshape(n * depth.out, c * depth.taps, height, width)


def _images(dy: np.ndarray) -> np.ndarray:
    """Return gradients [N, K, OD, OH, OW] as images [N * OD, K, OH, OW]."""
    return dy.swapaxes(1, 2).reshape(-1, dy.shape[1], *dy.shape[3:])


def _flat(w: np.ndarray) -> np.ndarray:
    """Return the filters with the depth taps as channels."""
    return w.reshape(w.shape[0], -1, *w.shape[3:])
