"""`paddle.fluid.layers.detection`. Made by `python -m stubs`."""

from paddle_lite.fluid.layers import *
from paddle_lite.fluid.layers import _append_grad_suffix_ as _append_grad_suffix_
from paddle_lite.fluid.layers import _current_expected_place as _current_expected_place
from paddle_lite.fluid.layers import _decay_step_counter as _decay_step_counter
from paddle_lite.fluid.layers import _dygraph_tracer as _dygraph_tracer
from paddle_lite.fluid.layers import _varbase_creator as _varbase_creator
