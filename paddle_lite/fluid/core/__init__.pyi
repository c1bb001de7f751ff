"""`paddle.fluid.core`. Made by `python -m stubs`."""

from paddle_lite.core.dtype import VarType as VarType
from paddle_lite.core.errors import EOFException as EOFException
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
from paddle_lite.core.tensor import LoDTensorArray as _of_FetchList
from paddle_lite.core.tensor import SelectedRows as SelectedRows
from paddle_lite.core.tensor import Tensor as Tensor
from paddle_lite.core.tensor_array import RankTable as _of_LodRankTable
from paddle_lite.core.typing import Variable as _of_VarBase
from paddle_lite.distributed.data.engine import NativeDataset as _of_Dataset
from paddle_lite.distributed.fleet.pslib import FleetWrapper as _of_Fleet
from paddle_lite.distributed.parallel import ParallelStrategy as ParallelStrategy
from paddle_lite.fluid.core import op_proto_and_checker_maker as op_proto_and_checker_maker
from paddle_lite.fluid.core import var_names as var_names
from paddle_lite.fluid.inference.config import AnalysisConfig as AnalysisConfig
from paddle_lite.fluid.inference.config import NativeConfig as NativeConfig
from paddle_lite.fluid.inference.predictor import PaddlePredictor as PaddlePredictor
from paddle_lite.fluid.inference.predictor import PaddlePredictor as _of_AnalysisPredictor
from paddle_lite.fluid.inference.predictor import PaddlePredictor as _of_NativePaddlePredictor
from paddle_lite.fluid.inference.predictor import create_paddle_predictor as create_paddle_predictor
from paddle_lite.fluid.inference.tensors import PaddleBuf as PaddleBuf
from paddle_lite.fluid.inference.tensors import PaddleDType as PaddleDType
from paddle_lite.fluid.inference.tensors import PaddlePlace as PaddlePlace
from paddle_lite.fluid.inference.tensors import PaddleTensor as PaddleTensor
from paddle_lite.fluid.inference.tensors import ZeroCopyTensor as ZeroCopyTensor
from paddle_lite.fluid.inference.tensors import paddle_dtype_size as paddle_dtype_size
from paddle_lite.fluid.inference.tensors import paddle_tensor_to_bytes as paddle_tensor_to_bytes
from paddle_lite.fluid.internals.constants import has_avx_core as has_avx_core
from paddle_lite.fluid.internals.constants import has_noavx_core as has_noavx_core
from paddle_lite.fluid.internals.constants import load_noavx as load_noavx
from paddle_lite.fluid.internals.dygraph import Tracer as Tracer
from paddle_lite.fluid.internals.gradients.operators import get_grad_op_desc as get_grad_op_desc
from paddle_lite.fluid.internals.native.files import create_loaded_parameter as _of__create_loaded_parameter
from paddle_lite.fluid.internals.native.files import load_dygraph_dict as _of__load_dygraph_dict
from paddle_lite.fluid.internals.native.files import load_static_dict as _of__load_static_dict
from paddle_lite.fluid.internals.native.files import save_dygraph_dict as _of__save_dygraph_dict
from paddle_lite.fluid.internals.native.files import save_static_dict as _of__save_static_dict
from paddle_lite.fluid.internals.native.functions import diff_tensor_shape as diff_tensor_shape
from paddle_lite.fluid.internals.native.functions import dygraph_partial_grad as dygraph_partial_grad
from paddle_lite.fluid.internals.native.functions import init_lod_tensor_blocking_queue as init_lod_tensor_blocking_queue
from paddle_lite.fluid.internals.native.functions import set_num_threads as set_num_threads
from paddle_lite.fluid.internals.native.libraries import core_suffix as core_suffix
from paddle_lite.fluid.internals.native.libraries import current_path as current_path
from paddle_lite.fluid.internals.native.libraries import get_dso_path as get_dso_path
from paddle_lite.fluid.internals.native.libraries import get_glibc_ver as get_glibc_ver
from paddle_lite.fluid.internals.native.libraries import less_than_ver as less_than_ver
from paddle_lite.fluid.internals.native.libraries import load_dso as load_dso
from paddle_lite.fluid.internals.native.libraries import run_cmd as run_cmd
from paddle_lite.fluid.internals.native.libraries import run_shell_command as run_shell_command
from paddle_lite.fluid.internals.native.processes import _cleanup_mmap_fds as _cleanup_mmap_fds
from paddle_lite.fluid.internals.native.processes import _erase_process_pids as _erase_process_pids
from paddle_lite.fluid.internals.native.processes import _set_process_pids as _set_process_pids
from paddle_lite.fluid.internals.native.processes import _set_process_signal_handler as _set_process_signal_handler
from paddle_lite.fluid.internals.native.processes import _throw_error_if_process_failed as _throw_error_if_process_failed
from paddle_lite.fluid.internals.native.tensors import convert_to_tensor_list as _of__convert_to_tensor_list
from paddle_lite.fluid.internals.native.tensors import from_dlpack as from_dlpack
from paddle_lite.fluid.internals.native.tensors import get_fetch_variable as get_fetch_variable
from paddle_lite.fluid.internals.native.tensors import get_variable_tensor as get_variable_tensor
from paddle_lite.fluid.internals.native.tensors import remove_tensor_list_mmap_fds as _of__remove_tensor_list_mmap_fds
from paddle_lite.fluid.internals.native.tensors import set_feed_variable as set_feed_variable
from paddle_lite.fluid.internals.operators import ScopeOperator as _of_Operator
from paddle_lite.fluid.internals.operators import _get_all_register_op_kernels as _get_all_register_op_kernels
from paddle_lite.fluid.internals.operators import get_all_op_protos as get_all_op_protos
from paddle_lite.fluid.internals.operators import get_op_attrs_default_value as get_op_attrs_default_value
from paddle_lite.fluid.internals.operators import has_grad_op_maker as _of_has_non_empty_grad_op_maker
from paddle_lite.fluid.internals.operators import has_grad_op_maker as has_grad_op_maker
from paddle_lite.fluid.internals.operators import has_infer_inplace as has_infer_inplace
from paddle_lite.fluid.internals.operators import infer_no_need_buffer_slots as infer_no_need_buffer_slots
from paddle_lite.fluid.internals.operators import op_support_gpu as op_support_gpu
from paddle_lite.fluid.internals.profiling import EventSortingKey as EventSortingKey
from paddle_lite.fluid.internals.profiling import ProfilerState as ProfilerState
from paddle_lite.fluid.internals.profiling import TracerOption as TracerOption
from paddle_lite.fluid.internals.profiling import disable_profiler as disable_profiler
from paddle_lite.fluid.internals.profiling import enable_profiler as enable_profiler
from paddle_lite.fluid.internals.profiling import is_profiler_enabled as is_profiler_enabled
from paddle_lite.fluid.internals.profiling import kAll as kAll
from paddle_lite.fluid.internals.profiling import kAllOpDetail as kAllOpDetail
from paddle_lite.fluid.internals.profiling import kAve as kAve
from paddle_lite.fluid.internals.profiling import kCPU as kCPU
from paddle_lite.fluid.internals.profiling import kCUDA as kCUDA
from paddle_lite.fluid.internals.profiling import kCalls as kCalls
from paddle_lite.fluid.internals.profiling import kDefault as kDefault
from paddle_lite.fluid.internals.profiling import kDisabled as kDisabled
from paddle_lite.fluid.internals.profiling import kMax as kMax
from paddle_lite.fluid.internals.profiling import kMin as kMin
from paddle_lite.fluid.internals.profiling import kOpDetail as kOpDetail
from paddle_lite.fluid.internals.profiling import kTotal as kTotal
from paddle_lite.fluid.internals.profiling import set_tracer_option as set_tracer_option
from paddle_lite.fluid.internals.profiling import start_gperf_profiler as _of_start_imperative_gperf_profiler
from paddle_lite.fluid.internals.profiling import stop_gperf_profiler as _of_stop_imperative_gperf_profiler
from paddle_lite.fluid.native import Flags as _of_GlobalVarGetterSetterRegistry
from paddle_lite.fluid.native import _dygraph_debug_level as _dygraph_debug_level
from paddle_lite.fluid.native import _is_dygraph_debug_enabled as _is_dygraph_debug_enabled
from paddle_lite.fluid.native import _is_program_version_supported as _is_program_version_supported
from paddle_lite.fluid.native import _set_eager_deletion_mode as _set_eager_deletion_mode
from paddle_lite.fluid.native import _set_fuse_parameter_group_size as _set_fuse_parameter_group_size
from paddle_lite.fluid.native import _set_fuse_parameter_memory_size as _set_fuse_parameter_memory_size
from paddle_lite.fluid.native import avx_supported as avx_supported
from paddle_lite.fluid.native import get_cuda_device_count as get_cuda_device_count
from paddle_lite.fluid.native import globals as globals
from paddle_lite.fluid.native import init_devices as init_devices
from paddle_lite.fluid.native import init_gflags as init_gflags
from paddle_lite.fluid.native import init_glog as init_glog
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
from paddle_lite.fluid.profiler import reset_profiler as reset_profiler
from paddle_lite.imperative.gradients import BackwardStrategy as BackwardStrategy
from paddle_lite.imperative.layer import Layer as Layer
from paddle_lite.reader.static_loader import LoaderQueue as _of_LoDTensorBlockingQueue
from paddle_lite.static.desc.block import BlockDesc as BlockDesc
from paddle_lite.static.desc.operator import OpDesc as OpDesc
from paddle_lite.static.desc.program import ProgramDesc as ProgramDesc
from paddle_lite.static.desc.program import save_op_compatible_info as save_op_compatible_info
from paddle_lite.static.desc.pruning import prune as prune
from paddle_lite.static.desc.pruning import prune_backward as prune_backward
from paddle_lite.static.desc.variable import VarDesc as VarDesc
from paddle_lite.static.execution.compiled import ParallelExecutor as ParallelExecutor
from paddle_lite.static.execution.native import NativeExecutor as _of_Executor
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
from paddle_lite.static.operators.py_func import register_for_good as _of__append_python_callable_object_and_return_id
from paddle_lite.static.proto import AttrType as AttrType
AnalysisPredictor = _of_AnalysisPredictor
Dataset = _of_Dataset
Executor = _of_Executor
FetchList = _of_FetchList
Fleet = _of_Fleet
GlobalVarGetterSetterRegistry = _of_GlobalVarGetterSetterRegistry
LoDTensorBlockingQueue = _of_LoDTensorBlockingQueue
LodRankTable = _of_LodRankTable
NativePaddlePredictor = _of_NativePaddlePredictor
Operator = _of_Operator
Place = _of_Place
VarBase = _of_VarBase
Variable = _of_Variable
_Scope = _of__Scope
_append_python_callable_object_and_return_id = _of__append_python_callable_object_and_return_id
_convert_to_tensor_list = _of__convert_to_tensor_list
_create_loaded_parameter = _of__create_loaded_parameter
_load_dygraph_dict = _of__load_dygraph_dict
_load_static_dict = _of__load_static_dict
_remove_tensor_list_mmap_fds = _of__remove_tensor_list_mmap_fds
_save_dygraph_dict = _of__save_dygraph_dict
_save_static_dict = _of__save_static_dict
has_non_empty_grad_op_maker = _of_has_non_empty_grad_op_maker
start_imperative_gperf_profiler = _of_start_imperative_gperf_profiler
stop_imperative_gperf_profiler = _of_stop_imperative_gperf_profiler
