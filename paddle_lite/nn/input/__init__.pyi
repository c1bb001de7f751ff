"""`paddle.nn.input`. Made by `python -m stubs`."""

from paddle_lite.nn import *
