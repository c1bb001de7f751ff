"""What is made from arrays that seldom change, as weights in the layout of a kernel."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from operator import is_
from typing import Any

import numpy as np

__all__ = ["Lasting"]

MOST_PATIENCE = 64  # runs with the same arrays before something is made of them, at most


class Lasting:
    """What was made from some arrays, kept as long as they are the same.

    It is made when the arrays have been the same in a run before. If they change later, it waits twice as long the next time, since
    making it takes longer than a run. Whoever updates an array that others hold copies it first (`static/plan/passes/updates.py`), so
    the same array has the same numbers.

    Attributes:
        made: what was made; None if nothing is kept. sources: what it was made from.

    Example:
        >>> kept, w = Lasting(), np.ones(2)
        >>> [kept.of((w,), lambda: float(w.sum())) for _ in range(3)]
        [None, 2.0, 2.0]
    """

    __slots__ = ("_patience", "_seen", "_waited", "made", "sources")

    def __init__(self) -> None:
        self.made: Any = None
        self.sources: tuple[Any, ...] | None = None
        self._seen: Any = None
        self._waited, self._patience = 0, 1

    def of(self, sources: tuple[Any, ...], make: Callable[[], Any]) -> Any:
        """Return what `make` returns for these sources; None where they were others in the last runs.

        Args:
            sources: an array, then arrays or constants such as None and True.
            make: a function without arguments.
        """
        if self.sources is not None:
            if all(map(is_, self.sources, sources)):
                return self.made
            self.made = self.sources = None
            self._patience = min(MOST_PATIENCE, 2 * self._patience)
        seen = self._seen
        self._waited = self._waited + 1 if seen is not None and seen() is sources[0] else 0
        self._seen = weakref.ref(sources[0])
        if self._waited < self._patience or not all(map(_lasts, sources)):
            return None
        self.made, self.sources, self._seen = make(), sources, None
        return self.made


def _lasts(source: Any) -> bool:
    """Return whether the numbers of an array stay as they are while it is held: no other array of NumPy shares its memory."""
    base = source.base if isinstance(source, np.ndarray) else None
    return not isinstance(base, np.ndarray) or sys.getrefcount(base) <= HELD


def _held() -> int:
    """Return the reference count that `_lasts` sees of the base of an array that is the only one to hold it."""
    array = np.zeros(1).reshape(1, 1)
    base = array.base
    return sys.getrefcount(base)


HELD = _held()
