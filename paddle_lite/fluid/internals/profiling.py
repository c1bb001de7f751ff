"""The profiler by the calls of 1.8.5's native library, which `fluid.profiler` wraps there."""

from __future__ import annotations

import enum
import gc
import logging
import warnings
from collections import Counter
from collections.abc import Sequence
from typing import Any

from ...core import unique_name
from ...core.errors import ArgumentTypeError, describe, message
from ...core.profiling.recording import Active
from ...core.tracebacks import user_level
from ...imperative.variable import Variable
from .. import profiler
from ..native import _is_dygraph_debug_enabled

__all__ = [
    "EventSortingKey",
    "ProfilerState",
    "TracerOption",
    "disable_profiler",
    "enable_profiler",
    "is_profiler_enabled",
    "print_counts",
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


# --- how many objects of the process live ------------------------------------------------------------------------------

_log = logging.getLogger()
_before: Counter[str] = Counter()


def print_counts(parameter_list: Sequence[Any], limit: int = 5, is_test: bool = False) -> tuple[int, int, int] | None:
    """Print the types of which there are more objects than at the call before; log the numbers of names and Variables.

    Without FLAGS_dygraph_debug=1 in the environment it only logs that.

    Arguments:
        parameter_list: parameters.
        limit: how many types are printed.
        is_test: return the numbers instead.

    Returns:
        None; with is_test (the number of generated names, of the parameters, of Variables that live).

    Raises:
        ArgumentTypeError: `parameter_list` is no list.
    """
    if not _is_dygraph_debug_enabled():
        _log.warning("Debug mode is not enabled. Please set FLAGS_dygraph_debug=1 to enable debug")
        return None
    if not hasattr(parameter_list, "__len__"):
        raise ArgumentTypeError(
            message("_print_debug_msg", "parameter_list", describe(parameter_list), "a list of parameters")
        )
    objects = gc.get_objects()
    names, alive = sum(unique_name.current().ids.values()), sum(Variable in type(each).__mro__ for each in objects)
    if is_test:
        return names, len(parameter_list), alive
    _log.warning("unique_name num: %d, tracer vars num: %d, alive cpp vars num: %d", names, len(parameter_list), alive)
    now = Counter(type(each).__name__ for each in objects)
    grown = Counter({name: count - _before[name] for name, count in now.items() if count > _before[name]})
    for name, more in grown.most_common(limit):
        print(f"{name:28}{now[name]:8}{'+' + str(more):>9}")
    _before.update(now)
    _before.subtract({name: _before[name] - now[name] for name in _before})
    return None
