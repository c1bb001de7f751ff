"""`paddle.fluid.fleet.base`. Made by `python -m stubs`."""

from paddle_lite.fluid.incubate.fleet.base import *
