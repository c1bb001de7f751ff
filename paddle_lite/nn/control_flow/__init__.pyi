"""`paddle.nn.control_flow`. Made by `python -m stubs`."""

from paddle_lite.nn import *
