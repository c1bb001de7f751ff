"""`paddle.framework`. Made by `python -m stubs`."""

from paddle_lite import *
