"""`paddle.fluid.framework`. Made by `python -m stubs`."""

from paddle_lite import compat as _of_cpt
from paddle_lite import version as _of_fluid_version
from paddle_lite.core.flags import get_flags as get_flags
from paddle_lite.core.flags import set_flags as set_flags
from paddle_lite.core.mode import current_place as _of__current_expected_place
from paddle_lite.core.mode import in_imperative_mode as _of_in_dygraph_mode
from paddle_lite.core.place import CPUPlace as CPUPlace
from paddle_lite.core.place import CUDAPinnedPlace as CUDAPinnedPlace
from paddle_lite.core.place import CUDAPlace as CUDAPlace
from paddle_lite.core.place import cpu_places as cpu_places
from paddle_lite.core.place import cuda_pinned_places as cuda_pinned_places
from paddle_lite.core.place import cuda_places as cuda_places
from paddle_lite.core.place import is_compiled_with_cuda as is_compiled_with_cuda
from paddle_lite.core.tensor import LoDTensor as LoDTensor
from paddle_lite.core.typing import Parameter as Parameter
from paddle_lite.core.typing import Parameter as _of_ParamBase
from paddle_lite.core.typing import Variable as Variable
from paddle_lite.fluid import backward as backward
from paddle_lite.fluid import compiler as compiler
from paddle_lite.fluid import core as core
from paddle_lite.fluid import dygraph as _of_imperative_base
from paddle_lite.fluid import framework as framework
from paddle_lite.fluid import layers as layers
from paddle_lite.fluid import unique_name as unique_name
from paddle_lite.fluid.internals.checking import check_dtype as check_dtype
from paddle_lite.fluid.internals.checking import check_type as check_type
from paddle_lite.fluid.internals.checking import check_variable_and_dtype as check_variable_and_dtype
from paddle_lite.fluid.internals.checking import convert_dtype as convert_dtype
from paddle_lite.fluid.internals.checking import convert_np_dtype_to_dtype_ as convert_np_dtype_to_dtype_
from paddle_lite.fluid.internals.checking import dtype_is_floating as dtype_is_floating
from paddle_lite.fluid.internals.decorators import deprecated as deprecated
from paddle_lite.fluid.internals.decorators import get_logger as get_logger
from paddle_lite.fluid.internals.decorators import wrap_decorator as wrap_decorator
from paddle_lite.fluid.internals.dygraph import _cpu_num as _cpu_num
from paddle_lite.fluid.internals.dygraph import _cuda_ids as _cuda_ids
from paddle_lite.fluid.internals.dygraph import _dygraph_guard as _dygraph_guard
from paddle_lite.fluid.internals.dygraph import _dygraph_not_support_ as _dygraph_not_support_
from paddle_lite.fluid.internals.dygraph import _dygraph_not_support_ as _of_dygraph_not_support
from paddle_lite.fluid.internals.dygraph import _dygraph_only_ as _dygraph_only_
from paddle_lite.fluid.internals.dygraph import _dygraph_only_ as _of_dygraph_only
from paddle_lite.fluid.internals.dygraph import _dygraph_tracer as _dygraph_tracer
from paddle_lite.fluid.internals.dygraph import _fake_interface_only_ as _fake_interface_only_
from paddle_lite.fluid.internals.dygraph import _fake_interface_only_ as _of_fake_interface_only
from paddle_lite.fluid.internals.dygraph import _var_base_to_np as _var_base_to_np
from paddle_lite.fluid.internals.dygraph import _varbase_creator as _varbase_creator
from paddle_lite.fluid.internals.layer_functions import autodoc as autodoc
from paddle_lite.fluid.internals.layer_functions import templatedoc as templatedoc
from paddle_lite.fluid.internals.message_texts import debug_string as _of__debug_string_
from paddle_lite.fluid.internals.name_scopes import NameScope as NameScope
from paddle_lite.fluid.internals.operators import OpProtoHolder as OpProtoHolder
from paddle_lite.fluid.internals.operators import get_all_op_protos as get_all_op_protos
from paddle_lite.fluid.internals.values import CONTROL_DEP_VAR_PREFIX as CONTROL_DEP_VAR_PREFIX
from paddle_lite.fluid.internals.values import EMPTY_VAR_NAME as EMPTY_VAR_NAME
from paddle_lite.fluid.internals.values import GRAD_VAR_SUFFIX as GRAD_VAR_SUFFIX
from paddle_lite.fluid.internals.values import TEMP_VAR_NAME as TEMP_VAR_NAME
from paddle_lite.fluid.internals.values import ZERO_VAR_SUFFIX as ZERO_VAR_SUFFIX
from paddle_lite.fluid.internals.values import _get_var as _get_var
from paddle_lite.fluid.internals.values import generate_control_dev_var_name as generate_control_dev_var_name
from paddle_lite.fluid.internals.values import getitem as _of__getitem_impl_
from paddle_lite.fluid.internals.values import grad_var_name as _of__append_grad_suffix_
from paddle_lite.fluid.internals.values import grad_var_name as grad_var_name
from paddle_lite.fluid.layers import utils as utils
from paddle_lite.fluid.native import load_op_library as load_op_library
from paddle_lite.fluid.versions import require_version as require_version
from paddle_lite.imperative.base import no_grad as no_grad
from paddle_lite.imperative.base import place_guard as _of__dygraph_place_guard
from paddle_lite.imperative.layer import Layer as Layer
from paddle_lite.layers.support.helper import LayerHelper as LayerHelper
from paddle_lite.layers.support.helper import LayerHelper as _of_LayerHelperBase
from paddle_lite.ops.framework.complex_variable import ComplexVariable as ComplexVariable
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
from paddle_lite.static.ir_graph.ir_graph import IrGraph as IrGraph
from paddle_lite.static.ir_graph.ir_node import IrNode as IrNode
from paddle_lite.static.ir_graph.ir_node import IrOpNode as IrOpNode
from paddle_lite.static.ir_graph.ir_node import IrVarNode as IrVarNode
from paddle_lite.static.program.block import Block as Block
from paddle_lite.static.program.naming import name_scope as name_scope
from paddle_lite.static.program.naming import namescope as _of__full_name_scope
from paddle_lite.static.program.operator import Operator as Operator
from paddle_lite.static.program.program import Program as Program
from paddle_lite.static.program.program import default_main_program as default_main_program
from paddle_lite.static.program.program import default_startup_program as default_startup_program
from paddle_lite.static.program.program import program_guard as program_guard
from paddle_lite.static.program.program import switch_main_program as switch_main_program
from paddle_lite.static.program.program import switch_startup_program as switch_startup_program
from paddle_lite.static.program.roles import OpRole as OpRole
from paddle_lite.static.program.roles import device_guard as device_guard
from paddle_lite.static.program.roles import switch_device as switch_device
from paddle_lite.static.program.variable import VariableMetaClass as VariableMetaClass
from paddle_lite.static.program.variable import VariableMetaClass as _of_ParameterMetaClass
from paddle_lite.static.proto import messages as _of_framework_pb2
from typing import Any
LayerHelperBase = _of_LayerHelperBase
ParamBase = _of_ParamBase
ParameterMetaClass = _of_ParameterMetaClass
_append_grad_suffix_ = _of__append_grad_suffix_
_current_expected_place = _of__current_expected_place
_debug_string_ = _of__debug_string_
_dygraph_place_guard = _of__dygraph_place_guard
_full_name_scope = _of__full_name_scope
_getitem_impl_ = _of__getitem_impl_
cpt = _of_cpt
dygraph_not_support = _of_dygraph_not_support
dygraph_only = _of_dygraph_only
fake_interface_only = _of_fake_interface_only
fluid_version = _of_fluid_version
framework_pb2 = _of_framework_pb2
imperative_base = _of_imperative_base
in_dygraph_mode = _of_in_dygraph_mode
_current_device: Any
_dygraph_current_expected_place_: Any
_dygraph_tracer_: Any
_main_program_: Any
_name_scope: Any
_startup_program_: Any
global_prog_seed: Any
