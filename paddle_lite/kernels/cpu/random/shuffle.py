"""Random order by a seed, the same as in Paddle 1.8.5."""

from __future__ import annotations

from collections.abc import Iterator

_MODULUS = 2**31 - 1


def _minstd_rand0(seed: int) -> Iterator[int]:
    """Yield the numbers of std::minstd_rand0: state = 16807 * state mod 2**31 - 1 (S. Park and K. Miller, 1988)."""
    state = seed % 2**64 % _MODULUS or 1
    while True:
        state = 16807 * state % _MODULUS
        yield state


def _below(draws: Iterator[int], n: int) -> int:
    """Return a uniform integer below n: one of n intervals of equal width; draws beyond the last are rejected."""
    width = (_MODULUS - 2) // n
    return next(drawn - 1 for drawn in draws if drawn - 1 < n * width) // width


def shuffled(n: int, seed: int) -> tuple[list[int], int]:
    """Return, for shuffle_batch, the integers below `n` in random order, and the seed of the next call.

    Each is swapped with one at or before it (D. Knuth, "The art of computer programming", volume 2, algorithm P).

    >>> shuffled(6, seed=3)
    ([1, 4, 0, 5, 3, 2], 1410633816)
    """
    draws, order = _minstd_rand0(seed), list(range(n))
    for i in range(1, n):
        j = _below(draws, i + 1)
        order[i], order[j] = order[j], order[i]
    return order, next(draws)
