"""`fluid.backward`."""

from ..core.missing import missing_names
from ..static import append_backward, gradients
from ..static.autodiff.backward import calc_gradient

__getattr__ = missing_names(__name__)

__all__ = ["append_backward", "calc_gradient", "gradients"]
