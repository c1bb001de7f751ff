"""`paddle.fluid.incubate.fleet.parameter_server.pslib`. Made by `python -m stubs`."""

from paddle_lite.distributed.fleet.pslib import DownpourOptimizer as DownpourOptimizer
from paddle_lite.distributed.fleet.pslib import PSLib as PSLib
from paddle_lite.distributed.fleet.pslib import fleet as fleet
from paddle_lite.distributed.fleet.pslib import fleet_embedding as fleet_embedding
