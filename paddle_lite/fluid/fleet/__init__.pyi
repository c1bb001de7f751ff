"""`paddle.fluid.fleet`. Made by `python -m stubs`."""

from paddle_lite.fluid.incubate.fleet import *
