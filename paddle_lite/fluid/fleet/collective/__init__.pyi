"""`paddle.fluid.fleet.collective`. Made by `python -m stubs`."""

from paddle_lite.fluid.incubate.fleet.collective import *
