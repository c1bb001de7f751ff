"""Which algorithm does a convolution or one of its gradients."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from paddle_lite.kernels.cpu import conv_columns, conv_depthwise, conv_direct
from paddle_lite.kernels.cpu.conv_geometry import Geometry

__all__ = ["choose"]

MANY_TAPS = 1000  # of a small image: their weights do not stay in the cache between its few positions


def choose(what: str, g: Geometry, dtype: np.dtype) -> Callable[..., None]:
    """The function that does "forward", "input_grad" or "filter_grad"."""
    if g.depthwise:
        return getattr(conv_depthwise, what)
    if what == "forward" and g.kernel != (1, 1):
        return conv_direct.forward
    if what == "input_grad" and g.has_mirror and g.kernel != (1, 1) and g.channels >= 8 and g.mirrored.taps < MANY_TAPS:
        return conv_direct.input_grad
    if what == "filter_grad" and g.channels == 1:
        return conv_direct.filter_grad
    return getattr(conv_columns, what)
