"""`paddle.regularizer`. Made by `python -m stubs`."""

from paddle_lite.fluid.regularizer import *
from paddle_lite.fluid.regularizer import _append_grad_suffix_ as _append_grad_suffix_
from paddle_lite.fluid.regularizer import _create_regularization_of_grad as _create_regularization_of_grad
from paddle_lite.fluid.regularizer import _current_expected_place as _current_expected_place
from paddle_lite.fluid.regularizer import _dygraph_tracer as _dygraph_tracer
from paddle_lite.fluid.regularizer import _varbase_creator as _varbase_creator
