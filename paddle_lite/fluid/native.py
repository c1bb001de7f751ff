"""What Fluid code takes from the native module, `fluid.core`, and no other part of paddle_lite has."""

from ..core.dtype import VarType
from ..kernels.registry import gpu_count

__all__ = [
    "VarDesc",
    "get_cuda_device_count",
    "is_compiled_with_brpc",
    "is_compiled_with_dist",
    "is_compiled_with_mkldnn",
]


class VarDesc:
    """Holds `VarType`, as Fluid spells it: fluid.core.VarDesc.VarType.FP32."""

    VarType = VarType


def get_cuda_device_count() -> int:
    """Return the number of NVIDIA GPUs that can be used."""
    return gpu_count()


def is_compiled_with_mkldnn() -> bool:
    """Return whether there are kernels of Intel's MKL-DNN: False."""
    return False


def is_compiled_with_brpc() -> bool:
    """Return whether parameter servers communicate by brpc: False."""
    return False


def is_compiled_with_dist() -> bool:
    """Return whether there are parameter servers: False in this version."""
    return False
