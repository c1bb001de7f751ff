"""A convolution of a Plan, with what follows it, for images whose channels are last; its weights are laid out once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from paddle_lite.kernels.cpu.conv import conv
from paddle_lite.kernels.cpu.conv.channels_last import depthwise, few_channels, products, winograd
from paddle_lite.kernels.cpu.conv.channels_last.layout import as_images, first, last
from paddle_lite.kernels.cpu.conv.choice import winograd_allowed
from paddle_lite.kernels.cpu.conv.epilogue import Epilogue, epilogue
from paddle_lite.kernels.cpu.conv.geometry import Geometry, geometry
from paddle_lite.kernels.cpu.lasting import Lasting
from paddle_lite.kernels.cpu.math.packed_matrix import pack
from paddle_lite.kernels.cpu.support.cache_lines import at_line
from paddle_lite.ops.support.window_sizes import resolve_paddings

__all__ = ["FEWEST_FILTERS", "Convolution", "Norm", "Window"]

FEWEST_FILTERS = 16  # of a group, unless it is depthwise: fewer leave vectors partly empty


class Window(NamedTuple):
    """The attributes of a convolution."""

    strides: tuple[int, int]
    paddings: tuple[int, ...]
    padding_algorithm: str
    dilations: tuple[int, int]
    groups: int


class Norm(NamedTuple):
    """The vectors of a normalisation with fixed statistics, one number for each filter."""

    scale: np.ndarray
    shift: np.ndarray
    mean: np.ndarray
    variance: np.ndarray


class _Laid(NamedTuple):
    """Weights as the kernels read them.

    by: the algorithm. read: brings images into the order of memory that it reads.
    """

    by: Callable[..., None]
    read: Callable[[np.ndarray], np.ndarray]
    filters: Any
    after: Epilogue


class Convolution:
    """act(norm(convolution of x with w + bias) + added), for weights that seldom change.

    `call(x, w, bias, added, *norm)` takes images [N, C, H, W] in any order of memory; channels last are fastest. Weights that
    have been the same in a run before are laid out for the kernels and kept (`Lasting`).

    Args:
        window: strides, paddings, dilations and groups.
        act: "relu", "relu6", "sigmoid", "tanh" or None.
        epsilon: what the norm adds to the variance; None for no norm.
        final: whether the channels of the result are second in memory, rather than last.

    Example:
        >>> call = Convolution(Window((1, 1), (0, 0), "EXPLICIT", (1, 1), 1), "relu", None, True)
        >>> x, w = np.ones((1, 3, 2, 2), np.float32), np.ones((16, 3, 1, 1), np.float32)
        >>> [call(x, w)[0, 0].tolist() for _ in range(3)]
        [[[3.0, 3.0], [3.0, 3.0]], [[3.0, 3.0], [3.0, 3.0]], [[3.0, 3.0], [3.0, 3.0]]]
    """

    __slots__ = ("_of", "act", "epsilon", "final", "laid", "window")

    def __init__(self, window: Window, act: str | None, epsilon: float | None, final: bool) -> None:
        self.window, self.act, self.epsilon, self.final = window, act, epsilon, final
        self.laid = Lasting()
        self._of: tuple[Any, Any, Geometry] | None = None  # the shapes of the last call, and its sizes

    def __call__(
        self, x: np.ndarray, w: np.ndarray, bias: np.ndarray | None = None, added: np.ndarray | None = None,
        *norm: np.ndarray,
    ) -> np.ndarray:  # fmt: skip
        g = self._geometry(x, w)
        laid = self.laid.of((w, bias, *norm, winograd_allowed()), lambda: self._laid_out(g, w, bias, *norm))
        if added is not None and added.shape != (g.batch, w.shape[0], g.out_height, g.out_width):
            added = np.broadcast_to(added, (g.batch, w.shape[0], g.out_height, g.out_width))
        if laid is None:
            return self._once(x, w, bias, added, norm)
        y = at_line((g.batch, g.out_height, g.out_width, w.shape[0]), x.dtype)
        if y.size:
            laid.by(g, laid.read(x), laid.filters, y, None if added is None else last(added), laid.after)
        return first(y) if self.final else as_images(y)

    def _geometry(self, x: np.ndarray, w: np.ndarray) -> Geometry:
        of = self._of
        if of is not None and of[0] == x.shape and of[1] == w.shape:
            return of[2]
        strides, paddings, algorithm, dilations, groups = self.window
        pads, dilated = resolve_paddings(x.shape[2:], w.shape[2:], strides, paddings, algorithm, dilations)
        g = geometry(x.shape, w.shape, strides, (*pads[0], *pads[1]), (dilated[0], dilated[1]), groups)
        self._of = x.shape, w.shape, g
        return g

    def _laid_out(self, g: Geometry, w: np.ndarray, bias: np.ndarray | None, *norm: np.ndarray) -> _Laid:
        """Return the weights as the kernels read them."""
        w, bias = self._folded(w, bias, *norm)
        return _Laid(*_laid_out(g, w, winograd_allowed()), epilogue(bias, self.act, w.shape[0], w.dtype))

    def _folded(
        self, w: np.ndarray, bias: np.ndarray | None, *norm: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """Return filters and bias that include the norm."""
        if self.epsilon is None:
            return w, bias
        scale, shift, mean, variance = Norm(*norm)
        factor = scale / np.sqrt(variance + variance.dtype.type(self.epsilon))
        start = -mean if bias is None else bias.reshape(-1) - mean
        return w * factor.reshape(-1, 1, 1, 1), shift + start * factor

    def _once(
        self, x: np.ndarray, w: np.ndarray, bias: np.ndarray | None, added: np.ndarray | None, norm: Sequence[np.ndarray]
    ) -> np.ndarray:  # fmt: skip
        """Return the result of weights that may be others in the next run."""
        w, bias = self._folded(w, bias, *norm)
        g = self._geometry(x, w)
        place = g.strides, g.pads, g.dilations, g.groups
        if added is None:
            return conv.conv2d(x, w, *place, bias, self.act)
        y = conv.conv2d(x, w, *place, bias)
        y += added
        after = epilogue(None, self.act, w.shape[0], y.dtype)
        np.clip(y, after.low, after.high, out=y)
        after.finish_rest(y)
        return y


def _laid_out(g: Geometry, w: np.ndarray, allowed: bool) -> tuple[Callable[..., None], Callable[..., np.ndarray], Any]:
    """Return the fastest algorithm for a convolution, what brings images into its order, and filters as it reads them."""
    if g.depthwise and g.filters == 1:
        return depthwise.forward, last, depthwise.rows_of_filters(w)
    if few_channels.fits(g):
        return few_channels.forward, np.ascontiguousarray, few_channels.laid_out(w)
    if allowed and winograd.is_faster(g):
        return winograd.forward, last, winograd.transformed(w)
    return products.forward, last, [pack(matrix) for matrix in products.matrices(w, g.groups)]
