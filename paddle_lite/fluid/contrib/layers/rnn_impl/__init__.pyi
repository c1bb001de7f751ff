"""`paddle.fluid.contrib.layers.rnn_impl`. Made by `python -m stubs`."""

from paddle_lite.fluid.contrib.layers import *
from paddle_lite.fluid.contrib.layers import _append_grad_suffix_ as _append_grad_suffix_
from paddle_lite.fluid.contrib.layers import _current_expected_place as _current_expected_place
from paddle_lite.fluid.contrib.layers import _dygraph_tracer as _dygraph_tracer
from paddle_lite.fluid.contrib.layers import _varbase_creator as _varbase_creator
