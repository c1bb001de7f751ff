"""`paddle.fluid.dygraph.parallel_helper`. Made by `python -m stubs`."""

from paddle_lite.core.typing import Parameter as Parameter
from paddle_lite.distributed.parallel_helper import _broadcast_parameters as _broadcast_parameters
from paddle_lite.distributed.parallel_helper import _init_parallel_ctx as _init_parallel_ctx
from paddle_lite.distributed.parallel_helper import _is_data_parallel_mode as _is_data_parallel_mode
from paddle_lite.distributed.parallel_helper import _set_parallel_ctx as _set_parallel_ctx
from paddle_lite.fluid.layers import collective as collective
