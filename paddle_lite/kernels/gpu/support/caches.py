"""Arrays on the device that calls share: computed once for the same arguments."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, wraps
from typing import Any

_caches: list[Callable[[], None]] = []


class _Here(threading.local):
    used: list[Any] | None = None


_here = _Here()


def kept_on_device(maxsize: int) -> Callable[[Callable], Callable]:
    """Keep the results of a function of hashable arguments, the device among them.

    Arguments:
        maxsize: how many; the one that was not asked for longest is dropped, unless a CUDA graph reads it.
    """

    def decorate(function: Callable) -> Callable:
        known = lru_cache(maxsize)(function)
        _caches.append(known.cache_clear)

        @wraps(function)
        def kept(*arguments: Any) -> Any:
            found = known(*arguments)
            if _here.used is not None:
                _here.used.append(found)
            return found

        return kept

    return decorate


@contextmanager
def noting_used() -> Iterator[list[Any]]:
    """Within the block a list gets all kept arrays that kernels take; what holds the list holds them."""
    before, _here.used = _here.used, []
    try:
        yield _here.used
    finally:
        _here.used = before


def forget_kept() -> None:
    """Drop all kept arrays, such as those of a stand-in that is no longer in use."""
    for clear in _caches:
        clear()


__all__ = ["forget_kept", "kept_on_device", "noting_used"]
