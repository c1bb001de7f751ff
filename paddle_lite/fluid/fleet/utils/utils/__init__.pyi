"""`paddle.fluid.fleet.utils.utils`. Made by `python -m stubs`."""

from paddle_lite.fluid.incubate.fleet.utils.utils import *
