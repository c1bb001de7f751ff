"""`paddle.fluid.fleet.parameter_server.version`. Made by `python -m stubs`."""

from paddle_lite.fluid.incubate.fleet.parameter_server.version import *
