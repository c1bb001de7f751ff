"""`paddle.fluid.incubate.fleet.parameter_server.distribute_transpiler.distributed_strategy`. Made by `python -m stubs`."""

from paddle_lite import fluid as fluid
from paddle_lite.distributed.fleet.strategies import AsyncStrategy as AsyncStrategy
from paddle_lite.distributed.fleet.strategies import DistributedStrategy as DistributedStrategy
from paddle_lite.distributed.fleet.strategies import GeoStrategy as GeoStrategy
from paddle_lite.distributed.fleet.strategies import HalfAsyncStrategy as HalfAsyncStrategy
from paddle_lite.distributed.fleet.strategies import StrategyFactory as StrategyFactory
from paddle_lite.distributed.fleet.strategies import SyncStrategy as SyncStrategy
from paddle_lite.distributed.fleet.strategies import TrainerRuntimeConfig as TrainerRuntimeConfig
from typing import Any
DistributeTranspilerConfig: Any
DistributedMode: Any
ServerRuntimeConfig: Any
