"""np.random.RandomState that begins in microseconds.

NumPy's first asks the system for a seed and makes 624 numbers of it, half a millisecond, and then takes the seed that it is given. Tests make
thousands of them. These take what an earlier one has left.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["RandomState"]

_left: list[Any] = []
"""What generators that are gone have drawn with."""


class RandomState(np.random.RandomState):
    """NumPy's, with the same numbers."""

    def __init__(self, seed: Any = None) -> None:
        self._borrowed = None
        if seed is not None and not isinstance(seed, np.random.BitGenerator):
            try:
                bits = _left.pop()
            except IndexError:  # of another thread, too
                bits = np.random.MT19937()
            bits._legacy_seeding(seed)
            self._borrowed = seed = bits
        super().__init__(seed)

    def __del__(self) -> None:
        if self._borrowed is not None:
            _left.append(self._borrowed)
