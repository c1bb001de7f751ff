"""`paddle.declarative`: functions that make parameters of their own."""

from .core.missing import missing_names
from .layers.linalg import bilinear_tensor_product
from .layers.nce import hsigmoid, nce
from .layers.parameter import create_parameter
from .layers.parametric import prelu
from .layers.row_conv import row_conv

__getattr__ = missing_names(__name__)

__all__ = ["bilinear_tensor_product", "create_parameter", "hsigmoid", "nce", "prelu", "row_conv"]
