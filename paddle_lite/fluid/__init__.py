"""The Fluid 1.x namespace: names and argument orders of PaddlePaddle 1.8, no logic of its own."""

from ..core.flags import get_flags, set_flags
from ..core.missing import later, missing_names
from ..core.mode import current_place
from ..core.mode import in_imperative_mode as in_dygraph_mode
from ..core.place import (
    CPUPlace,
    CUDAPinnedPlace,
    CUDAPlace,
    cpu_places,
    cuda_pinned_places,
    cuda_places,
    is_compiled_with_cuda,
)
from ..core.tensor import LoDTensor, LoDTensorArray, create_lod_tensor, create_random_int_lodtensor
from ..imperative.base import disable_imperative, enable_imperative
from ..imperative.layer import Layer
from ..io.program_state import load, load_program_state, save, set_program_state
from ..io.state import load_dygraph, save_dygraph
from ..layers.nn.embedding import embedding_v2 as embedding
from ..layers.shape.select import one_hot_v2 as one_hot
from ..nn import BatchNorm, Dropout, Embedding, LayerNorm, Linear, Pool2D
from ..nn.conv import Conv2D
from ..params.attr import ParamAttr, WeightNormParamAttr
from ..reader.feeder import DataFeeder
from ..static import (
    BuildStrategy,
    CompiledProgram,
    ExecutionStrategy,
    Executor,
    ParallelExecutor,
    Parameter,
    Program,
    Scope,
    Variable,
    data,
    default_main_program,
    default_startup_program,
    device_guard,
    global_scope,
    gradients,
    name_scope,
    program_guard,
    scope_guard,
)
from . import (
    average,
    backward,
    clip,
    compiler,
    contrib,
    core,
    dataset,
    debugger,
    dygraph,
    evaluator,
    initializer,
    install_check,
    io,
    layer_helper,
    layers,
    metrics,
    net_drawer,
    nets,
    optimizer,
    profiler,
    regularizer,
    transpiler,
    unique_name,
)
from .initializer import set_global_initializer
from .transpiler import memory_optimize, release_memory
from .versions import require_version

__getattr__ = missing_names(__name__)
globals().update(later(__name__, "AsyncExecutor DataFeedDesc"))
globals().update({name: getattr(transpiler, name) for name in ("DistributeTranspiler", "DistributeTranspilerConfig")})
globals().update({name: getattr(dataset, name) for name in ("DatasetFactory", "InMemoryDataset", "QueueDataset")})

enable_dygraph = enable_imperative
disable_dygraph = disable_imperative
_current_expected_place = current_place
Tensor = LoDTensor

__all__ = [
    "BatchNorm",
    "BuildStrategy",
    "CPUPlace",
    "CUDAPinnedPlace",
    "CUDAPlace",
    "CompiledProgram",
    "Conv2D",
    "DataFeeder",
    "Dropout",
    "Embedding",
    "ExecutionStrategy",
    "Executor",
    "Layer",
    "LayerNorm",
    "Linear",
    "LoDTensor",
    "LoDTensorArray",
    "ParallelExecutor",
    "ParamAttr",
    "Parameter",
    "Pool2D",
    "Program",
    "Scope",
    "Tensor",
    "Variable",
    "WeightNormParamAttr",
    "average",
    "backward",
    "clip",
    "compiler",
    "contrib",
    "core",
    "cpu_places",
    "create_lod_tensor",
    "create_random_int_lodtensor",
    "cuda_pinned_places",
    "cuda_places",
    "data",
    "dataset",
    "debugger",
    "default_main_program",
    "default_startup_program",
    "device_guard",
    "disable_dygraph",
    "disable_imperative",
    "dygraph",
    "embedding",
    "enable_dygraph",
    "enable_imperative",
    "evaluator",
    "get_flags",
    "global_scope",
    "gradients",
    "in_dygraph_mode",
    "initializer",
    "install_check",
    "io",
    "is_compiled_with_cuda",
    "layer_helper",
    "layers",
    "load",
    "load_dygraph",
    "load_program_state",
    "memory_optimize",
    "metrics",
    "name_scope",
    "net_drawer",
    "nets",
    "one_hot",
    "optimizer",
    "profiler",
    "program_guard",
    "regularizer",
    "release_memory",
    "require_version",
    "save",
    "save_dygraph",
    "scope_guard",
    "set_flags",
    "set_global_initializer",
    "set_program_state",
    "transpiler",
    "unique_name",
]
