"""Calls of `fluid.transpiler` that have no effect: memory is managed without them."""

from __future__ import annotations

import warnings
from typing import Any

from ..core.tracebacks import user_level

__all__ = ["memory_optimize", "release_memory"]

_told: set[str] = set()


def memory_optimize(
    input_program: Any,
    skip_opt_set: Any = None,
    print_log: bool = False,
    level: int = 0,
    skip_grads: bool = True,
) -> None:
    """Do nothing, since an Executor frees each value after its last use; the first call warns about it.

    Arguments:
        input_program, skip_opt_set, print_log, level, skip_grads: kept for Fluid code.
    """
    _tell("memory_optimize")


def release_memory(input_program: Any, skip_opt_set: Any = None) -> None:
    """Do nothing, since an Executor frees each value after its last use; the first call warns about it.

    Arguments:
        input_program, skip_opt_set: kept for Fluid code.
    """
    _tell("release_memory")


def _tell(call: str) -> None:
    if call not in _told:
        _told.add(call)
        text = f"fluid.{call} is deprecated and changes nothing: an Executor frees each value after its last use."
        warnings.warn(text, DeprecationWarning, stacklevel=user_level())
