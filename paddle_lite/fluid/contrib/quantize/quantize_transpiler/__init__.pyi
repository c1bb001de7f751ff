"""`paddle.fluid.contrib.quantize.quantize_transpiler`. Made by `python -m stubs`."""

from paddle_lite.fluid.contrib.quantize import *
from paddle_lite.fluid.contrib.quantize import _QUANTIZABLE_OP_TYPES as _QUANTIZABLE_OP_TYPES
from paddle_lite.fluid.contrib.quantize import _append_grad_suffix_ as _append_grad_suffix_
from paddle_lite.fluid.contrib.quantize import _current_expected_place as _current_expected_place
from paddle_lite.fluid.contrib.quantize import _dequantized_var_name as _dequantized_var_name
from paddle_lite.fluid.contrib.quantize import _dygraph_tracer as _dygraph_tracer
from paddle_lite.fluid.contrib.quantize import _is_float as _is_float
from paddle_lite.fluid.contrib.quantize import _original_var_name as _original_var_name
from paddle_lite.fluid.contrib.quantize import _quantized_scale_name as _quantized_scale_name
from paddle_lite.fluid.contrib.quantize import _quantized_var_name as _quantized_var_name
from paddle_lite.fluid.contrib.quantize import _varbase_creator as _varbase_creator
