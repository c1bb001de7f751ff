"""`paddle.fluid.backward`. Made by `python -m stubs`."""

from paddle_lite import compat as _of_cpt
import paddle_lite as paddle
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
from paddle_lite.fluid import log_helper as log_helper
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
from paddle_lite.fluid.internals.gradients.apart import operators_apart as _of__find_not_need_ops
from paddle_lite.fluid.internals.gradients.names import all_in_set as _of__all_in_set_
from paddle_lite.fluid.internals.gradients.names import create_op_desc as _of__create_op_desc_
from paddle_lite.fluid.internals.gradients.names import find_loss_op as _of__find_loss_op_
from paddle_lite.fluid.internals.gradients.names import find_op_path as _of__find_op_path_
from paddle_lite.fluid.internals.gradients.names import find_parent_op as _of__find_parent_op_
from paddle_lite.fluid.internals.gradients.names import is_ancestor_block as _of__is_ancestor_block
from paddle_lite.fluid.internals.gradients.names import is_grad_op as _of__is_grad_op_
from paddle_lite.fluid.internals.gradients.names import is_grad_var as _of__is_grad_var_
from paddle_lite.fluid.internals.gradients.names import no_grad_names as _of__get_no_grad_set_name
from paddle_lite.fluid.internals.gradients.names import output_names as _of__get_output_names
from paddle_lite.fluid.internals.gradients.names import parents_of_block as _of__get_son_parent_block_idx_dict
from paddle_lite.fluid.internals.gradients.names import pretty_op_desc as _of__pretty_op_desc_
from paddle_lite.fluid.internals.gradients.names import rename_arg as _of__rename_arg_
from paddle_lite.fluid.internals.gradients.names import rename_grad_name as _of__rename_grad_name_
from paddle_lite.fluid.internals.gradients.names import serialize_op_decs as serialize_op_decs
from paddle_lite.fluid.internals.gradients.names import some_in_set as _of__some_in_set_
from paddle_lite.fluid.internals.gradients.names import stop_gradients as _of__get_stop_gradients_
from paddle_lite.fluid.internals.gradients.names import strip_grad_suffix as _of__strip_grad_suffix_
from paddle_lite.fluid.internals.gradients.program_stats import ProgramStats as ProgramStats
from paddle_lite.fluid.internals.gradients.recomputing import append_with_checkpoints as _of__append_backward_ops_with_checkpoints_
from paddle_lite.fluid.internals.gradients.steps import add_descs as _of__add_descs_to_block
from paddle_lite.fluid.internals.gradients.steps import add_needed_descs as _of__add_needed_descs_to_block
from paddle_lite.fluid.internals.gradients.steps import add_up_repeated_outputs as _of__addup_repetitive_outputs_
from paddle_lite.fluid.internals.gradients.steps import append_backward_ops as _of__append_backward_ops_
from paddle_lite.fluid.internals.gradients.steps import append_backward_vars as _of__append_backward_vars_
from paddle_lite.fluid.internals.gradients.steps import infer_like_forward as _of__infer_var_data_type_shape_
from paddle_lite.fluid.internals.gradients.steps import loss_op_desc as _of__create_loss_op_desc_
from paddle_lite.fluid.internals.gradients.steps import no_grad_vars as _of__find_no_grad_vars
from paddle_lite.fluid.internals.gradients.steps import remove_no_grad_branch as _of__remove_no_grad_branch_
from paddle_lite.fluid.internals.gradients.steps import rename_grads as _of__rename_grad_
from paddle_lite.fluid.internals.gradients.steps import sub_block_path as _of__get_sub_block_path
from paddle_lite.fluid.internals.layer_functions import autodoc as autodoc
from paddle_lite.fluid.internals.layer_functions import templatedoc as templatedoc
from paddle_lite.fluid.internals.loggers import backward as _of__logger
from paddle_lite.fluid.internals.nested import as_list as _of__as_list
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
from paddle_lite.static.autodiff.backward import calc_gradient as calc_gradient
from paddle_lite.static.autodiff.backward import gradients as gradients
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
_add_descs_to_block = _of__add_descs_to_block
_add_needed_descs_to_block = _of__add_needed_descs_to_block
_addup_repetitive_outputs_ = _of__addup_repetitive_outputs_
_all_in_set_ = _of__all_in_set_
_append_backward_ops_ = _of__append_backward_ops_
_append_backward_ops_with_checkpoints_ = _of__append_backward_ops_with_checkpoints_
_append_backward_vars_ = _of__append_backward_vars_
_append_grad_suffix_ = _of__append_grad_suffix_
_as_list = _of__as_list
_create_loss_op_desc_ = _of__create_loss_op_desc_
_create_op_desc_ = _of__create_op_desc_
_current_expected_place = _of__current_expected_place
_find_loss_op_ = _of__find_loss_op_
_find_no_grad_vars = _of__find_no_grad_vars
_find_not_need_ops = _of__find_not_need_ops
_find_op_path_ = _of__find_op_path_
_find_parent_op_ = _of__find_parent_op_
_get_no_grad_set_name = _of__get_no_grad_set_name
_get_output_names = _of__get_output_names
_get_son_parent_block_idx_dict = _of__get_son_parent_block_idx_dict
_get_stop_gradients_ = _of__get_stop_gradients_
_get_sub_block_path = _of__get_sub_block_path
_infer_var_data_type_shape_ = _of__infer_var_data_type_shape_
_is_ancestor_block = _of__is_ancestor_block
_is_grad_op_ = _of__is_grad_op_
_is_grad_var_ = _of__is_grad_var_
_logger = _of__logger
_pretty_op_desc_ = _of__pretty_op_desc_
_remove_no_grad_branch_ = _of__remove_no_grad_branch_
_rename_arg_ = _of__rename_arg_
_rename_grad_ = _of__rename_grad_
_rename_grad_name_ = _of__rename_grad_name_
_some_in_set_ = _of__some_in_set_
_strip_grad_suffix_ = _of__strip_grad_suffix_
cpt = _of_cpt
framework_pb2 = _of_framework_pb2
imperative_base = _of_imperative_base
in_dygraph_mode = _of_in_dygraph_mode
