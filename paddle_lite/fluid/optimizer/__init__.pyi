"""`paddle.fluid.optimizer`. Made by `python -m stubs`."""

from paddle_lite import compat as _of_cpt
from paddle_lite.core.mode import current_place as _of__current_expected_place
from paddle_lite.core.mode import in_imperative_mode as _of_in_dygraph_mode
from paddle_lite.core.place import cpu_places as cpu_places
from paddle_lite.core.place import cuda_places as cuda_places
from paddle_lite.core.tensor import LoDTensor as LoDTensor
from paddle_lite.core.typing import Parameter as Parameter
from paddle_lite.core.typing import Parameter as _of_ParamBase
from paddle_lite.core.typing import Variable as Variable
from paddle_lite.distributed.transpiler.tables import find_distributed_lookup_table as find_distributed_lookup_table
from paddle_lite.fluid import backward as backward
from paddle_lite.fluid import compiler as compiler
from paddle_lite.fluid import core as core
from paddle_lite.fluid import dygraph as _of_imperative_base
from paddle_lite.fluid import framework as framework
from paddle_lite.fluid import layers as _of_ops
from paddle_lite.fluid import layers as _of_tensor
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
from paddle_lite.fluid.internals.dygraph import _dygraph_tracer as _dygraph_tracer
from paddle_lite.fluid.internals.dygraph import _varbase_creator as _varbase_creator
from paddle_lite.fluid.internals.gradients.names import no_grad_names as _of__get_no_grad_set_name
from paddle_lite.fluid.internals.gradients.names import some_in_set as _of__some_in_set_
from paddle_lite.fluid.internals.layer_functions import autodoc as autodoc
from paddle_lite.fluid.internals.layer_functions import templatedoc as templatedoc
from paddle_lite.fluid.internals.layer_helpers import error_clip_callback as error_clip_callback
from paddle_lite.fluid.internals.operators import OpProtoHolder as OpProtoHolder
from paddle_lite.fluid.internals.values import grad_var_name as _of__append_grad_suffix_
from paddle_lite.fluid.layers import utils as utils
from paddle_lite.imperative.base import no_grad as no_grad
from paddle_lite.imperative.layer import Layer as Layer
from paddle_lite.layers.support.helper import LayerHelper as LayerHelper
from paddle_lite.layers.support.helper import LayerHelper as _of_LayerHelperBase
from paddle_lite.optimizer.averaging import ExponentialMovingAverage as ExponentialMovingAverage
from paddle_lite.optimizer.averaging import ModelAverage as ModelAverage
from paddle_lite.optimizer.lookahead import LookaheadOptimizer as LookaheadOptimizer
from paddle_lite.optimizer.optimizer import Optimizer as Optimizer
from paddle_lite.optimizer.pipeline import PipelineOptimizer as PipelineOptimizer
from paddle_lite.optimizer.recompute import RecomputeOptimizer as RecomputeOptimizer
from paddle_lite.optimizer.rules import Adam as Adam
from paddle_lite.optimizer.rules import AdamOptimizer as AdamOptimizer
from paddle_lite.optimizer.rules import DGCMomentumOptimizer as DGCMomentumOptimizer
from paddle_lite.optimizer.rules import Dpsgd as Dpsgd
from paddle_lite.optimizer.rules import DpsgdOptimizer as DpsgdOptimizer
from paddle_lite.optimizer.rules import LarsMomentum as LarsMomentum
from paddle_lite.optimizer.rules import LarsMomentumOptimizer as LarsMomentumOptimizer
from paddle_lite.optimizer.rules import Momentum as Momentum
from paddle_lite.optimizer.rules import MomentumOptimizer as MomentumOptimizer
from paddle_lite.optimizer.rules import SGD as SGD
from paddle_lite.optimizer.rules import SGDOptimizer as SGDOptimizer
from paddle_lite.optimizer.rules_adaptive import Adadelta as Adadelta
from paddle_lite.optimizer.rules_adaptive import AdadeltaOptimizer as AdadeltaOptimizer
from paddle_lite.optimizer.rules_adaptive import Adagrad as Adagrad
from paddle_lite.optimizer.rules_adaptive import AdagradOptimizer as AdagradOptimizer
from paddle_lite.optimizer.rules_adaptive import Adamax as Adamax
from paddle_lite.optimizer.rules_adaptive import AdamaxOptimizer as AdamaxOptimizer
from paddle_lite.optimizer.rules_adaptive import DecayedAdagrad as DecayedAdagrad
from paddle_lite.optimizer.rules_adaptive import DecayedAdagradOptimizer as DecayedAdagradOptimizer
from paddle_lite.optimizer.rules_adaptive import Ftrl as Ftrl
from paddle_lite.optimizer.rules_adaptive import FtrlOptimizer as FtrlOptimizer
from paddle_lite.optimizer.rules_adaptive import Lamb as Lamb
from paddle_lite.optimizer.rules_adaptive import LambOptimizer as LambOptimizer
from paddle_lite.optimizer.rules_adaptive import RMSProp as RMSProp
from paddle_lite.optimizer.rules_adaptive import RMSPropOptimizer as RMSPropOptimizer
from paddle_lite.optimizer.schedule_base import LearningRateDecay as LearningRateDecay
from paddle_lite.optimizer.static_gradients import append_gradient_clip_ops as append_gradient_clip_ops
from paddle_lite.optimizer.static_gradients import append_regularization_ops as append_regularization_ops
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
from typing import Any
LayerHelperBase = _of_LayerHelperBase
ParamBase = _of_ParamBase
_append_grad_suffix_ = _of__append_grad_suffix_
_current_expected_place = _of__current_expected_place
_get_no_grad_set_name = _of__get_no_grad_set_name
_some_in_set_ = _of__some_in_set_
cpt = _of_cpt
framework_pb2 = _of_framework_pb2
imperative_base = _of_imperative_base
in_dygraph_mode = _of_in_dygraph_mode
ops = _of_ops
tensor = _of_tensor
_LearningRateEpochDecay: Any
