"""`paddle.fluid.contrib.utils.lookup_table_utils`. Made by `python -m stubs`."""

import paddle_lite as paddle
from paddle_lite.distributed.transpiler.stored_tables import _log as _of__logger
from paddle_lite.distributed.transpiler.stored_tables import convert_dist_to_sparse_program as convert_dist_to_sparse_program
from paddle_lite.distributed.transpiler.stored_tables import get_inference_model as get_inference_model
from paddle_lite.distributed.transpiler.stored_tables import load_persistables_for_increment as load_persistables_for_increment
from paddle_lite.distributed.transpiler.stored_tables import load_persistables_for_inference as load_persistables_for_inference
from paddle_lite.distributed.transpiler.stored_tables import lookup_table_dir as lookup_table_dir
from paddle_lite.distributed.transpiler.stored_tables import model_filename as model_filename
from paddle_lite.fluid import core as core
from paddle_lite.fluid import io as io
from paddle_lite.fluid.internals.decorators import get_logger as get_logger
from paddle_lite.static.program.program import Program as Program
_logger = _of__logger
