"""2-D pooling and its gradients on NumPy arrays `[image, channel, row, column]` of float32 or float64.

Which inputs belong to which output is said by `Windows`: the first and the last row and column of each, clipped to the
image, so that strided and adaptive pooling, paddings and the extra windows of ceil_mode are all the same to the
kernels. Windows of 2x2 side by side, which most networks have, are done apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from paddle_lite.core.errors import ShapeError, message
from paddle_lite.kernels.cpu.conv.epilogue import finish_flat, limits, remaining_code
from paddle_lite.kernels.cpu.nn import pool_loops as loops
from paddle_lite.kernels.threads import in_parts

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

# what threads.in_parts takes for an output of loops over windows, and for an input of a window where they are compared
OUTPUT, COMPARED, PLACED = 20, 7, 17
LOWEST = float(np.finfo(np.float32).min)  # the maximum of an empty window, in float64 too, as in PaddlePaddle


class Windows(NamedTuple):
    """The inputs of each output of a pooling.

    Attributes:
        tops, bottoms: int64 [OH], the first row of each window and the row behind its last.
        lefts, rights: int64 [OW], likewise for columns.
        area: what an average divides by; 0 stands for the number of inputs in the window.
        pairs: whether the windows are 2x2 and side by side.
        inputs: in all windows of a plane; those that are in two of them count twice.
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
        """Rows and columns, as the loops take them."""
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
    """Windows of one size, one stride apart.

    Args:
        size: rows and columns of the image.
        ksize: rows and columns of a window.
        strides: from a window to the next, (vertical, horizontal).
        pads: points added at (top, bottom, left, right); they count in no maximum and no sum.
        out_size: rows and columns of the output. The rounding of ceil_mode is in these numbers.
        exclusive: whether an average divides by the inputs that are not padding, rather than by the window's size.

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
    """Windows that cover the image with a given number of outputs, overlapping where they do not fit.

    Args:
        size: rows and columns of the image.
        out_size: rows and columns of the output.

    Returns:
        Windows from floor(i * size / out) up to ceil((i + 1) * size / out); averages divide by their own area.

    Raises:
        ShapeError: a size is not positive.

    Example:
        >>> windows = adaptive_windows((5, 5), (2, 2))
        >>> windows.tops, windows.bottoms
        (array([0, 2]), array([3, 5]))
    """
    return _adaptive(tuple(size), tuple(out_size))


def max_pool2d(x: np.ndarray, windows: Windows, act: str | None = None) -> np.ndarray:
    """Return the largest value of each window.

    NaN where there is one, the lowest number of float32 where the window is empty.

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
        in_parts(loops.max_pairs, (planes, _planes(y), *limits(act, x.dtype)), (0, 1), x.size)
    else:
        args = planes, _planes(y), *windows.bounds, LOWEST, *limits(act, x.dtype)
        in_parts(loops.max_windows, args, (0, 1), x.size + OUTPUT * y.size)
    return _activated(y, rest)


def max_pool2d_with_index(x: np.ndarray, windows: Windows) -> tuple[np.ndarray, np.ndarray]:
    """Return the largest value of each window, and where it is.

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
    in_parts(loops.max_windows_with_index, args, (0, 1, 2), PLACED * len(planes) * windows.inputs)
    return y, index


def max_pool2d_grad(x: np.ndarray, y: np.ndarray, dy: np.ndarray, windows: Windows) -> np.ndarray:
    """Return the gradient of `max_pool2d`: each output's goes to the first largest input of its window, row by row.

    Where an output is NaN, its gradient goes to the first input of the window.

    Args:
        x: [N, C, H, W].
        y: what max_pool2d made of it, [N, C, OH, OW].
        dy: gradient of y.
        windows: as for max_pool2d.

    Returns:
        [N, C, H, W].
    """
    dx = np.empty(x.shape, dy.dtype)
    planes = _planes(x), _planes(y), _planes(dy), _planes(dx)
    if windows.pairs:
        in_parts(loops.max_pairs_grad, planes, (0, 1, 2, 3), 2 * x.size)
    else:
        work = COMPARED * len(planes[0]) * windows.inputs
        in_parts(loops.max_windows_grad, (*planes, *windows.bounds), (0, 1, 2, 3), work)
    return dx


def max_pool2d_index_grad(index: np.ndarray, dy: np.ndarray, x_shape: Sequence[int]) -> np.ndarray:
    """Return the gradient of `max_pool2d_with_index` with respect to x.

    Args:
        index: int32 [N, C, OH, OW] positions in a plane of H * W; negative ones are passed over.
        dy: gradient of the values, [N, C, OH, OW].
        x_shape: (N, C, H, W).

    Returns:
        An array of shape x_shape.
    """
    dx = np.zeros(tuple(x_shape), dy.dtype)
    args = _planes(index), _planes(dy), dx.reshape(-1, x_shape[2] * x_shape[3])
    in_parts(loops.add_at_index, args, (0, 1, 2), dx.size + 4 * dy.size)
    return dx


def avg_pool2d(x: np.ndarray, windows: Windows, act: str | None = None) -> np.ndarray:
    """Return the average of each window; 0 or NaN where the window is empty and the area counts inputs.

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
    in_parts(loops.average_windows, args, (0, 1), x.size + OUTPUT * y.size)
    return _activated(y, rest)


def avg_pool2d_grad(dy: np.ndarray, x_shape: Sequence[int], windows: Windows) -> np.ndarray:
    """Return the gradient of `avg_pool2d`: each output's is shared equally among the inputs of its window.

    Args:
        dy: [N, C, OH, OW].
        x_shape: (N, C, H, W).
        windows: as for avg_pool2d.

    Returns:
        An array of shape x_shape.
    """
    dx = np.zeros(tuple(x_shape), dy.dtype)
    args = _planes(dy), _planes(dx), *windows.bounds, windows.area
    in_parts(loops.average_windows_grad, args, (0, 1), dx.size + OUTPUT * dy.size)
    return dx


def _activated(y: np.ndarray, code: int) -> np.ndarray:
    """y after an activation, in place."""
    if code:
        finish_flat(y, code)
    return y


def _planes(array: np.ndarray) -> np.ndarray:
    """[image and channel, row, column], contiguous."""
    return np.ascontiguousarray(array).reshape(-1, *array.shape[2:])


def _outputs(x: np.ndarray, windows: Windows) -> np.ndarray:
    """Room for the outputs."""
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
    """`strided_windows`, made once for each geometry."""
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
    """`adaptive_windows`, made once for each geometry."""
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
    """Return how many inputs are in windows."""
    tops, bottoms, lefts, rights = edges
    return int((bottoms - tops).sum() * (rights - lefts).sum())


def _frozen(edges: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """int64 arrays that nobody can write, for they are shared."""
    tops, bottoms, lefts, rights = (edge.astype(np.int64) for edge in edges)
    for edge in (tops, bottoms, lefts, rights):
        edge.flags.writeable = False
    return tops, bottoms, lefts, rights
