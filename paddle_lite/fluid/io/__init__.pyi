"""`paddle.fluid.io`. Made by `python -m stubs`."""

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
from paddle_lite.core.unique_name import Generator as _of_UniqueNameGenerator
from paddle_lite.core.unique_name import generate as _of_data_loader_unique_name_generator
from paddle_lite.distributed.data.base import DatasetBase as DatasetBase
from paddle_lite.distributed.data.in_memory import InMemoryDataset as InMemoryDataset
from paddle_lite.fluid import backward as backward
from paddle_lite.fluid import compiler as compiler
from paddle_lite.fluid import core as core
from paddle_lite.fluid import dataloader as dataloader
from paddle_lite.fluid import dygraph as _of_imperative_base
from paddle_lite.fluid import framework as framework
from paddle_lite.fluid import io as _of_reader
from paddle_lite.fluid import layers as layers
from paddle_lite.fluid import unique_name as unique_name
from paddle_lite.fluid.internals.by_hand.files import replace_endpoints as _of__endpoints_replacement
from paddle_lite.fluid.internals.by_hand.readers import copy_reader_variable as _of__copy_reader_var_
from paddle_lite.fluid.internals.checking import check_dtype as check_dtype
from paddle_lite.fluid.internals.checking import check_type as check_type
from paddle_lite.fluid.internals.checking import check_variable_and_dtype as check_variable_and_dtype
from paddle_lite.fluid.internals.checking import convert_dtype as convert_dtype
from paddle_lite.fluid.internals.checking import convert_np_dtype_to_dtype_ as convert_np_dtype_to_dtype_
from paddle_lite.fluid.internals.constants import QUEUE_GET_TIMEOUT as QUEUE_GET_TIMEOUT
from paddle_lite.fluid.internals.decorators import deprecated as deprecated
from paddle_lite.fluid.internals.decorators import get_logger as get_logger
from paddle_lite.fluid.internals.decorators import wrap_decorator as wrap_decorator
from paddle_lite.fluid.internals.dygraph import _dygraph_tracer as _dygraph_tracer
from paddle_lite.fluid.internals.dygraph import _varbase_creator as _varbase_creator
from paddle_lite.fluid.internals.layer_functions import autodoc as autodoc
from paddle_lite.fluid.internals.layer_functions import templatedoc as templatedoc
from paddle_lite.fluid.internals.loggers import io as _of__logger
from paddle_lite.fluid.internals.native.places import place_objects as _of__convert_places
from paddle_lite.fluid.internals.native.processes import CleanupFuncRegistrar as CleanupFuncRegistrar
from paddle_lite.fluid.internals.native.processes import _cleanup as _cleanup
from paddle_lite.fluid.internals.native.processes import _cleanup_mmap_fds as _of__cleanup_mmap
from paddle_lite.fluid.internals.native.processes import _set_SIGCHLD_handler as _set_SIGCHLD_handler
from paddle_lite.fluid.internals.native.processes import multiprocess_queue_set as multiprocess_queue_set
from paddle_lite.fluid.internals.operators import OpProtoHolder as OpProtoHolder
from paddle_lite.fluid.internals.patches import monkey_patch_reader as _of_monkey_patch_reader_methods
from paddle_lite.fluid.internals.program_traits import append_fetch_ops as append_fetch_ops
from paddle_lite.fluid.internals.program_traits import clone_var as _of__clone_var_in_block_
from paddle_lite.fluid.internals.program_traits import prepend_feed_ops as prepend_feed_ops
from paddle_lite.fluid.internals.program_traits import program_scope as _of__load_program_scope
from paddle_lite.fluid.internals.program_traits import valid_program as _of__get_valid_program
from paddle_lite.fluid.internals.providers import BatchedTensorProvider as BatchedTensorProvider
from paddle_lite.fluid.internals.values import grad_var_name as _of__append_grad_suffix_
from paddle_lite.fluid.layers import utils as utils
from paddle_lite.imperative.base import no_grad as no_grad
from paddle_lite.imperative.layer import Layer as Layer
from paddle_lite.io.graph_variables import load_persistable_nodes as _of__load_persistable_nodes
from paddle_lite.io.graph_variables import save_persistable_nodes as _of__save_persistable_nodes
from paddle_lite.io.inference_model import load_inference_model as load_inference_model
from paddle_lite.io.inference_model import save_inference_model as save_inference_model
from paddle_lite.io.program_state import load as load
from paddle_lite.io.program_state import load_program_state as load_program_state
from paddle_lite.io.program_state import save as save
from paddle_lite.io.program_state import set_program_state as set_program_state
from paddle_lite.io.variables import _load_distributed_persistables as _load_distributed_persistables
from paddle_lite.io.variables import _save_distributed_persistables as _save_distributed_persistables
from paddle_lite.io.variables import get_parameter_value as get_parameter_value
from paddle_lite.io.variables import get_parameter_value_by_name as get_parameter_value_by_name
from paddle_lite.io.variables import get_program_parameter as get_program_parameter
from paddle_lite.io.variables import get_program_persistable_vars as get_program_persistable_vars
from paddle_lite.io.variables import is_belong_to_optimizer as is_belong_to_optimizer
from paddle_lite.io.variables import is_parameter as is_parameter
from paddle_lite.io.variables import is_persistable as is_persistable
from paddle_lite.io.variables import load_params as load_params
from paddle_lite.io.variables import load_persistables as load_persistables
from paddle_lite.io.variables import load_vars as load_vars
from paddle_lite.io.variables import save_params as save_params
from paddle_lite.io.variables import save_persistables as save_persistables
from paddle_lite.io.variables import save_vars as save_vars
from paddle_lite.layers.support.helper import LayerHelper as LayerHelper
from paddle_lite.layers.support.helper import LayerHelper as _of_LayerHelperBase
from paddle_lite.metric.evaluators import Evaluator as Evaluator
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
from paddle_lite.reader.batching import batch as batch
from paddle_lite.reader.buffering import buffered as buffered
from paddle_lite.reader.caching import cache as cache
from paddle_lite.reader.chaining import chain as chain
from paddle_lite.reader.composing import ComposeNotAligned as ComposeNotAligned
from paddle_lite.reader.composing import compose as compose
from paddle_lite.reader.dataset import BatchSampler as BatchSampler
from paddle_lite.reader.dataset import Dataset as Dataset
from paddle_lite.reader.dataset import default_collate_fn as default_collate_fn
from paddle_lite.reader.dataset_loader import DatasetLoader as DatasetLoader
from paddle_lite.reader.faking import Fake as Fake
from paddle_lite.reader.feeder import DataFeeder as DataFeeder
from paddle_lite.reader.generator_loader import DataLoaderBase as DataLoaderBase
from paddle_lite.reader.generator_loader import GeneratorLoader as GeneratorLoader
from paddle_lite.reader.generator_loader import keep_data_loader_order as keep_data_loader_order
from paddle_lite.reader.imperative_loader import ImperativeLoader as _of_DygraphGeneratorLoader
from paddle_lite.reader.limiting import firstn as firstn
from paddle_lite.reader.loader import DataLoader as DataLoader
from paddle_lite.reader.loader import DataLoaderIterMultiProcess as _of__DataLoaderIterMultiProcess
from paddle_lite.reader.loader import DataLoaderIterSingleProcess as _of__DataLoaderIterSingleProcess
from paddle_lite.reader.loader import PyReader as PyReader
from paddle_lite.reader.mapping import map_readers as map_readers
from paddle_lite.reader.piping import PipeReader as PipeReader
from paddle_lite.reader.processes import multiprocess_reader as multiprocess_reader
from paddle_lite.reader.py_reader import double_buffer as double_buffer
from paddle_lite.reader.shuffling import shuffle as shuffle
from paddle_lite.reader.xmapping import xmap_readers as xmap_readers
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
DygraphGeneratorLoader = _of_DygraphGeneratorLoader
LayerHelperBase = _of_LayerHelperBase
ParamBase = _of_ParamBase
UniqueNameGenerator = _of_UniqueNameGenerator
_DataLoaderIterMultiProcess = _of__DataLoaderIterMultiProcess
_DataLoaderIterSingleProcess = _of__DataLoaderIterSingleProcess
_append_grad_suffix_ = _of__append_grad_suffix_
_cleanup_mmap = _of__cleanup_mmap
_clone_var_in_block_ = _of__clone_var_in_block_
_convert_places = _of__convert_places
_copy_reader_var_ = _of__copy_reader_var_
_current_expected_place = _of__current_expected_place
_endpoints_replacement = _of__endpoints_replacement
_get_valid_program = _of__get_valid_program
_load_persistable_nodes = _of__load_persistable_nodes
_load_program_scope = _of__load_program_scope
_logger = _of__logger
_save_persistable_nodes = _of__save_persistable_nodes
cpt = _of_cpt
data_loader_unique_name_generator = _of_data_loader_unique_name_generator
framework_pb2 = _of_framework_pb2
imperative_base = _of_imperative_base
in_dygraph_mode = _of_in_dygraph_mode
monkey_patch_reader_methods = _of_monkey_patch_reader_methods
reader = _of_reader
KEEP_DATA_LOADER_ORDER: Any
