"""`paddle.fluid.layers.collective`. Made by `python -m stubs`."""

from paddle_lite.core.typing import Variable as Variable
from paddle_lite.fluid import unique_name as unique_name
from paddle_lite.layers.control.collective import _allreduce as _allreduce
from paddle_lite.layers.control.collective import _broadcast as _broadcast
from paddle_lite.layers.control.collective import _c_allgather as _c_allgather
from paddle_lite.layers.control.collective import _c_allreduce as _c_allreduce
from paddle_lite.layers.control.collective import _c_broadcast as _c_broadcast
from paddle_lite.layers.control.collective import _c_reducescatter as _c_reducescatter
from paddle_lite.layers.control.collective import _c_sync_calc_stream as _c_sync_calc_stream
from paddle_lite.layers.control.collective import _c_sync_comm_stream as _c_sync_comm_stream
from paddle_lite.layers.support.helper import LayerHelper as LayerHelper
