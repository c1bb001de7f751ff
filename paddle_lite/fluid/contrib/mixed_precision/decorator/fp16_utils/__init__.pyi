"""`paddle.fluid.contrib.mixed_precision.decorator.fp16_utils`. Made by `python -m stubs`."""

from paddle_lite.fluid.contrib.mixed_precision.fp16_utils import *
from paddle_lite.fluid.contrib.mixed_precision.fp16_utils import _append_grad_suffix_ as _append_grad_suffix_
from paddle_lite.fluid.contrib.mixed_precision.fp16_utils import _current_expected_place as _current_expected_place
from paddle_lite.fluid.contrib.mixed_precision.fp16_utils import _dtype_to_str as _dtype_to_str
from paddle_lite.fluid.contrib.mixed_precision.fp16_utils import _dygraph_tracer as _dygraph_tracer
from paddle_lite.fluid.contrib.mixed_precision.fp16_utils import _insert_cast_op as _insert_cast_op
from paddle_lite.fluid.contrib.mixed_precision.fp16_utils import _is_in_black_varnames as _is_in_black_varnames
from paddle_lite.fluid.contrib.mixed_precision.fp16_utils import _rename_arg as _rename_arg
from paddle_lite.fluid.contrib.mixed_precision.fp16_utils import _varbase_creator as _varbase_creator
