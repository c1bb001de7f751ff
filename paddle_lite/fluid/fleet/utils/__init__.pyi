"""`paddle.fluid.fleet.utils`. Made by `python -m stubs`."""

from paddle_lite.fluid.incubate.fleet.utils import *
