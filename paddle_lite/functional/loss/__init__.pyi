"""`paddle.functional.loss`. Made by `python -m stubs`."""

from paddle_lite.nn.functional.loss import *
