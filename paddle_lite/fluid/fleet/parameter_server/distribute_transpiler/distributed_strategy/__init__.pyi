"""`paddle.fluid.fleet.parameter_server.distribute_transpiler.distributed_strategy`. Made by `python -m stubs`."""

from paddle_lite.fluid.incubate.fleet.parameter_server.distribute_transpiler.distributed_strategy import *
