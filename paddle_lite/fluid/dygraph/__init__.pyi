"""`paddle.fluid.dygraph`. Made by `python -m stubs`."""

from paddle_lite import compat as _of_cpt
from paddle_lite.core.made import cross_entropy as cross_entropy
from paddle_lite.core.made import dygraph_to_static_func as _of__dygraph_to_static_func_
from paddle_lite.core.made import dygraph_to_static_func as dygraph_to_static_func
from paddle_lite.core.made import square as square
from paddle_lite.core.mode import current_place as _of__current_expected_place
from paddle_lite.core.mode import in_imperative_mode as _of_in_dygraph_mode
from paddle_lite.core.place import cpu_places as cpu_places
from paddle_lite.core.place import cuda_places as cuda_places
from paddle_lite.core.tensor import LoDTensor as LoDTensor
from paddle_lite.core.typing import Parameter as Parameter
from paddle_lite.core.typing import Parameter as _of_ParamBase
from paddle_lite.core.typing import Variable as Variable
from paddle_lite.distributed.environment import Env as Env
from paddle_lite.distributed.environment import ParallelEnv as ParallelEnv
from paddle_lite.distributed.parallel import DataParallel as DataParallel
from paddle_lite.distributed.parallel import ParallelStrategy as ParallelStrategy
from paddle_lite.distributed.parallel import prepare_context as prepare_context
from paddle_lite.fluid import backward as backward
from paddle_lite.fluid import compiler as compiler
from paddle_lite.fluid import core as core
from paddle_lite.fluid import dygraph as _of_imperative_base
from paddle_lite.fluid import dygraph as _of_layers
from paddle_lite.fluid import dygraph as _of_learning_rate_scheduler
from paddle_lite.fluid import dygraph as _of_nn
from paddle_lite.fluid import dygraph_utils as dygraph_utils
from paddle_lite.fluid import framework as framework
from paddle_lite.fluid import layers as _of_F
from paddle_lite.fluid import unique_name as unique_name
from paddle_lite.fluid.dropped import load_persistables as load_persistables
from paddle_lite.fluid.dropped import save_persistables as save_persistables
from paddle_lite.fluid.dygraph import backward_strategy as backward_strategy
from paddle_lite.fluid.dygraph import base as base
from paddle_lite.fluid.dygraph import checkpoint as checkpoint
from paddle_lite.fluid.dygraph import container as container
from paddle_lite.fluid.dygraph import dygraph_to_static as dygraph_to_static
from paddle_lite.fluid.dygraph import jit as jit
from paddle_lite.fluid.dygraph import layer_object_helper as layer_object_helper
from paddle_lite.fluid.dygraph import math_op_patch as math_op_patch
from paddle_lite.fluid.dygraph import parallel as parallel
from paddle_lite.fluid.dygraph import parallel_helper as parallel_helper
from paddle_lite.fluid.dygraph import profiler as profiler
from paddle_lite.fluid.dygraph import static_runner as static_runner
from paddle_lite.fluid.dygraph import tracer as tracer
from paddle_lite.fluid.dygraph import varbase_patch_methods as varbase_patch_methods
from paddle_lite.fluid.internals.checking import check_dtype as check_dtype
from paddle_lite.fluid.internals.checking import check_type as check_type
from paddle_lite.fluid.internals.checking import check_variable_and_dtype as check_variable_and_dtype
from paddle_lite.fluid.internals.checking import convert_dtype as convert_dtype
from paddle_lite.fluid.internals.checking import convert_np_dtype_to_dtype_ as convert_np_dtype_to_dtype_
from paddle_lite.fluid.internals.constants import all_cap as _of__all_cap_re
from paddle_lite.fluid.internals.constants import first_cap as _of__first_cap_re
from paddle_lite.fluid.internals.decorators import deprecated as deprecated
from paddle_lite.fluid.internals.decorators import get_logger as get_logger
from paddle_lite.fluid.internals.decorators import wrap_decorator as wrap_decorator
from paddle_lite.fluid.internals.dygraph import Tracer as Tracer
from paddle_lite.fluid.internals.dygraph import _dygraph_guard as _dygraph_guard
from paddle_lite.fluid.internals.dygraph import _dygraph_only_ as _of_dygraph_only
from paddle_lite.fluid.internals.dygraph import _dygraph_tracer as _dygraph_tracer
from paddle_lite.fluid.internals.dygraph import _switch_tracer_mode_guard_ as _switch_tracer_mode_guard_
from paddle_lite.fluid.internals.dygraph import _varbase_creator as _varbase_creator
from paddle_lite.fluid.internals.dygraph import param_guard as param_guard
from paddle_lite.fluid.internals.dygraph import program_desc_tracing_guard as program_desc_tracing_guard
from paddle_lite.fluid.internals.dygraph import switch_to_static_graph as _of__switch_to_static_graph_
from paddle_lite.fluid.internals.dygraph import switch_to_static_graph as switch_to_static_graph
from paddle_lite.fluid.internals.layer_functions import autodoc as autodoc
from paddle_lite.fluid.internals.layer_functions import templatedoc as templatedoc
from paddle_lite.fluid.internals.loggers import jit as _of_logger
from paddle_lite.fluid.internals.native.processes import CleanupFuncRegistrar as CleanupFuncRegistrar
from paddle_lite.fluid.internals.nested import extract_vars as _of__extract_vars
from paddle_lite.fluid.internals.nested import extract_vars as extract_vars
from paddle_lite.fluid.internals.operators import OpProtoHolder as OpProtoHolder
from paddle_lite.fluid.internals.profiling import print_counts as _of__print_debug_msg
from paddle_lite.fluid.internals.profiling import start_gperf_profiler as start_gperf_profiler
from paddle_lite.fluid.internals.profiling import stop_gperf_profiler as stop_gperf_profiler
from paddle_lite.fluid.internals.program_traits import create_program_from_desc as create_program_from_desc
from paddle_lite.fluid.internals.traced import trace as _of__trace
from paddle_lite.fluid.internals.values import grad_var_name as _of__append_grad_suffix_
from paddle_lite.fluid.layers import collective as collective
from paddle_lite.fluid.layers import utils as utils
from paddle_lite.imperative.base import disable_imperative as _of_disable_dygraph
from paddle_lite.imperative.base import disable_imperative as disable_imperative
from paddle_lite.imperative.base import enable_dygraph as _of_enable_imperative
from paddle_lite.imperative.base import enable_dygraph as enable_dygraph
from paddle_lite.imperative.base import enabled as enabled
from paddle_lite.imperative.base import guard as guard
from paddle_lite.imperative.base import no_grad as no_grad
from paddle_lite.imperative.base import to_variable as to_variable
from paddle_lite.imperative.container import LayerList as LayerList
from paddle_lite.imperative.container import ParameterList as ParameterList
from paddle_lite.imperative.container import Sequential as Sequential
from paddle_lite.imperative.entries.recompute import recompute as recompute
from paddle_lite.imperative.gradients import BackwardStrategy as BackwardStrategy
from paddle_lite.imperative.gradients import grad as grad
from paddle_lite.imperative.layer import HookRemoveHelper as HookRemoveHelper
from paddle_lite.imperative.layer import Layer as Layer
from paddle_lite.imperative.layer import snake_case as _of__convert_camel_to_snake
from paddle_lite.imperative.layer_helper import LayerObjectHelper as LayerObjectHelper
from paddle_lite.io.state import load_dygraph as load_dygraph
from paddle_lite.io.state import save_dygraph as save_dygraph
from paddle_lite.jit.declared import ProgramTranslator as ProgramTranslator
from paddle_lite.jit.declared import declarative as _of__declarative_
from paddle_lite.jit.declared import declarative as declarative
from paddle_lite.jit.static_runner import StaticModelRunner as StaticModelRunner
from paddle_lite.jit.traced import TracedLayer as TracedLayer
from paddle_lite.layers.support.helper import LayerHelper as LayerHelper
from paddle_lite.layers.support.helper import LayerHelper as _of_LayerHelperBase
from paddle_lite.nn.activation import PRelu as PRelu
from paddle_lite.nn.bilinear import BilinearTensorProduct as BilinearTensorProduct
from paddle_lite.nn.common import Dropout as Dropout
from paddle_lite.nn.common import Embedding as Embedding
from paddle_lite.nn.conv import Conv2D as Conv2D
from paddle_lite.nn.conv_rows import RowConv as RowConv
from paddle_lite.nn.conv_transpose import Conv2DTranspose as Conv2DTranspose
from paddle_lite.nn.conv_transpose import Conv3DTranspose as Conv3DTranspose
from paddle_lite.nn.conv_volume import Conv3D as Conv3D
from paddle_lite.nn.fc import FC as FC
from paddle_lite.nn.group_norm import GroupNorm as GroupNorm
from paddle_lite.nn.group_norm import InstanceNorm as InstanceNorm
from paddle_lite.nn.linear import Linear as Linear
from paddle_lite.nn.loss import BCELoss as BCELoss
from paddle_lite.nn.loss import L1Loss as L1Loss
from paddle_lite.nn.loss import MSELoss as MSELoss
from paddle_lite.nn.loss import NLLLoss as NLLLoss
from paddle_lite.nn.nce import NCE as NCE
from paddle_lite.nn.norm import BatchNorm as BatchNorm
from paddle_lite.nn.norm import LayerNorm as LayerNorm
from paddle_lite.nn.pool import Pool2D as Pool2D
from paddle_lite.nn.rnn_cells import GRUCell as GRUCell
from paddle_lite.nn.rnn_cells import LSTMCell as LSTMCell
from paddle_lite.nn.rnn_unit import GRUUnit as GRUUnit
from paddle_lite.nn.sequence_conv import SequenceConv as SequenceConv
from paddle_lite.nn.spectral_norm import SpectralNorm as SpectralNorm
from paddle_lite.nn.tree_conv import TreeConv as TreeConv
from paddle_lite.ops.framework.complex_variable import ComplexVariable as ComplexVariable
from paddle_lite.optimizer.schedule_base import LearningRateDecay as LearningRateDecay
from paddle_lite.optimizer.schedule_epochs import EpochDecay as _of__LearningRateEpochDecay
from paddle_lite.optimizer.schedule_epochs import LambdaDecay as LambdaDecay
from paddle_lite.optimizer.schedule_epochs import MultiStepDecay as MultiStepDecay
from paddle_lite.optimizer.schedule_epochs import StepDecay as StepDecay
from paddle_lite.optimizer.schedule_plateau import ReduceLROnPlateau as ReduceLROnPlateau
from paddle_lite.optimizer.schedule_steps import CosineDecay as CosineDecay
from paddle_lite.optimizer.schedule_steps import ExponentialDecay as ExponentialDecay
from paddle_lite.optimizer.schedule_steps import InverseTimeDecay as InverseTimeDecay
from paddle_lite.optimizer.schedule_steps import LinearLrWarmup as LinearLrWarmup
from paddle_lite.optimizer.schedule_steps import NaturalExpDecay as NaturalExpDecay
from paddle_lite.optimizer.schedule_steps import NoamDecay as NoamDecay
from paddle_lite.optimizer.schedule_steps import PiecewiseDecay as PiecewiseDecay
from paddle_lite.optimizer.schedule_steps import PolynomialDecay as PolynomialDecay
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
from paddle_lite.static.program.block import Block as Block
from paddle_lite.static.program.naming import name_scope as name_scope
from paddle_lite.static.program.program import Program as Program
from paddle_lite.static.program.program import default_main_program as default_main_program
from paddle_lite.static.program.program import default_startup_program as default_startup_program
from paddle_lite.static.program.program import program_guard as program_guard
from paddle_lite.static.program.roles import OpRole as OpRole
from paddle_lite.static.program.roles import device_guard as device_guard
from paddle_lite.static.proto import messages as _of_framework_pb2
from typing import Any
F = _of_F
LayerHelperBase = _of_LayerHelperBase
ParamBase = _of_ParamBase
_LearningRateEpochDecay = _of__LearningRateEpochDecay
_all_cap_re = _of__all_cap_re
_append_grad_suffix_ = _of__append_grad_suffix_
_convert_camel_to_snake = _of__convert_camel_to_snake
_current_expected_place = _of__current_expected_place
_declarative_ = _of__declarative_
_dygraph_to_static_func_ = _of__dygraph_to_static_func_
_extract_vars = _of__extract_vars
_first_cap_re = _of__first_cap_re
_print_debug_msg = _of__print_debug_msg
_switch_to_static_graph_ = _of__switch_to_static_graph_
_trace = _of__trace
cpt = _of_cpt
disable_dygraph = _of_disable_dygraph
dygraph_only = _of_dygraph_only
enable_imperative = _of_enable_imperative
framework_pb2 = _of_framework_pb2
imperative_base = _of_imperative_base
in_dygraph_mode = _of_in_dygraph_mode
layers = _of_layers
learning_rate_scheduler = _of_learning_rate_scheduler
logger = _of_logger
nn = _of_nn
_functional_dygraph_context_manager: Any
