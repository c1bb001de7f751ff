"""`paddle.fluid.incubate.fleet.base.fleet_base`. Made by `python -m stubs`."""

from paddle_lite.distributed.fleet.base import DistributedOptimizer as DistributedOptimizer
from paddle_lite.distributed.fleet.base import Fleet as Fleet
from paddle_lite.distributed.fleet.base import Mode as Mode
