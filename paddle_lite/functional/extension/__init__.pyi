"""`paddle.functional.extension`. Made by `python -m stubs`."""

from paddle_lite.nn.functional.extension import *
