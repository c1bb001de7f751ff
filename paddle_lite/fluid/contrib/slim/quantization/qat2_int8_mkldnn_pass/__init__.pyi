"""`paddle.fluid.contrib.slim.quantization.qat2_int8_mkldnn_pass`. Made by `python -m stubs`."""

from paddle_lite.fluid.contrib.slim.quantization import *
from paddle_lite.fluid.contrib.slim.quantization import _all_persistable_var_names as _all_persistable_var_names
from paddle_lite.fluid.contrib.slim.quantization import _append_grad_suffix_ as _append_grad_suffix_
from paddle_lite.fluid.contrib.slim.quantization import _current_expected_place as _current_expected_place
from paddle_lite.fluid.contrib.slim.quantization import _dygraph_tracer as _dygraph_tracer
from paddle_lite.fluid.contrib.slim.quantization import _fake_dequant_op_list as _fake_dequant_op_list
from paddle_lite.fluid.contrib.slim.quantization import _fake_quant_dequant_op_list as _fake_quant_dequant_op_list
from paddle_lite.fluid.contrib.slim.quantization import _fake_quant_op_list as _fake_quant_op_list
from paddle_lite.fluid.contrib.slim.quantization import _get_op_input_var_names as _get_op_input_var_names
from paddle_lite.fluid.contrib.slim.quantization import _get_op_output_var_names as _get_op_output_var_names
from paddle_lite.fluid.contrib.slim.quantization import _init_var_node as _init_var_node
from paddle_lite.fluid.contrib.slim.quantization import _is_input_all_not_persistable as _is_input_all_not_persistable
from paddle_lite.fluid.contrib.slim.quantization import _load_variable_data as _load_variable_data
from paddle_lite.fluid.contrib.slim.quantization import _logger as _logger
from paddle_lite.fluid.contrib.slim.quantization import _op_real_in_out_name as _op_real_in_out_name
from paddle_lite.fluid.contrib.slim.quantization import _out_scale_op_list as _out_scale_op_list
from paddle_lite.fluid.contrib.slim.quantization import _set_variable_data as _set_variable_data
from paddle_lite.fluid.contrib.slim.quantization import _varbase_creator as _varbase_creator
