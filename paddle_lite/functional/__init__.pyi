"""`paddle.functional`. Made by `python -m stubs`."""

from paddle_lite.nn.functional import *
