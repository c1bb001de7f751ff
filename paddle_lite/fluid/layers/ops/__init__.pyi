"""`paddle.fluid.layers.ops`. Made by `python -m stubs`."""

from paddle_lite.fluid.layers import *
from paddle_lite.fluid.layers import _append_grad_suffix_ as _append_grad_suffix_
from paddle_lite.fluid.layers import _cum_sum_ as _cum_sum_
from paddle_lite.fluid.layers import _current_expected_place as _current_expected_place
from paddle_lite.fluid.layers import _decay_step_counter as _decay_step_counter
from paddle_lite.fluid.layers import _dygraph_tracer as _dygraph_tracer
from paddle_lite.fluid.layers import _elementwise_div as _elementwise_div
from paddle_lite.fluid.layers import _elementwise_op as _elementwise_op
from paddle_lite.fluid.layers import _elementwise_op_in_dygraph as _elementwise_op_in_dygraph
from paddle_lite.fluid.layers import _erf_ as _erf_
from paddle_lite.fluid.layers import _error_message as _error_message
from paddle_lite.fluid.layers import _gelu_ as _gelu_
from paddle_lite.fluid.layers import _generate_doc_string_ as _generate_doc_string_
from paddle_lite.fluid.layers import _hard_shrink_ as _hard_shrink_
from paddle_lite.fluid.layers import _infer_var_data_type_shape_ as _infer_var_data_type_shape_
from paddle_lite.fluid.layers import _logical_op as _logical_op
from paddle_lite.fluid.layers import _scale as _scale
from paddle_lite.fluid.layers import _softshrink_ as _softshrink_
from paddle_lite.fluid.layers import _supported_int_dtype_ as _supported_int_dtype_
from paddle_lite.fluid.layers import _thresholded_relu_ as _thresholded_relu_
from paddle_lite.fluid.layers import _tril_triu_op as _tril_triu_op
from paddle_lite.fluid.layers import _varbase_creator as _varbase_creator
