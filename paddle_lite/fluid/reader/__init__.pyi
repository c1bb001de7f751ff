"""`paddle.fluid.reader`. Made by `python -m stubs`."""

from paddle_lite.fluid.io import *
from paddle_lite.fluid.io import _DataLoaderIterMultiProcess as _DataLoaderIterMultiProcess
from paddle_lite.fluid.io import _DataLoaderIterSingleProcess as _DataLoaderIterSingleProcess
from paddle_lite.fluid.io import _append_grad_suffix_ as _append_grad_suffix_
from paddle_lite.fluid.io import _cleanup as _cleanup
from paddle_lite.fluid.io import _cleanup_mmap as _cleanup_mmap
from paddle_lite.fluid.io import _clone_var_in_block_ as _clone_var_in_block_
from paddle_lite.fluid.io import _convert_places as _convert_places
from paddle_lite.fluid.io import _copy_reader_var_ as _copy_reader_var_
from paddle_lite.fluid.io import _current_expected_place as _current_expected_place
from paddle_lite.fluid.io import _dygraph_tracer as _dygraph_tracer
from paddle_lite.fluid.io import _endpoints_replacement as _endpoints_replacement
from paddle_lite.fluid.io import _get_valid_program as _get_valid_program
from paddle_lite.fluid.io import _load_distributed_persistables as _load_distributed_persistables
from paddle_lite.fluid.io import _load_persistable_nodes as _load_persistable_nodes
from paddle_lite.fluid.io import _load_program_scope as _load_program_scope
from paddle_lite.fluid.io import _logger as _logger
from paddle_lite.fluid.io import _save_distributed_persistables as _save_distributed_persistables
from paddle_lite.fluid.io import _save_persistable_nodes as _save_persistable_nodes
from paddle_lite.fluid.io import _set_SIGCHLD_handler as _set_SIGCHLD_handler
from paddle_lite.fluid.io import _varbase_creator as _varbase_creator
