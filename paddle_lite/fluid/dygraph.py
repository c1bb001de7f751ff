"""`fluid.dygraph`: imperative mode under its Fluid 1.x names."""

from ..core.missing import missing_names
from ..imperative.base import (
    disable_imperative,
    enable_imperative,
    enabled,
    guard,
    no_grad,
    to_variable,
)
from ..imperative.container import LayerList, ParameterList, Sequential
from ..imperative.grad import BackwardStrategy, grad
from ..imperative.layer import Layer
from ..imperative.parallel import DataParallel, Env, ParallelEnv, ParallelStrategy, prepare_context
from ..io.state import load_dygraph, save_dygraph
from ..jit import TracedLayer
from ..nn import (
    BatchNorm,
    Conv2DTranspose,
    Conv3D,
    Conv3DTranspose,
    Dropout,
    Embedding,
    GroupNorm,
    InstanceNorm,
    LayerNorm,
    Linear,
    Pool2D,
    SpectralNorm,
)
from ..nn.conv import Conv2D
from ..optimizer.schedule import (
    CosineDecay,
    ExponentialDecay,
    InverseTimeDecay,
    LambdaDecay,
    LearningRateDecay,
    LinearLrWarmup,
    MultiStepDecay,
    NaturalExpDecay,
    NoamDecay,
    PiecewiseDecay,
    PolynomialDecay,
    ReduceLROnPlateau,
    StepDecay,
)

enable_dygraph = enable_imperative
disable_dygraph = disable_imperative

__getattr__ = missing_names(__name__)

__all__ = [
    "BackwardStrategy",
    "BatchNorm",
    "Conv2D",
    "Conv2DTranspose",
    "Conv3D",
    "Conv3DTranspose",
    "CosineDecay",
    "DataParallel",
    "Dropout",
    "Embedding",
    "Env",
    "ExponentialDecay",
    "GroupNorm",
    "InstanceNorm",
    "InverseTimeDecay",
    "LambdaDecay",
    "Layer",
    "LayerList",
    "LayerNorm",
    "LearningRateDecay",
    "Linear",
    "LinearLrWarmup",
    "MultiStepDecay",
    "NaturalExpDecay",
    "NoamDecay",
    "ParallelEnv",
    "ParallelStrategy",
    "ParameterList",
    "PiecewiseDecay",
    "PolynomialDecay",
    "Pool2D",
    "ReduceLROnPlateau",
    "Sequential",
    "SpectralNorm",
    "StepDecay",
    "TracedLayer",
    "disable_dygraph",
    "disable_imperative",
    "enable_dygraph",
    "enable_imperative",
    "enabled",
    "grad",
    "guard",
    "load_dygraph",
    "no_grad",
    "prepare_context",
    "save_dygraph",
    "to_variable",
]
