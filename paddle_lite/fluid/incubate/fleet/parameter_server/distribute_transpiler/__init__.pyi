"""`paddle.fluid.incubate.fleet.parameter_server.distribute_transpiler`. Made by `python -m stubs`."""

from paddle_lite.distributed.communicator.api import Communicator as Communicator
from paddle_lite.distributed.fleet.base import DistributedOptimizer as DistributedOptimizer
from paddle_lite.distributed.fleet.base import Fleet as Fleet
from paddle_lite.distributed.fleet.base import Mode as Mode
from paddle_lite.distributed.fleet.mpi_roles import MPISymetricRoleMaker as MPISymetricRoleMaker
from paddle_lite.distributed.fleet.parameter_server import DistributedTranspiler as DistributedTranspiler
from paddle_lite.distributed.fleet.parameter_server import TranspilerOptimizer as TranspilerOptimizer
from paddle_lite.distributed.fleet.parameter_server import fleet as fleet
from paddle_lite.distributed.fleet.strategies import AsyncStrategy as AsyncStrategy
from paddle_lite.distributed.fleet.strategies import DistributedStrategy as DistributedStrategy
from paddle_lite.distributed.fleet.strategies import GeoStrategy as GeoStrategy
from paddle_lite.distributed.fleet.strategies import HalfAsyncStrategy as HalfAsyncStrategy
from paddle_lite.distributed.fleet.strategies import StrategyFactory as StrategyFactory
from paddle_lite.distributed.fleet.strategies import SyncStrategy as SyncStrategy
from paddle_lite.distributed.fleet.strategies import TrainerRuntimeConfig as TrainerRuntimeConfig
from paddle_lite.fluid import io as io
from paddle_lite.fluid.incubate.fleet.parameter_server.distribute_transpiler import distributed_strategy as distributed_strategy
from paddle_lite.optimizer.optimizer import Optimizer as Optimizer
from paddle_lite.static.execution.compiled import CompiledProgram as CompiledProgram
from paddle_lite.static.execution.executor import Executor as Executor
from paddle_lite.static.program.program import Program as Program
from paddle_lite.static.program.program import default_main_program as default_main_program
from paddle_lite.static.program.program import default_startup_program as default_startup_program
from typing import Any
DistributeTranspilerConfig: Any
DistributedMode: Any
OriginTranspiler: Any
ParallelExecutor: Any
ServerRuntimeConfig: Any
