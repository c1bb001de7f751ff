"""`paddle.nn.layer`: the Layer classes of the 2.0-alpha in its modules."""

from ...core.missing import missing_names as _missing_names
from .activation import LogSoftmax, ReLU
from .common import BilinearTensorProduct, Embedding, Linear, Pool2D
from .conv import Conv2D
from .norm import BatchNorm, GroupNorm, LayerNorm, SpectralNorm

__getattr__ = _missing_names(__name__)

__all__ = [
    "BatchNorm",
    "BilinearTensorProduct",
    "Conv2D",
    "Embedding",
    "GroupNorm",
    "LayerNorm",
    "Linear",
    "LogSoftmax",
    "Pool2D",
    "ReLU",
    "SpectralNorm",
]
