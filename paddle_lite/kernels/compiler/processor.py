"""The processor that kernels are compiled for: this computer's, or an older one that PADDLE_LITE_PROCESSOR names."""

from __future__ import annotations

import functools
import importlib
import os
from typing import Any, NamedTuple

from ...core.errors import ArgumentValueError, message
from ...core.threads.forking import LLVM, hold_while_forking

__all__ = ["NAMES", "VARIABLE", "Processor", "binding", "processor"]

VARIABLE = "PADDLE_LITE_PROCESSOR"
_V2 = frozenset({"cx16", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3"})
_V3 = _V2 | {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"}
_V4 = _V3 | {"avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"}
NAMES = {"x86-64-v2": _V2, "x86-64-v3": _V3, "haswell": _V3, "x86-64-v4": _V4}
"""The processors that may be named, as LLVM calls them, and what each of them has."""


class Processor(NamedTuple):
    """A processor.

    Attributes:
        name: as LLVM calls it. features: those that LLVM turns on or off; "" for those of the name.
        has: the names of those that are there.
    """

    name: str
    features: str
    has: frozenset[str]


@functools.cache
def binding() -> Any:
    """Return llvmlite.binding.

    From then on a fork waits for its lock, which has no public name: modules are freed in any thread.
    """
    llvm = importlib.import_module("llvmlite.binding")
    lock = getattr(getattr(llvm.ffi.lib, "_lock", None), "_lock", None)
    if lock is not None:
        hold_while_forking(lock, LLVM)
    return llvm


@functools.cache
def processor() -> Processor:
    """Return the processor to compile for.

    Raises:
        ArgumentValueError: PADDLE_LITE_PROCESSOR is none of NAMES, or this computer lacks a feature of the named processor.
    """
    llvm = binding()
    features = llvm.get_host_cpu_features()
    has = frozenset(name for name, there in features.items() if there)
    named = os.environ.get(VARIABLE, "")
    if not named:
        return Processor(llvm.get_host_cpu_name(), features.flatten(), has)
    missing = NAMES.get(named, frozenset()) - has
    if named not in NAMES or missing:
        lacking = f", but this computer lacks {', '.join(sorted(missing))}" if missing else ""
        fix = f"Unset it to compile for this computer ({llvm.get_host_cpu_name()})."
        raise ArgumentValueError(
            message("environment", VARIABLE, repr(named) + lacking, f"one of {', '.join(NAMES)}", fix)
        )
    return Processor(named, "", NAMES[named])
