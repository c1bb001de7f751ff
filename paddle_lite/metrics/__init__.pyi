"""`paddle.metrics`. Made by `python -m stubs`."""

from paddle_lite.fluid.metrics import *
from paddle_lite.fluid.metrics import _append_grad_suffix_ as _append_grad_suffix_
from paddle_lite.fluid.metrics import _current_expected_place as _current_expected_place
from paddle_lite.fluid.metrics import _dygraph_tracer as _dygraph_tracer
from paddle_lite.fluid.metrics import _is_number_ as _is_number_
from paddle_lite.fluid.metrics import _is_number_or_matrix_ as _is_number_or_matrix_
from paddle_lite.fluid.metrics import _is_numpy_ as _is_numpy_
from paddle_lite.fluid.metrics import _varbase_creator as _varbase_creator
