"""`fluid.dygraph`: imperative mode under its Fluid 1.x names."""

import sys

from ..compat.names import LAYOUT
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
from ..jit import ProgramTranslator, TracedLayer, declarative, dygraph_to_static_func
from ..nn import (
    BatchNorm,
    BCELoss,
    BilinearTensorProduct,
    Conv2DTranspose,
    Conv3D,
    Conv3DTranspose,
    Dropout,
    Embedding,
    GroupNorm,
    InstanceNorm,
    L1Loss,
    LayerNorm,
    Linear,
    MSELoss,
    NLLLoss,
    Pool2D,
    SpectralNorm,
)
from ..nn.activation import PRelu
from ..nn.conv import Conv2D
from ..nn.conv_rows import RowConv
from ..nn.nce import NCE
from ..nn.rnn_cells import GRUCell, LSTMCell
from ..nn.rnn_unit import GRUUnit
from ..nn.tree_conv import TreeConv
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

# The modules of 1.8's file layout, e.g. `fluid.dygraph.nn`: the names of each are all here.
_HERE = "fluid.dygraph"
globals().update({name.split(".")[2]: sys.modules[__name__] for name, home in LAYOUT.items() if home == _HERE})

__all__ = [
    "NCE",
    "BCELoss",
    "BackwardStrategy",
    "BatchNorm",
    "BilinearTensorProduct",
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
    "GRUCell",
    "GRUUnit",
    "GroupNorm",
    "InstanceNorm",
    "InverseTimeDecay",
    "L1Loss",
    "LSTMCell",
    "LambdaDecay",
    "Layer",
    "LayerList",
    "LayerNorm",
    "LearningRateDecay",
    "Linear",
    "LinearLrWarmup",
    "MSELoss",
    "MultiStepDecay",
    "NLLLoss",
    "NaturalExpDecay",
    "NoamDecay",
    "PRelu",
    "ParallelEnv",
    "ParallelStrategy",
    "ParameterList",
    "PiecewiseDecay",
    "PolynomialDecay",
    "Pool2D",
    "ProgramTranslator",
    "ReduceLROnPlateau",
    "RowConv",
    "Sequential",
    "SpectralNorm",
    "StepDecay",
    "TracedLayer",
    "TreeConv",
    "declarative",
    "disable_dygraph",
    "disable_imperative",
    "dygraph_to_static_func",
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
