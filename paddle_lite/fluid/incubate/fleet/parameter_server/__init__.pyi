"""`paddle.fluid.incubate.fleet.parameter_server`. Made by `python -m stubs`."""

from paddle_lite.fluid.incubate.fleet.parameter_server import distribute_transpiler as distribute_transpiler
from paddle_lite.fluid.incubate.fleet.parameter_server import pslib as pslib
from paddle_lite.fluid.incubate.fleet.parameter_server import version as version
