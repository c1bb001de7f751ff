"""`paddle.fluid.core`. Made by `python -m stubs`."""

from paddle_lite.core.dtype import VarType as VarType
from paddle_lite.core.errors import EnforceNotMet as EnforceNotMet
from paddle_lite.core.flags import get_flags as get_flags
from paddle_lite.core.flags import set_flags as set_flags
from paddle_lite.core.made import empty_var_name as empty_var_name
from paddle_lite.core.made import grad_var_suffix as grad_var_suffix
from paddle_lite.core.place import AnyPlace as _of_Place
from paddle_lite.core.place import CPUPlace as CPUPlace
from paddle_lite.core.place import CUDAPinnedPlace as CUDAPinnedPlace
from paddle_lite.core.place import CUDAPlace as CUDAPlace
from paddle_lite.core.place import is_compiled_with_cuda as is_compiled_with_cuda
from paddle_lite.core.tensor import LoDTensor as LoDTensor
from paddle_lite.core.tensor import LoDTensorArray as LoDTensorArray
from paddle_lite.core.tensor import SelectedRows as SelectedRows
from paddle_lite.core.tensor import Tensor as Tensor
from paddle_lite.core.typing import Variable as _of_VarBase
from paddle_lite.distributed.data.engine import NativeDataset as _of_Dataset
from paddle_lite.distributed.fleet.pslib import FleetWrapper as _of_Fleet
from paddle_lite.distributed.parallel import ParallelStrategy as ParallelStrategy
from paddle_lite.fluid.core import op_proto_and_checker_maker as op_proto_and_checker_maker
from paddle_lite.fluid.inference.config import AnalysisConfig as AnalysisConfig
from paddle_lite.fluid.inference.config import NativeConfig as NativeConfig
from paddle_lite.fluid.inference.predictor import PaddlePredictor as PaddlePredictor
from paddle_lite.fluid.inference.predictor import PaddlePredictor as _of_AnalysisPredictor
from paddle_lite.fluid.inference.predictor import PaddlePredictor as _of_NativePaddlePredictor
from paddle_lite.fluid.inference.predictor import create_paddle_predictor as create_paddle_predictor
from paddle_lite.fluid.inference.tensors import PaddleBuf as PaddleBuf
from paddle_lite.fluid.inference.tensors import PaddleDType as PaddleDType
from paddle_lite.fluid.inference.tensors import PaddleTensor as PaddleTensor
from paddle_lite.fluid.inference.tensors import ZeroCopyTensor as ZeroCopyTensor
from paddle_lite.fluid.internals.dygraph import Tracer as Tracer
from paddle_lite.fluid.internals.gradient_operators import get_grad_op_desc as get_grad_op_desc
from paddle_lite.fluid.internals.operators import _get_all_register_op_kernels as _get_all_register_op_kernels
from paddle_lite.fluid.internals.operators import get_all_op_protos as get_all_op_protos
from paddle_lite.fluid.internals.operators import get_op_attrs_default_value as get_op_attrs_default_value
from paddle_lite.fluid.internals.operators import has_grad_op_maker as has_grad_op_maker
from paddle_lite.fluid.internals.operators import has_infer_inplace as has_infer_inplace
from paddle_lite.fluid.internals.operators import infer_no_need_buffer_slots as infer_no_need_buffer_slots
from paddle_lite.fluid.internals.operators import op_support_gpu as op_support_gpu
from paddle_lite.fluid.internals.processes import _cleanup_mmap_fds as _cleanup_mmap_fds
from paddle_lite.fluid.internals.processes import _erase_process_pids as _erase_process_pids
from paddle_lite.fluid.internals.processes import _set_process_pids as _set_process_pids
from paddle_lite.fluid.internals.processes import _set_process_signal_handler as _set_process_signal_handler
from paddle_lite.fluid.internals.processes import _throw_error_if_process_failed as _throw_error_if_process_failed
from paddle_lite.fluid.internals.tensors import from_dlpack as from_dlpack
from paddle_lite.fluid.internals.tensors import get_fetch_variable as get_fetch_variable
from paddle_lite.fluid.internals.tensors import set_feed_variable as set_feed_variable
from paddle_lite.fluid.native import _set_eager_deletion_mode as _set_eager_deletion_mode
from paddle_lite.fluid.native import get_cuda_device_count as get_cuda_device_count
from paddle_lite.fluid.native import globals as globals
from paddle_lite.fluid.native import is_compiled_with_brpc as is_compiled_with_brpc
from paddle_lite.fluid.native import is_compiled_with_dist as is_compiled_with_dist
from paddle_lite.fluid.native import is_compiled_with_mkldnn as is_compiled_with_mkldnn
from paddle_lite.fluid.native import kControlDepVarName as kControlDepVarName
from paddle_lite.fluid.native import kEmptyVarName as kEmptyVarName
from paddle_lite.fluid.native import kGradVarSuffix as kGradVarSuffix
from paddle_lite.fluid.native import kNewGradSuffix as kNewGradSuffix
from paddle_lite.fluid.native import kTempVarName as kTempVarName
from paddle_lite.fluid.native import kZeroVarSuffix as kZeroVarSuffix
from paddle_lite.fluid.native import load_op_library as load_op_library
from paddle_lite.fluid.native import loaded_var_suffix as loaded_var_suffix
from paddle_lite.fluid.native import size_of_dtype as size_of_dtype
from paddle_lite.imperative.gradients import BackwardStrategy as BackwardStrategy
from paddle_lite.imperative.layer import Layer as Layer
from paddle_lite.reader.static_loader import EOFException as EOFException
from paddle_lite.static.desc.block import BlockDesc as BlockDesc
from paddle_lite.static.desc.operator import OpDesc as OpDesc
from paddle_lite.static.desc.program import ProgramDesc as ProgramDesc
from paddle_lite.static.desc.program import save_op_compatible_info as save_op_compatible_info
from paddle_lite.static.desc.pruning import prune as prune
from paddle_lite.static.desc.pruning import prune_backward as prune_backward
from paddle_lite.static.desc.variable import VarDesc as VarDesc
from paddle_lite.static.execution.compiled import ParallelExecutor as ParallelExecutor
from paddle_lite.static.execution.scope import Scope as Scope
from paddle_lite.static.execution.scope import Scope as _of__Scope
from paddle_lite.static.execution.scope import ScopeVariable as _of_Variable
from paddle_lite.static.ir_graph.graph import Graph as Graph
from paddle_lite.static.ir_graph.node import Node as Node
from paddle_lite.static.ir_graph.order import build_adjacency_list as build_adjacency_list
from paddle_lite.static.ir_graph.order import graph_num as graph_num
from paddle_lite.static.ir_graph.order import graph_safe_remove_nodes as graph_safe_remove_nodes
from paddle_lite.static.ir_graph.order import has_circle as has_circle
from paddle_lite.static.ir_graph.order import topology_sort as topology_sort
from paddle_lite.static.ir_graph.passes import Pass as Pass
from paddle_lite.static.ir_graph.passes import PassBuilder as PassBuilder
from paddle_lite.static.ir_graph.passes import get_pass as get_pass
from paddle_lite.static.proto import AttrType as AttrType
AnalysisPredictor = _of_AnalysisPredictor
Dataset = _of_Dataset
Fleet = _of_Fleet
NativePaddlePredictor = _of_NativePaddlePredictor
Place = _of_Place
VarBase = _of_VarBase
Variable = _of_Variable
_Scope = _of__Scope
