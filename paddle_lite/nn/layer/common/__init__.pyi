"""`paddle.nn.layer.common`. Made by `python -m stubs`."""

from paddle_lite.nn.bilinear import BilinearTensorProduct as BilinearTensorProduct
from paddle_lite.nn.common import Embedding as Embedding
from paddle_lite.nn.linear import Linear as Linear
from paddle_lite.nn.pool import Pool2D as Pool2D
