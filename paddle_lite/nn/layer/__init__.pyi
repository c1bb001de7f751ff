"""`paddle.nn.layer`. Made by `python -m stubs`."""

from paddle_lite.nn.activation import LogSoftmax as LogSoftmax
from paddle_lite.nn.activation import ReLU as ReLU
from paddle_lite.nn.bilinear import BilinearTensorProduct as BilinearTensorProduct
from paddle_lite.nn.common import Embedding as Embedding
from paddle_lite.nn.conv import Conv2d as _of_Conv2D
from paddle_lite.nn.conv_line import Conv1D as Conv1D
from paddle_lite.nn.group_norm import GroupNorm as GroupNorm
from paddle_lite.nn.layer import activation as activation
from paddle_lite.nn.layer import common as common
from paddle_lite.nn.layer import conv as conv
from paddle_lite.nn.layer import norm as norm
from paddle_lite.nn.linear import Linear as Linear
from paddle_lite.nn.norm import BatchNorm as BatchNorm
from paddle_lite.nn.norm import LayerNorm as LayerNorm
from paddle_lite.nn.pool import Pool2D as Pool2D
from paddle_lite.nn.spectral_norm import SpectralNorm as SpectralNorm
Conv2D = _of_Conv2D
