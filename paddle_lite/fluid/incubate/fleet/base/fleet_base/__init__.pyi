"""`paddle.fluid.incubate.fleet.base.fleet_base`. Made by `python -m stubs`."""

from paddle_lite import fluid as fluid
from paddle_lite.contrib.mixed_precision.optimizer import OptimizerWithMixedPrecision as OptimizerWithMixedPrecision
from paddle_lite.distributed.fleet.base import DistributedOptimizer as DistributedOptimizer
from paddle_lite.distributed.fleet.base import Fleet as Fleet
from paddle_lite.distributed.fleet.base import Mode as Mode
from paddle_lite.distributed.fleet.mpi_roles import MPISymetricRoleMaker as MPISymetricRoleMaker
from paddle_lite.distributed.fleet.roles import RoleMakerBase as RoleMakerBase
from paddle_lite.distributed.fleet.roles import UserDefinedRoleMaker as UserDefinedRoleMaker
from paddle_lite.fluid.incubate.fleet.base import mode as mode
from paddle_lite.optimizer.rules import SGDOptimizer as _of_SGD
from paddle_lite.static.execution.executor import Executor as Executor
SGD = _of_SGD
