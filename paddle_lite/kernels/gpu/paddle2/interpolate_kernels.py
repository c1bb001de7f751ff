"""GPU kernels of interpolation with a scale for each axis."""

from __future__ import annotations

from ....ops.support.interpolation_points import how_v2, resized_axes_v2, spread_axes_v2
from ..vision.interpolate_kernels import METHODS, register

register([f"{each}_interp_v2" for each in ("linear", *METHODS)], resized_axes_v2, spread_axes_v2, how_v2)
