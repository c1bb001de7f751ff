"""Layer classes and `nn.functional`."""

from ..core.lazy import namespace as _namespace
from ..core.lazy import table as _table
from ..imperative.container import LayerList, ParameterList, Sequential
from ..imperative.layer import Layer
from . import functional, layer
from .activation import LogSoftmax, ReLU
from .activations import (
    ELU,
    GELU,
    SELU,
    Hardshrink,
    Hardsigmoid,
    Hardswish,
    LeakyReLU,
    LogSigmoid,
    Maxout,
    ReLU6,
    Sigmoid,
    Softmax,
    Softplus,
    Softshrink,
    Softsign,
    Swish,
    Tanh,
    Tanhshrink,
    ThresholdedReLU,
)
from .bilinear import BilinearTensorProduct
from .common import Dropout, Embedding
from .conv import Conv2d
from .conv_transpose import Conv2DTranspose, Conv3DTranspose
from .conv_volume import Conv3D
from .group_norm import GroupNorm, InstanceNorm
from .linear import Linear
from .loss import BCELoss, CrossEntropyLoss, L1Loss, MSELoss, NLLLoss
from .norm import BatchNorm, LayerNorm
from .pool import Pool2D
from .reshaping import Flatten, Pad2D
from .resize import UpSample, Upsample
from .spectral_norm import SpectralNorm

Conv2D = Conv2d  # both spellings are the 2.0-alpha's; fluid.dygraph.Conv2D has Fluid's argument order

__getattr__, __dir__ = _namespace(
    __name__,
    {name: f"nn.functional:{name}" for name in functional.FUNCTIONS}
    | _table(
        """
        layers.rnn.beam: beam_search beam_search_decode gather_tree
        layers.control.control_flow: case cond switch_case while_loop
        layers.nn.conv: conv3d
        layers.nn.conv_transpose: conv2d_transpose conv3d_transpose
        layers.math.distance: clip_by_norm
        layers.math.arithmetic: clip
        layers.loss.nce: hsigmoid
        layers.sequence.row_conv: row_conv
        params.clip: GradientClipByGlobalNorm GradientClipByNorm GradientClipByValue
        params.initializer: initializer=*
        static: data
        """
    ),
)

__all__ = [
    "ELU",
    "GELU",
    "SELU",
    "BCELoss",
    "BatchNorm",
    "BilinearTensorProduct",
    "Conv2D",
    "Conv2DTranspose",
    "Conv2d",
    "Conv3D",
    "Conv3DTranspose",
    "CrossEntropyLoss",
    "Dropout",
    "Embedding",
    "Flatten",
    "GroupNorm",
    "Hardshrink",
    "Hardsigmoid",
    "Hardswish",
    "InstanceNorm",
    "L1Loss",
    "Layer",
    "LayerList",
    "LayerNorm",
    "LeakyReLU",
    "Linear",
    "LogSigmoid",
    "LogSoftmax",
    "MSELoss",
    "Maxout",
    "NLLLoss",
    "Pad2D",
    "ParameterList",
    "Pool2D",
    "ReLU",
    "ReLU6",
    "Sequential",
    "Sigmoid",
    "Softmax",
    "Softplus",
    "Softshrink",
    "Softsign",
    "SpectralNorm",
    "Swish",
    "Tanh",
    "Tanhshrink",
    "ThresholdedReLU",
    "UpSample",
    "Upsample",
    "functional",
    "layer",
]
