"""`fluid.dygraph.parallel_helper`: whether this process trains with others, and parameters that are the same in all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.errors import ModeError
from .collective.current import group_of, joined
from .environment import ParallelEnv

__all__ = ["_broadcast_parameters", "_init_parallel_ctx", "_is_data_parallel_mode", "_set_parallel_ctx"]

_context: Any = None  # that `_set_parallel_ctx` was given


def _is_data_parallel_mode() -> bool:
    """Return whether there are several workers, and `prepare_context` has connected this one."""
    return ParallelEnv().nranks > 1 and joined()


def _broadcast_parameters(parameters: Sequence[Any]) -> None:
    """Set parameters to their values in the first worker; for one worker do nothing."""
    arrays = [parameter.array for parameter in parameters]
    group_of(arrays).broadcast(arrays)


def _set_parallel_ctx(nccl_parallel_context: Any) -> None:
    """Take an object whose `init()` connects this worker with others; `_init_parallel_ctx` calls it.

    `prepare_context`, which connects workers by paddle_lite's own means, needs none.

    Arguments:
        nccl_parallel_context: the object.

    Raises:
        ModeError: there is one already, also after the same call before.
    """
    global _context
    if _context is not None:
        raise ModeError(
            f"_set_parallel_ctx: this process has a context already, {_context!r}. Set it once, before workers are connected."
        )
    _context = nccl_parallel_context


def _init_parallel_ctx() -> None:
    """Call `init()` of the object that `_set_parallel_ctx` was given.

    Raises:
        ModeError: there is none.
    """
    if _context is None:
        raise ModeError(
            "_init_parallel_ctx: this process has no context. Call prepare_context(), or _set_parallel_ctx() before."
        )
    _context.init()
