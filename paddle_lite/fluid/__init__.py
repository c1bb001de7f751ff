"""The Fluid 1.x namespace: names and argument orders of PaddlePaddle 1.8, no logic of its own."""

from ..core.flags import get_flags, set_flags
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
from ..imperative.base import disable_imperative, enable_imperative
from ..imperative.parameter import Parameter
from ..imperative.variable import Variable
from ..io.state import load_dygraph, save_dygraph
from ..params.attr import ParamAttr
from ..static import default_main_program, default_startup_program
from . import clip, core, dygraph, initializer, io, layers, optimizer, regularizer, unique_name

enable_dygraph = enable_imperative
disable_dygraph = disable_imperative

__all__ = [
    "CPUPlace",
    "CUDAPinnedPlace",
    "CUDAPlace",
    "ParamAttr",
    "Parameter",
    "Variable",
    "clip",
    "core",
    "cpu_places",
    "cuda_pinned_places",
    "cuda_places",
    "default_main_program",
    "default_startup_program",
    "disable_dygraph",
    "disable_imperative",
    "dygraph",
    "enable_dygraph",
    "enable_imperative",
    "get_flags",
    "in_dygraph_mode",
    "initializer",
    "io",
    "is_compiled_with_cuda",
    "layers",
    "load_dygraph",
    "optimizer",
    "regularizer",
    "save_dygraph",
    "set_flags",
    "unique_name",
]
