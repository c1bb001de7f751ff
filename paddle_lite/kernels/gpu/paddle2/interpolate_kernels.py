"""GPU kernels of interpolation with a scale for each axis."""

from __future__ import annotations

from ....ops.paddle2.interpolate import RANKS, how, resized_axes, spread_axes
from ..vision.interpolate_kernels import register

register([f"{each}_interp_v2" for each in RANKS], resized_axes, spread_axes, how)
