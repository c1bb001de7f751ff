"""`paddle.functional.common`. Made by `python -m stubs`."""

from paddle_lite.nn.functional.common import *
