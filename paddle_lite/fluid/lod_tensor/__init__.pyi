"""`paddle.fluid.lod_tensor`. Made by `python -m stubs`."""

from paddle_lite.core.tensor import create_lod_tensor as create_lod_tensor
from paddle_lite.core.tensor import create_random_int_lodtensor as create_random_int_lodtensor
from paddle_lite.fluid import core as core
from paddle_lite.fluid.internals.providers import DataToLoDTensorConverter as DataToLoDTensorConverter
