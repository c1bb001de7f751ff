"""Random classes for nce: with a seed the same as in Paddle 1.8.5, with seed 0 different ones each time.

Paddle draws with C++'s std::mt19937_64, and from a distribution of the user's with std::mt19937: M. Matsumoto and T.
Nishimura, "Mersenne Twister: a 623-dimensionally equidistributed uniform pseudorandom number generator", 1998; T.
Nishimura, "Tables of 64-bit Mersenne Twisters", 2000. The first is implemented here, the second is NumPy's.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np

from ..random.random import generator

UNIFORM, LOG_UNIFORM, CUSTOM = range(3)  # the codes in nce's attribute

_WORDS, _APART = 312, 156
_MASK = 2**64 - 1
_kept = threading.local()


class Mersenne64:
    """std::mt19937_64, which draws 64 random bits a number; its seed has 32 bits."""

    def __init__(self, seed: int) -> None:
        words = [seed % 2**32]
        for i in range(1, _WORDS):
            words.append((6364136223846793005 * (words[-1] ^ (words[-1] >> 62)) + i) & _MASK)
        self._words = np.array(words, np.uint64)
        self._ready = np.empty(0, np.uint64)

    def draw(self, n: int) -> np.ndarray:
        """Return the next `n` numbers, uint64.

        >>> Mersenne64(5489).draw(1).tolist()
        [14514284786278117030]
        """
        parts = [self._ready]
        missing = n - self._ready.size
        while missing > 0:
            parts.append(self._block())
            missing -= _WORDS
        numbers = np.concatenate(parts)
        self._ready = numbers[n:]
        return numbers[:n]

    def _block(self) -> np.ndarray:
        words, upper = self._words, np.uint64(0xFFFFFFFF80000000)
        for half in (slice(0, _APART), slice(_APART, _WORDS)):  # neither half depends on its own new values
            following = np.roll(words, -1)[half]
            mixed = (words[half] & upper) | (following & ~upper)
            odd = np.where(mixed & np.uint64(1), np.uint64(0xB5026F5AA96619E9), np.uint64(0))
            words[half] = np.roll(words, -_APART)[half] ^ (mixed >> np.uint64(1)) ^ odd
        x = words ^ ((words >> np.uint64(29)) & np.uint64(0x5555555555555555))
        x ^= (x << np.uint64(17)) & np.uint64(0x71D67FFFEDA60000)
        x ^= (x << np.uint64(37)) & np.uint64(0xFFF7EEE000000000)
        return x ^ (x >> np.uint64(43))


def draw_classes(sampler: int, n: int, classes: int, seed: int = 0, alias: Any = None, keep: Any = None) -> np.ndarray:
    """Return `n` random classes from 0 to classes - 1, int64.

    Arguments:
        sampler: UNIFORM; LOG_UNIFORM, class c in proportion to log((c + 2) / (c + 1)), except for the last one; CUSTOM, by
            the tables of Walker's alias method.
        seed: the seed of the generator; 0 for different numbers each time.
        alias, keep: for CUSTOM: a class c that was drawn uniformly is kept with probability keep[c] and replaced by alias[c]
            otherwise (it is kept if that is -1).

    >>> draw_classes(UNIFORM, 5, 20, seed=1).tolist()
    [2, 2, 9, 0, 7]
    """
    if sampler == UNIFORM:
        return _uniform(n, classes, seed)
    if sampler == LOG_UNIFORM:
        return _log_uniform(n, classes - 1, None if seed == 0 else Mersenne64(seed))
    first, unit = _pairs(n, classes, seed)
    alias = np.asarray(alias)[first]
    return np.where((unit < np.asarray(keep)[first]) | (alias == -1), first, alias).astype(np.int64)


def draw_distinct_classes(n: int, classes: int, seed: int = 0) -> tuple[list[int], int]:
    """Return `n` different classes, class c in proportion to log((c + 2) / (c + 1)), and the number of draws.

    >>> draw_distinct_classes(3, 10, seed=3)
    ([2, 0, 3], 3)
    """
    found: dict[int, None] = {}
    engine, tries = None if seed == 0 else Mersenne64(seed), 0
    while True:
        for c in _log_uniform(max(2 * n, 64), classes, engine).tolist():
            found.setdefault(c)
            tries += 1
            if len(found) == n:
                return list(found), tries


def class_stream(classes: int, seed: int = 0) -> Iterator[int]:
    """Yield random classes from 0 to classes - 1, endlessly; seed 0 for different ones each time.

    >>> stream = class_stream(20, seed=1); [next(stream) for _ in range(5)]
    [2, 2, 9, 0, 7]
    """
    engine, width = None if seed == 0 else Mersenne64(seed), _MASK // classes
    while True:
        if engine is None:
            yield from generator().integers(0, classes, _WORDS).tolist()
        else:
            numbers = engine.draw(_WORDS)
            yield from (numbers[numbers < np.uint64(classes * width)] // np.uint64(width)).tolist()


def _log_uniform(n: int, classes: int, engine: Mersenne64 | None) -> np.ndarray:
    unit = generator().random(n) if engine is None else engine.draw(n).astype(np.float64) / 2.0**64
    return np.minimum(np.exp(unit * math.log(classes + 1)) - 1, max(classes - 1, 0)).astype(np.int64)


def _uniform(n: int, classes: int, seed: int) -> np.ndarray:
    if seed == 0:
        return generator().integers(0, classes, n)
    engine, width = Mersenne64(seed), _MASK // classes
    numbers = engine.draw(n)
    while True:  # numbers beyond the last whole interval are rejected and drawn again
        numbers = numbers[numbers < np.uint64(classes * width)]
        if numbers.size == n:
            return (numbers // np.uint64(width)).astype(np.int64)
        numbers = np.concatenate([numbers, engine.draw(n - numbers.size)])


def _mersenne32(seed: int) -> np.random.RandomState:
    """Return this thread's std::mt19937 with a seed: to make one takes half a millisecond, and to seed it a hundredth of that."""
    if not hasattr(_kept, "engine"):
        _kept.engine = np.random.RandomState(0)
    _kept.engine.seed(seed % 2**32)
    return _kept.engine


def _pairs(n: int, classes: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return `n` uniformly drawn classes, and a uniform number in [0, 1) for each."""
    if seed == 0:
        return generator().integers(0, classes, n), generator().random(n)
    engine, width = _mersenne32(seed), (2**32 - 1) // classes
    words = chain.from_iterable(iter(lambda: engine.randint(0, 2**32, _WORDS, dtype=np.uint32).tolist(), None))
    first, unit = np.empty(n, np.int64), np.empty(n)
    for k in range(n):
        first[k] = next(word for word in words if word < classes * width) // width
        unit[k] = (next(words) + next(words) * 2.0**32) / 2.0**64
    return first, unit
