"""`paddle.functional.pooling`. Made by `python -m stubs`."""

from paddle_lite.nn.functional.pooling import *
