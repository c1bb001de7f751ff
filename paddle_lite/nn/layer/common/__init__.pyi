"""`paddle.nn.layer.common`. Made by `python -m stubs`."""

from paddle_lite.nn.bilinear import BilinearTensorProduct as BilinearTensorProduct
from paddle_lite.nn.common import Dropout as Dropout
from paddle_lite.nn.common import Embedding as Embedding
from paddle_lite.nn.linear import Linear as Linear
from paddle_lite.nn.pool import Pool2D as Pool2D
from paddle_lite.nn.reshaping import Flatten as Flatten
from paddle_lite.nn.reshaping import Pad2D as Pad2D
from paddle_lite.nn.resize import UpSample as UpSample
from paddle_lite.nn.resize import Upsample as Upsample
