"""`paddle.fluid.trainer`. Made by `python -m stubs`."""

from paddle_lite.fluid.contrib.trainer import *
