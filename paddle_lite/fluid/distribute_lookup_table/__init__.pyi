"""`paddle.fluid.distribute_lookup_table`. Made by `python -m stubs`."""

from paddle_lite.distributed.transpiler.tables import LOOKUP_TABLE_TYPE as LOOKUP_TABLE_TYPE
from paddle_lite.distributed.transpiler.tables import find_distributed_lookup_table as find_distributed_lookup_table
from paddle_lite.distributed.transpiler.tables import find_distributed_lookup_table_inputs as find_distributed_lookup_table_inputs
from paddle_lite.distributed.transpiler.tables import find_distributed_lookup_table_outputs as find_distributed_lookup_table_outputs
