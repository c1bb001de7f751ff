"""The profiler by the calls of 1.8.5's native library, which `fluid.profiler` wraps there."""

from __future__ import annotations

import enum
import warnings

from ...core.errors import ArgumentTypeError, describe, message
from ...core.profiling.recording import Active
from ...core.tracebacks import user_level
from .. import profiler

__all__ = [
    "EventSortingKey",
    "ProfilerState",
    "TracerOption",
    "disable_profiler",
    "enable_profiler",
    "is_profiler_enabled",
    "set_tracer_option",
    "start_gperf_profiler",
    "stop_gperf_profiler",
]


class ProfilerState(enum.Enum):
    """What the profiler measures."""

    kDisabled = None
    kCPU = "CPU"
    kCUDA = "GPU"
    kAll = "All"


class EventSortingKey(enum.Enum):
    """By what the table is sorted."""

    kDefault = None
    kCalls = "calls"
    kTotal = "total"
    kMin = "min"
    kMax = "max"
    kAve = "ave"


class TracerOption(enum.Enum):
    """Which operators the table lists."""

    kDefault = "Default"
    kOpDetail = "OpDetail"
    kAllOpDetail = "AllOpDetail"


kDisabled, kCPU, kCUDA, kAll = ProfilerState
kDefault, kCalls, kTotal, kMin, kMax, kAve = EventSortingKey
kOpDetail, kAllOpDetail = TracerOption.kOpDetail, TracerOption.kAllOpDetail

_option = TracerOption.kDefault


def set_tracer_option(option: TracerOption) -> None:
    """Choose which operators the table lists, from the next `enable_profiler` on.

    Raises:
        ArgumentTypeError: `option` is no TracerOption.
    """
    global _option
    if not isinstance(option, TracerOption):
        raise ArgumentTypeError(message("set_tracer_option", "option", describe(option), "a core.TracerOption"))
    _option = option


def enable_profiler(state: ProfilerState) -> None:
    """Start the profiler; `kDisabled` starts nothing.

    Raises:
        ArgumentTypeError: `state` is no ProfilerState.
    """
    if not isinstance(state, ProfilerState):
        raise ArgumentTypeError(message("enable_profiler", "state", describe(state), "a core.ProfilerState"))
    if state.value is not None:
        profiler.start_profiler(state.value, _option.value)


def disable_profiler(sorted_key: EventSortingKey, profile_path: str) -> None:
    """Stop the profiler, print its table and write its trace.

    Raises:
        ArgumentTypeError: `sorted_key` is no EventSortingKey.
    """
    if not isinstance(sorted_key, EventSortingKey):
        raise ArgumentTypeError(
            message("disable_profiler", "sorted_key", describe(sorted_key), "a core.EventSortingKey")
        )
    profiler.stop_profiler(sorted_key.value, profile_path)


def is_profiler_enabled() -> bool:
    """Return whether the profiler runs."""
    return Active.recording is not None


def start_gperf_profiler() -> None:
    """Warn that nothing is profiled, for gperftools is not there, as in public builds of 1.8.5."""
    text = "start_gperf_profiler profiles nothing: there is no gperftools. Use fluid.profiler.profiler()."
    warnings.warn(text, RuntimeWarning, stacklevel=user_level())


def stop_gperf_profiler() -> None:
    """Do nothing, for `start_gperf_profiler` profiles nothing."""
