"""2-D pooling and its gradients on NumPy arrays `[image, channel, row, column]` of float32 or float64.

`Windows` defines the inputs of each output: the first and the last row and column, clipped to the image, so that the
kernels treat strided and adaptive pooling, paddings and the extra windows of ceil_mode alike. Adjacent windows of 2x2,
which most networks have, use kernels of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from paddle_lite.core.errors import ShapeError, message
from paddle_lite.kernels.cpu.conv.epilogue import finish_flat, limits, remaining_code
from paddle_lite.kernels.cpu.nn import pool_loops as loops
from paddle_lite.kernels.threads import parallel_slices

__all__ = [
    "Windows",
    "adaptive_windows",
    "avg_pool2d",
    "avg_pool2d_grad",
    "max_pool2d",
    "max_pool2d_grad",
    "max_pool2d_index_grad",
    "max_pool2d_with_index",
    "strided_windows",
]

# the work, for threads.parallel_slices, of an output of loops over windows, and of an input of a window that is compared
OUTPUT, COMPARED, PLACED = 20, 7, 17
LOWEST = float(np.finfo(np.float32).min)  # the maximum of an empty window, also in float64, as in PaddlePaddle


class Windows(NamedTuple):
    """The inputs of each output of a pooling.

    Attributes:
        tops, bottoms: int64 [OH], the first row of each window and the end of its rows.
        lefts, rights: int64 [OW], the same for columns.
        area: the divisor of an average; 0 means the number of inputs in the window.
        pairs: whether the windows are 2x2 and adjacent.
        inputs: the number of inputs of all windows of a plane; an input of two windows counts twice.
    """

    tops: np.ndarray
    bottoms: np.ndarray
    lefts: np.ndarray
    rights: np.ndarray
    area: int
    pairs: bool
    inputs: int

    @property
    def bounds(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The bounds of rows and columns for the loops."""
        return self[:4]

    @property
    def out_size(self) -> tuple[int, int]:
        """Rows and columns of the output."""
        return self.tops.size, self.lefts.size


def strided_windows(
    size: Sequence[int],
    ksize: Sequence[int],
    strides: Sequence[int],
    pads: Sequence[int],
    out_size: Sequence[int],
    exclusive: bool = True,
) -> Windows:
    """Return windows of one size at equal distances.

    Args:
        size: rows and columns of the image.
        ksize: rows and columns of a window.
        strides: distances between windows, (vertical, horizontal).
        pads: points added at (top, bottom, left, right); maxima and sums ignore them.
        out_size: rows and columns of the output, which include the rounding of ceil_mode.
        exclusive: whether an average divides by the number of inputs without padding, not by the window's size.

    Returns:
        The windows, clipped to the image.

    Raises:
        ShapeError: a size or stride is not positive.

    Example:
        >>> strided_windows((5, 5), (2, 2), (2, 2), (0, 0, 0, 0), (3, 3)).bottoms
        array([2, 4, 5])
    """
    return _strided(tuple(size), tuple(ksize), tuple(strides), tuple(pads), tuple(out_size), bool(exclusive))


def adaptive_windows(size: Sequence[int], out_size: Sequence[int]) -> Windows:
    """Return windows that cover the image with a given number of outputs and overlap if the sizes are not divisible.

    Args:
        size: rows and columns of the image.
        out_size: rows and columns of the output.

    Returns:
        Windows from floor(i * size / out) to ceil((i + 1) * size / out); averages divide by their own area.

    Raises:
        ShapeError: a size is not positive.

    Example:
        >>> windows = adaptive_windows((5, 5), (2, 2))
        >>> windows.tops, windows.bottoms
        (array([0, 2]), array([3, 5]))
    """
    return _adaptive(tuple(size), tuple(out_size))


def max_pool2d(x: np.ndarray, windows: Windows, act: str | None = None) -> np.ndarray:
    """Return the maximum of each window: NaN if it contains one, the lowest number of float32 if it is empty.

    Args:
        x: [N, C, H, W].
        windows: for images of H rows and W columns.
        act: "relu", "relu6", "sigmoid" or "tanh" is applied to each result.

    Returns:
        [N, C, OH, OW].

    Raises:
        ArgumentValueError: the activation is none of those.

    Example:
        >>> x = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)
        >>> max_pool2d(x, strided_windows((4, 4), (2, 2), (2, 2), (0, 0, 0, 0), (2, 2)))
        array([[[[ 5.,  7.],
                 [13., 15.]]]], dtype=float32)
    """
    rest = remaining_code("pool2d", act)
    planes, y = _planes(x), _outputs(x, windows)
    if windows.pairs:
        parallel_slices(loops.max_pairs, (planes, _planes(y), *limits(act, x.dtype)), (0, 1), x.size)
    else:
        args = planes, _planes(y), *windows.bounds, LOWEST, *limits(act, x.dtype)
        parallel_slices(loops.max_windows, args, (0, 1), x.size + OUTPUT * y.size)
    return _activated(y, rest)


def max_pool2d_with_index(x: np.ndarray, windows: Windows) -> tuple[np.ndarray, np.ndarray]:
    """Return the maximum of each window and its position.

    Args:
        x: [N, C, H, W].
        windows: for images of H rows and W columns.

    Returns:
        [N, C, OH, OW] values, and int32 [N, C, OH, OW] positions `row * W + column` of the first largest one, -1 where
        the window is empty.
    """
    y = _outputs(x, windows)
    index = np.empty(y.shape, np.int32)
    planes = _planes(x)
    args = planes, _planes(y), _planes(index), *windows.bounds, LOWEST
    parallel_slices(loops.max_windows_with_index, args, (0, 1, 2), PLACED * len(planes) * windows.inputs)
    return y, index


def max_pool2d_grad(x: np.ndarray, y: np.ndarray, dy: np.ndarray, windows: Windows) -> np.ndarray:
    """Return the gradient of `max_pool2d`: each output's gradient goes to the first maximum of its window in row order.

    If an output is NaN, its gradient goes to the first input of the window.

    Args:
        x: [N, C, H, W].
        y: the result of max_pool2d, [N, C, OH, OW].
        dy: gradient of y.
        windows: as for max_pool2d.

    Returns:
        [N, C, H, W].
    """
    dx = np.empty(x.shape, dy.dtype)
    planes = _planes(x), _planes(y), _planes(dy), _planes(dx)
    if windows.pairs:
        parallel_slices(loops.max_pairs_grad, planes, (0, 1, 2, 3), x.size)
    else:
        work = COMPARED * len(planes[0]) * windows.inputs
        parallel_slices(loops.max_windows_grad, (*planes, *windows.bounds), (0, 1, 2, 3), work)
    return dx


def max_pool2d_index_grad(index: np.ndarray, dy: np.ndarray, x_shape: Sequence[int]) -> np.ndarray:
    """Return the gradient of `max_pool2d_with_index` with respect to x.

    Args:
        index: int32 [N, C, OH, OW] positions in a plane of H * W; negative ones are ignored.
        dy: gradient of the values, [N, C, OH, OW].
        x_shape: (N, C, H, W).

    Returns:
        An array of shape x_shape.
    """
    dx = np.zeros(tuple(x_shape), dy.dtype)
    args = _planes(index), _planes(dy), dx.reshape(-1, x_shape[2] * x_shape[3])
    parallel_slices(loops.add_at_index, args, (0, 1, 2), dx.size + 4 * dy.size)
    return dx


def avg_pool2d(x: np.ndarray, windows: Windows, act: str | None = None) -> np.ndarray:
    """Return the average of each window; 0 or NaN for an empty window if the area counts inputs.

    Args:
        x: [N, C, H, W].
        windows: for images of H rows and W columns.
        act: "relu", "relu6", "sigmoid" or "tanh" is applied to each result.

    Returns:
        [N, C, OH, OW].

    Raises:
        ArgumentValueError: the activation is none of those.

    Example:
        >>> x = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)
        >>> avg_pool2d(x, adaptive_windows((4, 4), (1, 1)))
        array([[[[7.5]]]], dtype=float32)
    """
    rest = remaining_code("pool2d", act)
    y = _outputs(x, windows)
    args = _planes(x), _planes(y), *windows.bounds, windows.area, *limits(act, x.dtype)
    parallel_slices(loops.average_windows, args, (0, 1), x.size + OUTPUT * y.size)
    return _activated(y, rest)


def avg_pool2d_grad(dy: np.ndarray, x_shape: Sequence[int], windows: Windows) -> np.ndarray:
    """Return the gradient of `avg_pool2d`: each output's gradient is divided equally among the inputs of its window.

    Args:
        dy: [N, C, OH, OW].
        x_shape: (N, C, H, W).
        windows: as for avg_pool2d.

    Returns:
        An array of shape x_shape.
    """
    dx = np.zeros(tuple(x_shape), dy.dtype)
    args = _planes(dy), _planes(dx), *windows.bounds, windows.area
    parallel_slices(loops.average_windows_grad, args, (0, 1), dx.size + OUTPUT * dy.size)
    return dx


def _activated(y: np.ndarray, code: int) -> np.ndarray:
    """Apply an activation to y in place and return y."""
    if code:
        finish_flat(y, code)
    return y


def _planes(array: np.ndarray) -> np.ndarray:
    """Return an array as contiguous planes [image and channel, row, column]."""
    return np.ascontiguousarray(array).reshape(-1, *array.shape[2:])


def _outputs(x: np.ndarray, windows: Windows) -> np.ndarray:
    """Return an uninitialised array for the outputs."""
    return np.empty((*x.shape[:2], *windows.out_size), x.dtype)


@lru_cache(maxsize=1024)
def _strided(
    size: tuple[int, ...],
    ksize: tuple[int, ...],
    strides: tuple[int, ...],
    pads: tuple[int, ...],
    out_size: tuple[int, ...],
    exclusive: bool,
) -> Windows:
    """Return `strided_windows`, cached for each geometry."""
    for name, numbers in (("ksize", ksize), ("strides", strides), ("output size", out_size)):
        if min(numbers) < 1:
            raise ShapeError(message("pool2d", name, list(numbers), "positive numbers"))
    edges = []
    for axis in (0, 1):
        first = np.arange(out_size[axis]) * strides[axis] - pads[2 * axis]
        edges += [np.maximum(first, 0), np.minimum(first + ksize[axis], size[axis])]
    fits = all(2 * out <= whole for out, whole in zip(out_size, size))
    pairs = ksize == (2, 2) and strides == (2, 2) and not any(pads) and fits
    return Windows(*_frozen(edges), 0 if exclusive else ksize[0] * ksize[1], pairs, _inputs(edges))


@lru_cache(maxsize=1024)
def _adaptive(size: tuple[int, ...], out_size: tuple[int, ...]) -> Windows:
    """Return `adaptive_windows`, cached for each geometry."""
    if min(*size, *out_size) < 1:
        needs = f"positive numbers, of the input as well (it is {list(size)})"
        raise ShapeError(message("pool2d", "adaptive output size", list(out_size), needs))
    edges = []
    for whole, out in zip(size, out_size):
        outputs = np.arange(out)
        edges += [outputs * whole // out, -(-(outputs + 1) * whole // out)]
    pairs = all(whole == 2 * out for whole, out in zip(size, out_size))
    return Windows(*_frozen(edges), 0, pairs, _inputs(edges))


def _inputs(edges: list[np.ndarray]) -> int:
    """Return the number of inputs of all windows."""
    tops, bottoms, lefts, rights = edges
    return int((bottoms - tops).sum() * (rights - lefts).sum())


def _frozen(edges: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the arrays as read-only int64, since they are shared."""
    tops, bottoms, lefts, rights = (edge.astype(np.int64) for edge in edges)
    for edge in (tops, bottoms, lefts, rights):
        edge.flags.writeable = False
    return tops, bottoms, lefts, rights
