"""`paddle.fluid.contrib.slim.quantization`. Made by `python -m stubs`."""

from paddle_lite import compat as _of_cpt
from paddle_lite.contrib.slim.core.compressor import _logger as _logger
from paddle_lite.contrib.slim.core.strategy import Strategy as Strategy
from paddle_lite.contrib.slim.quantization.freeze_pass import QuantizationFreezePass as QuantizationFreezePass
from paddle_lite.contrib.slim.quantization.graph_tools import init_var_node as _of__init_var_node
from paddle_lite.contrib.slim.quantization.graph_tools import load as _of__load_variable_data
from paddle_lite.contrib.slim.quantization.graph_tools import reads_computed_values_only as _of__is_input_all_not_persistable
from paddle_lite.contrib.slim.quantization.graph_tools import store as _of__set_variable_data
from paddle_lite.contrib.slim.quantization.int8_passes import ConvertToInt8Pass as ConvertToInt8Pass
from paddle_lite.contrib.slim.quantization.int8_passes import TransformForMobilePass as TransformForMobilePass
from paddle_lite.contrib.slim.quantization.mkldnn import MKLDNNPostTrainingQuantStrategy as MKLDNNPostTrainingQuantStrategy
from paddle_lite.contrib.slim.quantization.mkldnn import Qat2Int8MkldnnPass as Qat2Int8MkldnnPass
from paddle_lite.contrib.slim.quantization.mkldnn import QatInt8MkldnnPass as QatInt8MkldnnPass
from paddle_lite.contrib.slim.quantization.operator_slots import FAKE_DEQUANT as _of__fake_dequant_op_list
from paddle_lite.contrib.slim.quantization.operator_slots import FAKE_QUANT as _of__fake_quant_op_list
from paddle_lite.contrib.slim.quantization.operator_slots import FAKE_QUANT_DEQUANT as _of__fake_quant_dequant_op_list
from paddle_lite.contrib.slim.quantization.operator_slots import OUT_SCALE as _of__out_scale_op_list
from paddle_lite.contrib.slim.quantization.operator_slots import SLOTS as _of__op_real_in_out_name
from paddle_lite.contrib.slim.quantization.operator_slots import values_read as _of__get_op_input_var_names
from paddle_lite.contrib.slim.quantization.operator_slots import values_written as _of__get_op_output_var_names
from paddle_lite.contrib.slim.quantization.out_scale_passes import OutScaleForInferencePass as OutScaleForInferencePass
from paddle_lite.contrib.slim.quantization.out_scale_passes import OutScaleForTrainingPass as OutScaleForTrainingPass
from paddle_lite.contrib.slim.quantization.post_training import PostTrainingQuantization as PostTrainingQuantization
from paddle_lite.contrib.slim.quantization.quant_dequant_pass import AddQuantDequantPass as AddQuantDequantPass
from paddle_lite.contrib.slim.quantization.strategy import QuantizationStrategy as QuantizationStrategy
from paddle_lite.contrib.slim.quantization.transform_pass import QuantizationTransformPass as QuantizationTransformPass
from paddle_lite.contrib.slim.quantization.weight_quantization import WeightQuantization as WeightQuantization
from paddle_lite.core.made import data as data
from paddle_lite.core.made import mean as mean
from paddle_lite.core.mode import current_place as _of__current_expected_place
from paddle_lite.core.mode import in_imperative_mode as _of_in_dygraph_mode
from paddle_lite.core.place import cpu_places as cpu_places
from paddle_lite.core.place import cuda_places as cuda_places
from paddle_lite.core.tensor import LoDTensor as LoDTensor
from paddle_lite.core.typing import Parameter as Parameter
from paddle_lite.core.typing import Parameter as _of_ParamBase
from paddle_lite.core.typing import Variable as Variable
from paddle_lite.fluid import backward as backward
from paddle_lite.fluid import compiler as compiler
from paddle_lite.fluid import core as core
from paddle_lite.fluid import dygraph as _of_imperative_base
from paddle_lite.fluid import framework as framework
from paddle_lite.fluid import io as io
from paddle_lite.fluid import layers as layers
from paddle_lite.fluid import unique_name as unique_name
from paddle_lite.fluid.contrib.slim.quantization import mkldnn_post_training_strategy as mkldnn_post_training_strategy
from paddle_lite.fluid.contrib.slim.quantization import post_training_quantization as post_training_quantization
from paddle_lite.fluid.contrib.slim.quantization import qat2_int8_mkldnn_pass as qat2_int8_mkldnn_pass
from paddle_lite.fluid.contrib.slim.quantization import qat_int8_mkldnn_pass as qat_int8_mkldnn_pass
from paddle_lite.fluid.contrib.slim.quantization import quantization_pass as quantization_pass
from paddle_lite.fluid.contrib.slim.quantization import quantization_strategy as quantization_strategy
from paddle_lite.fluid.internals.checking import check_dtype as check_dtype
from paddle_lite.fluid.internals.checking import check_type as check_type
from paddle_lite.fluid.internals.checking import check_variable_and_dtype as check_variable_and_dtype
from paddle_lite.fluid.internals.checking import convert_dtype as convert_dtype
from paddle_lite.fluid.internals.checking import convert_np_dtype_to_dtype_ as convert_np_dtype_to_dtype_
from paddle_lite.fluid.internals.decorators import deprecated as deprecated
from paddle_lite.fluid.internals.decorators import get_logger as get_logger
from paddle_lite.fluid.internals.decorators import wrap_decorator as wrap_decorator
from paddle_lite.fluid.internals.dygraph import _dygraph_tracer as _dygraph_tracer
from paddle_lite.fluid.internals.dygraph import _varbase_creator as _varbase_creator
from paddle_lite.fluid.internals.layer_functions import autodoc as autodoc
from paddle_lite.fluid.internals.layer_functions import templatedoc as templatedoc
from paddle_lite.fluid.internals.operators import OpProtoHolder as OpProtoHolder
from paddle_lite.fluid.internals.program_traits import persistable_names as _of__all_persistable_var_names
from paddle_lite.fluid.internals.values import grad_var_name as _of__append_grad_suffix_
from paddle_lite.fluid.layers import utils as utils
from paddle_lite.imperative.base import no_grad as no_grad
from paddle_lite.imperative.layer import Layer as Layer
from paddle_lite.layers.support.helper import LayerHelper as LayerHelper
from paddle_lite.layers.support.helper import LayerHelper as _of_LayerHelperBase
from paddle_lite.optimizer.schedule_base import LearningRateDecay as LearningRateDecay
from paddle_lite.params.attr import ParamAttr as ParamAttr
from paddle_lite.params.attr import WeightNormParamAttr as WeightNormParamAttr
from paddle_lite.params.clip import GradientClipBase as GradientClipBase
from paddle_lite.params.clip import GradientClipByNorm as GradientClipByNorm
from paddle_lite.params.initializer import Constant as Constant
from paddle_lite.params.initializer import Initializer as Initializer
from paddle_lite.params.initializer import Normal as Normal
from paddle_lite.params.initializer import NumpyArrayInitializer as NumpyArrayInitializer
from paddle_lite.params.initializer import Xavier as Xavier
from paddle_lite.params.regularizer import WeightDecayRegularizer as WeightDecayRegularizer
from paddle_lite.reader.feeder import DataFeeder as DataFeeder
from paddle_lite.static.autodiff.backward import append_backward as append_backward
from paddle_lite.static.desc.variable import VarDesc as VarDesc
from paddle_lite.static.execution.compiled import CompiledProgram as CompiledProgram
from paddle_lite.static.execution.executor import Executor as Executor
from paddle_lite.static.execution.scope import global_scope as global_scope
from paddle_lite.static.execution.scope import scope_guard as scope_guard
from paddle_lite.static.execution.strategies import BuildStrategy as BuildStrategy
from paddle_lite.static.ir_graph.ir_graph import IrGraph as IrGraph
from paddle_lite.static.ir_graph.ir_node import IrNode as IrNode
from paddle_lite.static.program.naming import name_scope as name_scope
from paddle_lite.static.program.operator import Operator as Operator
from paddle_lite.static.program.program import Program as Program
from paddle_lite.static.program.program import default_main_program as default_main_program
from paddle_lite.static.program.program import default_startup_program as default_startup_program
from paddle_lite.static.program.program import program_guard as program_guard
from paddle_lite.static.program.roles import OpRole as OpRole
from paddle_lite.static.program.roles import device_guard as device_guard
from paddle_lite.static.proto import messages as _of_framework_pb2
LayerHelperBase = _of_LayerHelperBase
ParamBase = _of_ParamBase
_all_persistable_var_names = _of__all_persistable_var_names
_append_grad_suffix_ = _of__append_grad_suffix_
_current_expected_place = _of__current_expected_place
_fake_dequant_op_list = _of__fake_dequant_op_list
_fake_quant_dequant_op_list = _of__fake_quant_dequant_op_list
_fake_quant_op_list = _of__fake_quant_op_list
_get_op_input_var_names = _of__get_op_input_var_names
_get_op_output_var_names = _of__get_op_output_var_names
_init_var_node = _of__init_var_node
_is_input_all_not_persistable = _of__is_input_all_not_persistable
_load_variable_data = _of__load_variable_data
_op_real_in_out_name = _of__op_real_in_out_name
_out_scale_op_list = _of__out_scale_op_list
_set_variable_data = _of__set_variable_data
cpt = _of_cpt
framework_pb2 = _of_framework_pb2
imperative_base = _of_imperative_base
in_dygraph_mode = _of_in_dygraph_mode
