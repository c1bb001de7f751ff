"""What Fluid code takes from the native module, `fluid.core`, and no other part of paddle_lite has."""

from __future__ import annotations

import os
from collections.abc import Iterator, MutableMapping, Sequence
from typing import Any, NoReturn

from ..core import flags
from ..core.dtype import to_numpy
from ..core.errors import ArgumentTypeError, ArgumentValueError, MissingFileError, message
from ..core.place import gpu_count
from ..core.unique_name import LOADED_SUFFIX

__all__ = [
    "_dygraph_debug_level",
    "_is_dygraph_debug_enabled",
    "_is_program_version_supported",
    "_set_eager_deletion_mode",
    "_set_fuse_parameter_group_size",
    "_set_fuse_parameter_memory_size",
    "avx_supported",
    "empty_var_name",
    "get_cuda_device_count",
    "globals",
    "grad_var_suffix",
    "init_devices",
    "init_gflags",
    "init_glog",
    "is_compiled_with_brpc",
    "is_compiled_with_dist",
    "is_compiled_with_mkldnn",
    "kControlDepVarName",
    "kEmptyVarName",
    "kGradVarSuffix",
    "kNewGradSuffix",
    "kOpCreationCallstackAttrName",
    "kOpDeviceAttrName",
    "kOpNameScopeAttrName",
    "kOpRoleAttrName",
    "kOpRoleVarAttrName",
    "kTempVarName",
    "kZeroVarSuffix",
    "load_op_library",
    "loaded_var_suffix",
    "size_of_dtype",
]


def get_cuda_device_count() -> int:
    """Return the number of NVIDIA GPUs that can be used."""
    return gpu_count()


def avx_supported() -> bool:
    """Return whether the processor has the instructions AVX.

    Returns:
        Whether it has; False where the system does not say.
    """
    try:
        with open("/proc/cpuinfo", encoding="utf8") as file:
            return any(line.startswith("flags") and "avx" in line.split() for line in file)
    except OSError:
        return False


def _is_program_version_supported(version: int) -> bool:
    """Return whether Programs that a version of PaddlePaddle has written can be read: True, as of 1.8.5."""
    return True


def _is_dygraph_debug_enabled() -> bool:
    """Return whether the level of `_dygraph_debug_level` is not 0: `dygraph.base._print_debug_msg` prints then."""
    return _dygraph_debug_level() > 0


def init_gflags(argv: Sequence[str]) -> None:
    """Do nothing: flags are read from the environment, and `set_flags` sets them.

    Arguments:
        argv: texts such as "--tryfromenv=check_nan_inf", with which 1.8.5 starts its library.
    """


def init_glog(name: str) -> None:
    """Do nothing: the logs are those of Python's `logging`."""


def init_devices(init_p2p: bool = False) -> None:
    """Do nothing: a device is opened when it is used."""


def _dygraph_debug_level() -> int:
    """Return the number in the environment variable FLAGS_dygraph_debug; 0 where there is none."""
    text = os.environ.get("FLAGS_dygraph_debug", "").strip()
    return int(text) if text.isdecimal() else 0


def _set_fuse_parameter_group_size(size: int) -> None:
    """Do nothing: DataParallel chooses by itself how many gradients it sends at once."""


def _set_fuse_parameter_memory_size(size: float) -> None:
    """Do nothing: DataParallel chooses by itself how many bytes of gradients it sends at once."""


def is_compiled_with_mkldnn() -> bool:
    """Return whether there are kernels of Intel's MKL-DNN: False."""
    return False


def is_compiled_with_brpc() -> bool:
    """Return whether parameter servers communicate by brpc: False."""
    return False


def is_compiled_with_dist() -> bool:
    """Return whether there are parameter servers: False in this version."""
    return False


def _set_eager_deletion_mode(threshold: float, fraction: float, fast_mode: bool) -> None:
    """Set the flags of when PaddlePaddle frees Variables of a run; Plans free each after its last use.

    Arguments:
        threshold: FLAGS_eager_delete_tensor_gb.
        fraction: FLAGS_memory_fraction_of_eager_deletion.
        fast_mode: FLAGS_fast_eager_deletion_mode.

    Raises:
        ArgumentValueError: a value is not of its flag's type.
    """
    flags.set_flags(
        {
            "FLAGS_eager_delete_tensor_gb": threshold,
            "FLAGS_memory_fraction_of_eager_deletion": fraction,
            "FLAGS_fast_eager_deletion_mode": fast_mode,
        }
    )


class Flags(MutableMapping):
    """The flags as a mapping: `fluid.core.globals()['FLAGS_check_nan_inf'] = True`."""

    def __getitem__(self, name: str) -> Any:
        return flags.get_flags(name)[name]

    def __setitem__(self, name: str, value: Any) -> None:
        flags.set_flags({name: value})

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a flag, or `default` if there is no such flag."""
        return self[name] if name in flags.names() else default

    def __delitem__(self, name: str) -> NoReturn:
        raise ArgumentTypeError(message("core.globals()", "flags", f"del {name!r}", "a new value", "Flags stay."))

    def __contains__(self, name: object) -> bool:
        return name in flags.names()

    def __iter__(self) -> Iterator[str]:
        return iter(flags.names())

    def __len__(self) -> int:
        return len(flags.names())


_flags = Flags()


def globals() -> MutableMapping[str, Any]:
    """Return the flags as a mapping, in which values can be set.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.core.globals()['FLAGS_check_nan_inf']
    False
    """
    return _flags


def size_of_dtype(dtype: Any) -> int:
    """Return the number of bytes of an element.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.core.size_of_dtype(fluid.core.VarDesc.VarType.FP32)
    4
    """
    return to_numpy(dtype, "size_of_dtype").itemsize


def load_op_library(lib_filename: str) -> NoReturn:
    """Raise: operators compiled for PaddlePaddle need its native library, which is not here.

    An operator that a user declares in Python takes their place: docs/operators.md shows how. The gradient, Programs and
    the GPU come with the declaration.

    Arguments:
        lib_filename: the path of the library.

    Raises:
        MissingFileError: there is no such file.
        ArgumentValueError: the file is there.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.load_op_library('relu2.so')
    Traceback (most recent call last):
    paddle_lite.core.errors.MissingFileError: load_op_library: lib_filename got 'relu2.so', needs the path of a file...
    """
    where = "load_op_library"
    if not os.path.exists(lib_filename):
        raise MissingFileError(message(where, "lib_filename", repr(lib_filename), "the path of a file that exists"))
    got = f"{lib_filename!r}, compiled for PaddlePaddle's native library"
    fix = "Declare the operator as docs/operators.md shows; programs then call it by the same type."
    raise ArgumentValueError(message(where, "lib_filename", got, "an operator that is declared in Python", fix))


def kEmptyVarName() -> str:
    """Return the name of a Variable that is not there."""
    return "@EMPTY@"


empty_var_name = kEmptyVarName


def kGradVarSuffix() -> str:
    """Return what follows the name of a Variable in that of its gradient."""
    return "@GRAD"


grad_var_suffix = kGradVarSuffix


def kTempVarName() -> str:
    """Return the name of a temporary Variable."""
    return "@TEMP@"


def kZeroVarSuffix() -> str:
    """Return what follows the name of a Variable in that of zeros of its shape."""
    return "@ZERO"


def kControlDepVarName() -> str:
    """Return the name of a Variable that only orders operators."""
    return "__control_var"


def kNewGradSuffix() -> str:
    """Return what follows the name of a gradient that replaces another one."""
    return "@NEWGRAD@"


def loaded_var_suffix() -> str:
    """Return what follows the name of a Variable that was loaded into another Program."""
    return LOADED_SUFFIX


def kOpRoleAttrName() -> str:
    """Return the name of the attribute that holds an operator's role."""
    return "op_role"


def kOpRoleVarAttrName() -> str:
    """Return the name of the attribute that holds parameters with their gradients."""
    return "op_role_var"


def kOpNameScopeAttrName() -> str:
    """Return the name of the attribute that holds the scope of names."""
    return "op_namescope"


def kOpCreationCallstackAttrName() -> str:
    """Return the name of the attribute that holds the line which appended an operator."""
    return "op_callstack"


def kOpDeviceAttrName() -> str:
    """Return the name of the attribute that `device_guard` sets."""
    return "op_device"
