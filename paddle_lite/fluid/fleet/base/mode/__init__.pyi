"""`paddle.fluid.fleet.base.mode`. Made by `python -m stubs`."""

from paddle_lite.fluid.incubate.fleet.base.mode import *
