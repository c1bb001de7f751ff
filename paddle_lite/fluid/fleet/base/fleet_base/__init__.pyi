"""`paddle.fluid.fleet.base.fleet_base`. Made by `python -m stubs`."""

from paddle_lite.fluid.incubate.fleet.base.fleet_base import *
