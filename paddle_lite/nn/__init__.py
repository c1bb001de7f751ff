"""Layer classes and `nn.functional`."""

from ..core.missing import missing_names as _missing_names
from ..imperative.container import LayerList, ParameterList, Sequential
from ..imperative.layer import Layer
from . import functional
from .common import Dropout, Embedding
from .conv import Conv2D
from .linear import Linear
from .norm import BatchNorm, LayerNorm
from .pool import Pool2D

__getattr__ = _missing_names(__name__)

__all__ = [
    "BatchNorm",
    "Conv2D",
    "Dropout",
    "Embedding",
    "Layer",
    "LayerList",
    "LayerNorm",
    "Linear",
    "ParameterList",
    "Pool2D",
    "Sequential",
    "functional",
]
