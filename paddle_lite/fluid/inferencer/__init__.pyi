"""`paddle.fluid.inferencer`. Made by `python -m stubs`."""

from paddle_lite.fluid.contrib.inferencer import *
