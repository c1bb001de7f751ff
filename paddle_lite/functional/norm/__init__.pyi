"""`paddle.functional.norm`. Made by `python -m stubs`."""

from paddle_lite.nn.functional.norm import *
