"""`paddle.fluid.incubate.fleet.collective`. Made by `python -m stubs`."""

from paddle_lite import fluid as fluid
from paddle_lite.distributed.file_systems import BDFS as BDFS
from paddle_lite.distributed.file_systems import LocalFS as LocalFS
from paddle_lite.distributed.fleet.base import DistributedOptimizer as DistributedOptimizer
from paddle_lite.distributed.fleet.base import Fleet as Fleet
from paddle_lite.distributed.fleet.base import Mode as Mode
from paddle_lite.distributed.fleet.collective import Collective as Collective
from paddle_lite.distributed.fleet.collective import CollectiveOpBasedOptimizer as CollectiveOpBasedOptimizer
from paddle_lite.distributed.fleet.collective import CollectiveOptimizer as CollectiveOptimizer
from paddle_lite.distributed.fleet.collective import DistFCConfig as DistFCConfig
from paddle_lite.distributed.fleet.collective import DistributedStrategy as DistributedStrategy
from paddle_lite.distributed.fleet.collective import LambConfig as LambConfig
from paddle_lite.distributed.fleet.collective import TrainStatus as TrainStatus
from paddle_lite.distributed.fleet.collective import fleet as fleet
from paddle_lite.fluid import compiler as compiler
from paddle_lite.fluid import io as io
from paddle_lite.fluid import transpiler as _of_dist_transpiler
from paddle_lite.static.execution.compiled import CompiledProgram as CompiledProgram
from paddle_lite.static.execution.executor import Executor as Executor
from paddle_lite.static.program.program import Program as Program
from typing import Any
dist_transpiler = _of_dist_transpiler
ParallelExecutor: Any
