"""`fluid.initializer`."""

from ..params.initializer import (
    MSRA,
    Bilinear,
    BilinearInitializer,
    Constant,
    ConstantInitializer,
    Initializer,
    MSRAInitializer,
    Normal,
    NormalInitializer,
    NumpyArrayInitializer,
    TruncatedNormal,
    TruncatedNormalInitializer,
    Uniform,
    UniformInitializer,
    Xavier,
    XavierInitializer,
)

__all__ = [
    "MSRA",
    "Bilinear",
    "BilinearInitializer",
    "Constant",
    "ConstantInitializer",
    "Initializer",
    "MSRAInitializer",
    "Normal",
    "NormalInitializer",
    "NumpyArrayInitializer",
    "TruncatedNormal",
    "TruncatedNormalInitializer",
    "Uniform",
    "UniformInitializer",
    "Xavier",
    "XavierInitializer",
]
