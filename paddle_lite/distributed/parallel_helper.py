"""`fluid.dygraph.parallel_helper`: whether this process trains with others, and parameters that are the same in all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .collective.current import group_of, joined
from .environment import ParallelEnv

__all__ = ["_broadcast_parameters", "_is_data_parallel_mode"]


def _is_data_parallel_mode() -> bool:
    """Return whether there are several workers, and `prepare_context` has connected this one."""
    return ParallelEnv().nranks > 1 and joined()


def _broadcast_parameters(parameters: Sequence[Any]) -> None:
    """Set parameters to their values in the first worker; for one worker do nothing."""
    arrays = [parameter.array for parameter in parameters]
    group_of(arrays).broadcast(arrays)
