"""`fluid.profiler`: the time of each operator, in both modes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..core.errors import ArgumentValueError, message
from ..core.files.atomic import atomic_file
from ..core.missing import missing_names
from ..core.place import gpu_count
from ..core.profiling.recording import Active, Recording, set_active
from ..core.profiling.report import SORTED, chrome_trace, table
from ..kernels.devices import cuda
from ..kernels.registry import array_module

__getattr__ = missing_names(__name__)

NVPROF_CONFIG = [
    "gpustarttimestamp",
    "gpuendtimestamp",
    "gridsize3d",
    "threadblocksize",
    "streamid",
    "enableonstart 0",
    "conckerneltrace",
]
"""What the CUDA profiler of 1.8.5 records."""

__all__ = ["cuda_profiler", "profiler", "reset_profiler", "start_profiler", "stop_profiler"]

STATES = ("CPU", "GPU", "All")
OPTIONS = ("Default", "OpDetail", "AllOpDetail")


@contextmanager
def profiler(
    state: str, sorted_key: str | None = None, profile_path: str = "/tmp/profile", tracer_option: str = "Default"
) -> Iterator[None]:
    """Profile the operators that run inside the block, print a table, and write a trace.

    Operators of Programs and of imperative mode are measured, gradients included. The table says of each type of
    operator how often it ran, its total, shortest, longest and average time in milliseconds, and its part of the whole.
    The trace is JSON: chrome://tracing or ui.perfetto.dev shows it. (PaddlePaddle writes a file that its
    tools/timeline.py makes one of.)

    Arguments:
        state: "CPU"; "GPU" counts operators on a GPU only, "All" lists both. With these two an operator on a GPU has the time
            that it takes there, which CUDA events measure, and is a range of NVTX, which NVIDIA's tools show; without, the time to
            launch it.
        sorted_key: "calls", "total", "max", "min" or "ave", the largest first; None keeps the order of first ends.
        profile_path: the file of the trace.
        tracer_option: "OpDetail" also lists operators that ran inside of others, "AllOpDetail" each operator of a
            Program by itself.

    Raises:
        ArgumentValueError: an argument is none of these.

    >>> import os, tempfile, numpy as np, paddle_lite.fluid as fluid
    >>> path = os.path.join(tempfile.mkdtemp(), 'trace.json')
    >>> with fluid.dygraph.guard(), fluid.profiler.profiler('CPU', 'calls', path):
    ...     x = fluid.dygraph.to_variable(np.ones([2, 2], 'float32'))
    ...     y = fluid.layers.relu(fluid.layers.relu(x))
    <BLANKLINE>
    ------------------------->     Profiling Report     <-------------------------
    <BLANKLINE>
    Place: CPU
    Time unit: ms
    Sorted by number of calls in descending order in the same thread
    ...
    Event                 Calls       Total       Min.        Max.        Ave.        Ratio.
    thread0::relu         2           ...
    """
    _checked_key(sorted_key)
    start_profiler(state, tracer_option)
    try:
        yield
    finally:
        stop_profiler(sorted_key, profile_path)


def start_profiler(state: str, tracer_option: str = "Default") -> None:
    """Start to profile operators; `profiler` explains the arguments. Does nothing while a profiler is on.

    Raises:
        ArgumentValueError: `state` or `tracer_option` is none of the known ones.
    """
    if Active.recording is not None:
        return
    if state not in STATES:
        raise ArgumentValueError(message("start_profiler", "state", repr(state), f"one of {STATES}"))
    if tracer_option not in OPTIONS:
        raise ArgumentValueError(message("start_profiler", "tracer_option", repr(tracer_option), f"one of {OPTIONS}"))
    set_active(Recording(state, tracer_option, _clock() if state != "CPU" else None))


def _clock() -> Any:
    """Return what measures operators on a GPU; None where there is none."""
    if not gpu_count() or cuda() is None:
        return None
    from ..kernels.gpu.clock import DeviceClock  # no GPU is used before

    return DeviceClock()


def stop_profiler(sorted_key: str | None = None, profile_path: str = "/tmp/profile") -> None:
    """Stop profiling, print the table and write the trace, as `profiler` describes.

    Does nothing while none is on.

    Raises:
        ArgumentValueError: `sorted_key` is none of the known ones; the profiler stays on.
    """
    recording = Active.recording
    if recording is None:
        return
    _checked_key(sorted_key)
    set_active(None)
    recording.settle()
    print(table(recording, sorted_key))
    with atomic_file(profile_path) as file:
        file.write(chrome_trace(recording))


def reset_profiler() -> None:
    """Discard all measurements; the profiler stays on."""
    if Active.recording is not None:
        Active.recording.clear()


@contextmanager
def cuda_profiler(output_file: str, output_mode: str | None = None, config: Any = None) -> Iterator[None]:
    """Profile the GPU with a tool of NVIDIA inside the block only.

    Start the script under one: `nsys profile -c cudaProfilerApi python -m paddle_lite run script.py`. It, and not
    `output_file`, says where the measurements go.

    Arguments:
        output_file, config: kept for Fluid code.
        output_mode: "kvp" or "csv"; kept for Fluid code.

    Raises:
        ArgumentValueError: `output_mode` is none of these.
        ImportError: CuPy is not installed.
    """
    if output_mode not in (None, "kvp", "csv"):
        raise ArgumentValueError(message("cuda_profiler", "output_mode", repr(output_mode), "'kvp' or 'csv'"))
    runtime = array_module("gpu").cuda.runtime
    runtime.profilerStart()
    try:
        yield
    finally:
        runtime.profilerStop()


def _checked_key(sorted_key: str | None) -> None:
    if sorted_key is not None and sorted_key not in SORTED:
        needs = f"None or one of {tuple(SORTED)}"
        raise ArgumentValueError(message("stop_profiler", "sorted_key", repr(sorted_key), needs))
