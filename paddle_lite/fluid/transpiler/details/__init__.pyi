"""`paddle.fluid.transpiler.details`. Made by `python -m stubs`."""

import paddle_lite as paddle
from paddle_lite.core.typing import Variable as Variable
from paddle_lite.distributed.transpiler.details import UnionFind as UnionFind
from paddle_lite.distributed.transpiler.details import VarDistributed as VarDistributed
from paddle_lite.distributed.transpiler.details import VarStruct as VarStruct
from paddle_lite.distributed.transpiler.details import VarsDistributed as VarsDistributed
from paddle_lite.distributed.transpiler.details import wait_server_ready as wait_server_ready
from paddle_lite.fluid import core as core
from paddle_lite.fluid.internals.constants import string_types as string_types
from paddle_lite.fluid.internals.program_texts import block_to_code as block_to_code
from paddle_lite.fluid.internals.program_texts import delete_ops as delete_ops
from paddle_lite.fluid.internals.program_texts import find_op_by_input_arg as find_op_by_input_arg
from paddle_lite.fluid.internals.program_texts import find_op_by_output_arg as find_op_by_output_arg
from paddle_lite.fluid.internals.program_texts import get_indent_space as get_indent_space
from paddle_lite.fluid.internals.program_texts import op_to_code as op_to_code
from paddle_lite.fluid.internals.program_texts import program_to_code as program_to_code
from paddle_lite.fluid.internals.program_texts import variable_to_code as variable_to_code
from paddle_lite.fluid.transpiler.details import checkport as checkport
from paddle_lite.fluid.transpiler.details import program_utils as program_utils
from paddle_lite.fluid.transpiler.details import ufind as ufind
from paddle_lite.fluid.transpiler.details import vars_distributed as vars_distributed
