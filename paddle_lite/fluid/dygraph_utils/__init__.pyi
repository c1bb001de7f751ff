"""`paddle.fluid.dygraph_utils`. Made by `python -m stubs`."""

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
from paddle_lite.fluid import layers as layers
from paddle_lite.fluid import unique_name as unique_name
from paddle_lite.fluid.internals.checking import check_dtype as check_dtype
from paddle_lite.fluid.internals.checking import check_type as check_type
from paddle_lite.fluid.internals.checking import check_variable_and_dtype as check_variable_and_dtype
from paddle_lite.fluid.internals.checking import convert_dtype as convert_dtype
from paddle_lite.fluid.internals.checking import convert_np_dtype_to_dtype_ as convert_np_dtype_to_dtype_
from paddle_lite.fluid.internals.decorators import deprecated as deprecated
from paddle_lite.fluid.internals.decorators import get_logger as get_logger
from paddle_lite.fluid.internals.decorators import wrap_decorator as wrap_decorator
from paddle_lite.fluid.internals.dygraph import _append_activation_in_dygraph as _append_activation_in_dygraph
from paddle_lite.fluid.internals.dygraph import _append_bias_in_dygraph as _append_bias_in_dygraph
from paddle_lite.fluid.internals.dygraph import _dygraph_only_ as _of_dygraph_only
from paddle_lite.fluid.internals.dygraph import _dygraph_tracer as _dygraph_tracer
from paddle_lite.fluid.internals.dygraph import _varbase_creator as _varbase_creator
from paddle_lite.fluid.internals.layer_functions import autodoc as autodoc
from paddle_lite.fluid.internals.layer_functions import templatedoc as templatedoc
from paddle_lite.fluid.internals.operators import OpProtoHolder as OpProtoHolder
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
from paddle_lite.static.program.naming import name_scope as name_scope
from paddle_lite.static.program.program import Program as Program
from paddle_lite.static.program.program import default_main_program as default_main_program
from paddle_lite.static.program.program import default_startup_program as default_startup_program
from paddle_lite.static.program.program import program_guard as program_guard
from paddle_lite.static.program.roles import OpRole as OpRole
from paddle_lite.static.program.roles import device_guard as device_guard
from paddle_lite.static.proto import messages as _of_framework_pb2
LayerHelperBase = _of_LayerHelperBase
ParamBase = _of_ParamBase
_append_grad_suffix_ = _of__append_grad_suffix_
_current_expected_place = _of__current_expected_place
dygraph_only = _of_dygraph_only
framework_pb2 = _of_framework_pb2
imperative_base = _of_imperative_base
in_dygraph_mode = _of_in_dygraph_mode
