"""`paddle.fluid.imperative.parallel_helper`. Made by `python -m stubs`."""

from paddle_lite.fluid.dygraph.parallel_helper import *
from paddle_lite.fluid.dygraph.parallel_helper import _broadcast_parameters as _broadcast_parameters
from paddle_lite.fluid.dygraph.parallel_helper import _init_parallel_ctx as _init_parallel_ctx
from paddle_lite.fluid.dygraph.parallel_helper import _is_data_parallel_mode as _is_data_parallel_mode
from paddle_lite.fluid.dygraph.parallel_helper import _set_parallel_ctx as _set_parallel_ctx
