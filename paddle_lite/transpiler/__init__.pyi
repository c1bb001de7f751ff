"""`paddle.transpiler`. Made by `python -m stubs`."""

from paddle_lite.fluid.transpiler import *
from paddle_lite.fluid.transpiler import _append_grad_suffix_ as _append_grad_suffix_
from paddle_lite.fluid.transpiler import _current_expected_place as _current_expected_place
from paddle_lite.fluid.transpiler import _dygraph_tracer as _dygraph_tracer
from paddle_lite.fluid.transpiler import _varbase_creator as _varbase_creator
