"""`paddle.fluid.transpiler.geo_sgd_transpiler`. Made by `python -m stubs`."""

from paddle_lite.core.made import delete_ops as delete_ops
from paddle_lite.core.made import same_or_split_var as same_or_split_var
from paddle_lite.core.made import slice_variable as slice_variable
from paddle_lite.core.made import wait_server_ready as wait_server_ready
from paddle_lite.core.typing import Parameter as Parameter
from paddle_lite.distributed.transpiler.details import RPC_OP_ROLE_ATTR_NAME as RPC_OP_ROLE_ATTR_NAME
from paddle_lite.distributed.transpiler.details import RPC_OP_ROLE_ATTR_VALUE as RPC_OP_ROLE_ATTR_VALUE
from paddle_lite.distributed.transpiler.details import op_role_attr_name as op_role_attr_name
from paddle_lite.distributed.transpiler.dispatch import PSDispatcher as PSDispatcher
from paddle_lite.distributed.transpiler.dispatch import RoundRobin as RoundRobin
from paddle_lite.distributed.transpiler.tables import find_distributed_lookup_table as find_distributed_lookup_table
from paddle_lite.distributed.transpiler.transpiler import GeoSgdTranspiler as GeoSgdTranspiler
from paddle_lite.fluid import core as core
from paddle_lite.fluid import framework as framework
from paddle_lite.static.program.block import Block as Block
from paddle_lite.static.program.program import Program as Program
from paddle_lite.static.program.program import default_main_program as default_main_program
from paddle_lite.static.program.program import default_startup_program as default_startup_program
from typing import Any
DistributeTranspiler: Any
DistributeTranspilerConfig: Any
DistributedMode: Any
ServerRuntimeConfig: Any
VarsDistributed: Any
