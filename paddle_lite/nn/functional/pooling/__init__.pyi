"""`paddle.nn.functional.pooling`. Made by `python -m stubs`."""

from paddle_lite.layers.nn.pool import adaptive_pool2d as adaptive_pool2d
from paddle_lite.layers.nn.pool import adaptive_pool3d as adaptive_pool3d
from paddle_lite.layers.nn.pool import pool2d as pool2d
from paddle_lite.layers.nn.pool import pool3d as pool3d
