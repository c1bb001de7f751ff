"""`paddle.fluid.fleet.base.role_maker`. Made by `python -m stubs`."""

from paddle_lite.fluid.incubate.fleet.base.role_maker import *
