"""`paddle.fluid.incubate.fleet.base.role_maker`. Made by `python -m stubs`."""

from paddle_lite import fluid as fluid
from paddle_lite.distributed.fleet.mpi_roles import MPIRoleMaker as MPIRoleMaker
from paddle_lite.distributed.fleet.mpi_roles import MPISymetricRoleMaker as MPISymetricRoleMaker
from paddle_lite.distributed.fleet.roles import GeneralRoleMaker as GeneralRoleMaker
from paddle_lite.distributed.fleet.roles import MockBarrier as MockBarrier
from paddle_lite.distributed.fleet.roles import PaddleCloudRoleMaker as PaddleCloudRoleMaker
from paddle_lite.distributed.fleet.roles import Role as Role
from paddle_lite.distributed.fleet.roles import RoleMakerBase as RoleMakerBase
from paddle_lite.distributed.fleet.roles import UserDefinedCollectiveRoleMaker as UserDefinedCollectiveRoleMaker
from paddle_lite.distributed.fleet.roles import UserDefinedRoleMaker as UserDefinedRoleMaker
