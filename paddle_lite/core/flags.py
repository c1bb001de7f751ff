"""FLAGS_*: global switches, set by environment variables or `fluid.set_flags`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .errors import ArgumentTypeError, ArgumentValueError, describe, message
from .text import closest

_watchers: dict[str, list[Callable[[Any], None]]] = {}
_WITHOUT_EFFECT = {
    "FLAGS_allocator_strategy": "auto_growth",
    "FLAGS_benchmark": False,
    "FLAGS_conv_workspace_size_limit": 512,
    "FLAGS_cpu_deterministic": False,
    "FLAGS_cudnn_batchnorm_spatial_persistent": False,
    "FLAGS_cudnn_deterministic": False,
    "FLAGS_cudnn_exhaustive_search": False,
    "FLAGS_eager_delete_tensor_gb": 0.0,
    "FLAGS_enable_cublas_tensor_op_math": False,
    "FLAGS_enable_parallel_graph": False,
    "FLAGS_enable_rpc_profiler": False,
    "FLAGS_fast_eager_deletion_mode": True,
    "FLAGS_fraction_of_cpu_memory_to_use": 1.0,
    "FLAGS_fraction_of_gpu_memory_to_use": 0.92,
    "FLAGS_free_idle_chunk": False,
    "FLAGS_free_when_no_cache_hit": False,
    "FLAGS_fuse_parameter_groups_size": 1,
    "FLAGS_fuse_parameter_memory_size": -1.0,
    "FLAGS_gpu_memory_limit_mb": 0,
    "FLAGS_init_allocated_mem": False,
    "FLAGS_initial_cpu_memory_in_mb": 500,
    "FLAGS_initial_gpu_memory_in_mb": 0,
    "FLAGS_inner_op_parallelism": 0,
    "FLAGS_memory_fraction_of_eager_deletion": 1.0,
    "FLAGS_multiple_of_cupti_buffer_size": 1,
    "FLAGS_pe_profile_fname": "",
    "FLAGS_print_sub_graph_dir": "",
    "FLAGS_reader_queue_speed_test_mode": False,
    "FLAGS_reallocate_gpu_memory_in_mb": 0,
    "FLAGS_sync_nccl_allreduce": True,
    "FLAGS_tracer_profile_fname": "xxgperf",
    "FLAGS_use_mkldnn": False,
    "FLAGS_use_pinned_memory": True,
    "FLAGS_use_system_allocator": False,
}
"""Flags of PaddlePaddle 1.8.5 about memory, devices and profiles of its C++ part: kept, and read by nothing here."""
_values: dict[str, Any] = {
    "FLAGS_check_nan_inf": False,
    "FLAGS_conv_autotune": False,
    "FLAGS_conv_winograd": True,
    "FLAGS_cuda_tf32": False,  # whether products of float32 on a GPU are computed in TF32, with 10 bits of mantissa
    "FLAGS_full_traceback": False,
    "FLAGS_max_loop_iterations": 0,  # of each while of a Program, and of dynamic_decode; 0: any number
    "FLAGS_matmul_blocks": True,
    "FLAGS_sort_sum_gradient": False,
    "FLAGS_paddle_num_threads": 1,
    "FLAGS_plan_cuda_graphs": False,  # whether a Plan on a GPU whose shapes repeat is replayed as one launch
    "FLAGS_plan_passes": "all",
    "FLAGS_plan_warm_up": -1,  # negative: estimated for each Plan
    "FLAGS_recompute": False,  # whether backward passes compute values again that they would have to hold (docs/memory.md)
    "FLAGS_rpc_deadline": 180000,  # milliseconds that a call of another process may take
    "FLAGS_rpc_retry_times": 3,
    "FLAGS_selected_gpus": "",
    **_WITHOUT_EFFECT,
}
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")  # the defaults of FLAGS_paddle_num_threads


def _threads(environment: Mapping[str, str]) -> int:
    """Return the default number of threads.

    The first valid number among the variables that BLAS libraries read, else 1.
    """
    for name in THREADS:
        # OMP_NUM_THREADS may list a number for each nesting level
        text = environment.get(name, "").partition(",")[0].strip()
        if text.isdecimal() and int(text) > 0:
            return int(text)
    return 1


_values["FLAGS_paddle_num_threads"] = _threads(os.environ)

_BOOLS: dict[Any, bool] = {
    **dict.fromkeys(("", "0", "false", "off", "no", "f", "n", 0), False),
    **dict.fromkeys(("1", "true", "on", "yes", "t", "y", 1), True),
}


def _parse(where: str, name: str, value: Any) -> Any:
    """Return the value converted to the flag's type; strings are parsed like Paddle's environment variables."""
    kind = type(_values[name])
    try:
        if kind is bool:
            return _BOOLS[value.strip().lower() if isinstance(value, str) else value]
        return kind(value)
    except (KeyError, ValueError, TypeError):
        raise ArgumentValueError(
            message(where, name, repr(value), f"{'an' if kind is int else 'a'} {kind.__name__}")
        ) from None


for _name in _values:
    if _name in os.environ:
        _values[_name] = _parse("environment", _name, os.environ[_name])


def _check(where: str, name: str) -> None:
    if name not in _values:
        fix = f"Did you mean {close!r}?" if (close := closest(str(name), _values)) else ""
        raise ArgumentValueError(message(where, "flags", repr(name), f"one of {', '.join(sorted(_values))}", fix))


def names() -> list[str]:
    """Return the names of all flags."""
    return sorted(_values)


def set_flags(flags: Mapping[str, Any]) -> None:
    """Set global flags from a mapping name -> value; a string is parsed as the environment variable would be.

    Raises:
        ArgumentTypeError: `flags` is not a dict.
        ArgumentValueError: a flag does not exist, or the value does not have its type.

    >>> set_flags({'FLAGS_check_nan_inf': False})
    """
    if not isinstance(flags, Mapping):
        raise ArgumentTypeError(message("set_flags", "flags", describe(flags), "a dict from names to values"))
    for name, value in flags.items():
        _check("set_flags", name)
        parsed = _parse("set_flags", name, value)
        for changed in _watchers.get(name, ()):
            changed(parsed)  # may raise if the value is not acceptable
        _values[name] = parsed


def watch(name: str, changed: Callable[[Any], None]) -> None:
    """Call `changed(value)` whenever the flag is set."""
    _watchers.setdefault(name, []).append(changed)


def value(name: str) -> Any:
    """Return the value of a flag that exists."""
    return _values[name]


def get_flags(flags: str | Sequence[str]) -> dict[str, Any]:
    """Return the values of one flag or of several, as a dict.

    Returns:
        A dict name -> value.

    Raises:
        ArgumentTypeError: `flags` is neither a name nor a list of names.
        ArgumentValueError: a flag does not exist.

    >>> get_flags('FLAGS_check_nan_inf')
    {'FLAGS_check_nan_inf': False}
    """
    if not isinstance(flags, (str, list, tuple)):
        raise ArgumentTypeError(message("get_flags", "flags", describe(flags), "a name, or a list of names"))
    names = [flags] if isinstance(flags, str) else list(flags)
    for name in names:
        _check("get_flags", name)
    return {name: _values[name] for name in names}
