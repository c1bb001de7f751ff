"""`paddle.nn.clip`. Made by `python -m stubs`."""

from paddle_lite.nn import *
