"""`paddle.clip`. Made by `python -m stubs`."""

from paddle_lite.fluid.clip import *
from paddle_lite.fluid.clip import _append_grad_suffix_ as _append_grad_suffix_
from paddle_lite.fluid.clip import _correct_clip_op_role_var as _correct_clip_op_role_var
from paddle_lite.fluid.clip import _current_expected_place as _current_expected_place
from paddle_lite.fluid.clip import _dygraph_tracer as _dygraph_tracer
from paddle_lite.fluid.clip import _varbase_creator as _varbase_creator
