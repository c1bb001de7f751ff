"""`fluid.core`: what Fluid code takes from the native module."""

from ..core.dtype import VarType
from ..core.errors import EnforceNotMet
from ..core.flags import get_flags, set_flags
from ..core.missing import missing_names
from ..core.place import CPUPlace, CUDAPinnedPlace, CUDAPlace, is_compiled_with_cuda
from ..core.tensor import LoDTensor, LoDTensorArray, SelectedRows, Tensor
from ..imperative.grad import BackwardStrategy
from ..imperative.layer import Layer
from ..imperative.variable import Variable as VarBase
from ..reader.static_loader import EOFException
from ..static.execution.scope import Scope
from ..static.execution.scope import ScopeVariable as Variable

_Scope = Scope


class VarDesc:
    """Holds `VarType`, as Fluid spells it: fluid.core.VarDesc.VarType.FP32."""

    VarType = VarType


def get_cuda_device_count() -> int:
    """The number of NVIDIA GPUs that can be used."""
    from ..kernels.registry import gpu_count

    return gpu_count()


def is_compiled_with_mkldnn() -> bool:
    """Whether there are kernels of Intel's MKL-DNN: False."""
    return False


def is_compiled_with_brpc() -> bool:
    """Whether parameter servers speak brpc: False."""
    return False


def is_compiled_with_dist() -> bool:
    """Whether there are parameter servers: False in this version."""
    return False


__getattr__ = missing_names(__name__)

__all__ = [
    "BackwardStrategy",
    "CPUPlace",
    "CUDAPinnedPlace",
    "CUDAPlace",
    "EOFException",
    "EnforceNotMet",
    "Layer",
    "LoDTensor",
    "LoDTensorArray",
    "Scope",
    "SelectedRows",
    "Tensor",
    "VarBase",
    "VarDesc",
    "VarType",
    "Variable",
    "get_cuda_device_count",
    "get_flags",
    "is_compiled_with_brpc",
    "is_compiled_with_cuda",
    "is_compiled_with_dist",
    "is_compiled_with_mkldnn",
    "set_flags",
]
