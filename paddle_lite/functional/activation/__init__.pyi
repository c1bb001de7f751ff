"""`paddle.functional.activation`. Made by `python -m stubs`."""

from paddle_lite.nn.functional.activation import *
