"""`paddle.fluid.fleet.utils.fleet_barrier_util`. Made by `python -m stubs`."""

from paddle_lite.fluid.incubate.fleet.utils.fleet_barrier_util import *
