"""`fluid.clip`."""

from ..core.missing import missing_names
from ..params.clip import (
    ErrorClipByValue,
    GradientClipByGlobalNorm,
    GradientClipByNorm,
    GradientClipByValue,
)
from ..static.autodiff.gradient_clip import set_gradient_clip

__getattr__ = missing_names(__name__)

__all__ = [
    "ErrorClipByValue",
    "GradientClipByGlobalNorm",
    "GradientClipByNorm",
    "GradientClipByValue",
    "set_gradient_clip",
]
