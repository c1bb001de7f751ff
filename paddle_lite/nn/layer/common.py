"""Layers that fit everywhere."""

from ..bilinear import BilinearTensorProduct
from ..common import Embedding
from ..linear import Linear
from ..pool import Pool2D

__all__ = ["BilinearTensorProduct", "Embedding", "Linear", "Pool2D"]
