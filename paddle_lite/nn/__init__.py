"""Layer classes and `nn.functional`."""

from ..core.missing import missing_names as _missing_names
from ..imperative.container import LayerList, ParameterList, Sequential
from ..imperative.layer import Layer
from . import functional
from .common import Dropout, Embedding
from .conv import Conv2d
from .conv_transpose import Conv2DTranspose, Conv3DTranspose
from .conv_volume import Conv3D
from .group_norm import GroupNorm, InstanceNorm
from .linear import Linear
from .loss import BCELoss, CrossEntropyLoss, L1Loss, MSELoss, NLLLoss
from .norm import BatchNorm, LayerNorm
from .pool import Pool2D
from .resize import UpSample, Upsample
from .spectral_norm import SpectralNorm

Conv2D = Conv2d  # both spellings are the 2.0-alpha's; fluid.dygraph.Conv2D has Fluid's argument order

__getattr__ = _missing_names(__name__)

__all__ = [
    "BCELoss",
    "BatchNorm",
    "Conv2D",
    "Conv2DTranspose",
    "Conv2d",
    "Conv3D",
    "Conv3DTranspose",
    "CrossEntropyLoss",
    "Dropout",
    "Embedding",
    "GroupNorm",
    "InstanceNorm",
    "L1Loss",
    "Layer",
    "LayerList",
    "LayerNorm",
    "Linear",
    "MSELoss",
    "NLLLoss",
    "ParameterList",
    "Pool2D",
    "Sequential",
    "SpectralNorm",
    "UpSample",
    "Upsample",
    "functional",
]
