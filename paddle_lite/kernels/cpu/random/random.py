"""Random numbers: with a seed bitwise those of Paddle 1.8.5's CPU operators, with seed 0 different ones each time.

Paddle draws from the C++ engine std::minstd_rand through the distributions of libstdc++: S. K. Park and K. W. Miller,
"Random number generators: good ones are hard to find", CACM 31 (1988), with the multiplier 48271 of their 1993 remark.
Here the engine computes blocks: a block of states is a table of the multiplier's powers times the state before the block.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import count
from typing import Any

import numpy as np

from ....core.errors import ArgumentValueError, message
from ....core.threads.forking import LEAVES, hold_while_forking
from .libm_log import libm_log

_MODULUS = 2**31 - 1
_MULTIPLIER = 48271
_LARGEST = _MODULUS - 2  # the largest value of `Engine.draw`
_BLOCK = 1 << 14  # states computed at once, which fit into a core's cache

Shape = Sequence[int]
_fresh = np.random.default_rng()
for _source in (_fresh.bit_generator, np.random.get_bit_generator()):  # type: ignore[attr-defined]  # NumPy's own: for readers
    hold_while_forking(_source.lock, LEAVES)


def generator() -> np.random.Generator:
    """Return the generator behind every call with seed 0."""
    return _fresh


def manual_seed(seed: int) -> None:
    """Make subsequent calls with seed 0 reproducible; they still differ from each other.

    >>> manual_seed(3); first = uniform([2], 0.0, 1.0)
    >>> manual_seed(3); bool((first == uniform([2], 0.0, 1.0)).all())
    True
    """
    _fresh.bit_generator.state = np.random.default_rng(seed).bit_generator.state


class Engine:
    """std::minstd_rand: state = 48271 * state mod 2**31 - 1, with the seed modulo 2**31 - 1 (1 if that is 0)."""

    def __init__(self, seed: int) -> None:
        self.state = seed % _MODULUS or 1

    def draw(self, n: int) -> np.ndarray:
        """Return the next `n` states minus 1, uint64: uniform integers from 0 to 2**31 - 3."""
        out = np.empty(n, np.uint64)
        powers = _powers()
        for start in range(0, n, _BLOCK):
            block = out[start : start + _BLOCK]
            _product(powers[: block.size], self.state, block)
            self.state = int(block[-1])
        out -= np.uint64(1)
        return out

    def unit(self, n: int, dtype: Any) -> np.ndarray:
        """Return uniform numbers in [0, 1]: one draw each in float32 (the last 32 states round to 1), two in float64."""
        states = float(_LARGEST + 1)
        if dtype == np.float32:
            return self.draw(n).astype(np.float32) / np.float32(states)
        low, high = self.draw(2 * n).astype(np.float64).reshape(n, 2).T
        return (low + high * states) / (states * states)


@cache
def _powers() -> np.ndarray:
    """Return the first _BLOCK powers of the multiplier, by doubling."""
    out = np.empty(_BLOCK, np.uint64)
    out[0], size = _MULTIPLIER, 1
    while size < _BLOCK:
        _product(out[:size], int(out[size - 1]), out[size : 2 * size])
        size *= 2
    return out


def _product(factors: np.ndarray, factor: int, out: np.ndarray) -> None:
    """Compute out = factors * factor mod 2**31 - 1 for non-zero factors.

    2**31 is congruent to 1, so the upper bits are added to the lower ones.
    """
    np.multiply(factors, np.uint64(factor), out=out)
    for _ in range(2):
        upper = out >> np.uint64(31)
        out &= np.uint64(_MODULUS)
        out += upper


def _engine(seed: int) -> Engine:
    """Return the engine of an operator with a 32-bit unsigned seed (all but dropout)."""
    return Engine(seed % 2**32)


def _unit(shape: Shape, seed: int, dtype: Any) -> np.ndarray:
    """Return uniform numbers in [0, 1], by a seed or different ones each time."""
    if seed == 0:
        return _fresh.random(tuple(shape), dtype=dtype)
    return _engine(seed).unit(math.prod(shape), dtype).reshape(shape)


def _collected(n: int, rate: float, attempts: Callable[[int], np.ndarray]) -> np.ndarray:
    """Return the first `n` rows accepted by rejection sampling.

    `attempts(k)` returns the accepted rows among k candidates; `rate` is the expected acceptance rate.
    """
    parts = [attempts(0)]
    missing = n
    while missing > 0:
        parts.append(attempts(min(int(missing / rate * 1.01) + 16, _BLOCK)))
        missing -= len(parts[-1])
    return np.concatenate(parts)[:n]


def uniform(
    shape: Shape,
    low: float,
    high: float,
    seed: int = 0,
    dtype: Any = np.float32,
    diag_num: int = 0,
    diag_step: int = 0,
    diag_val: float = 1.0,
) -> np.ndarray:
    """Return the result of uniform_random: numbers in [low, high), float32 or float64, `diag_num` of them set to `diag_val`.

    The diagonal's elements are diag_step + 1 apart in row-major order. Raise ArgumentValueError if they do not fit.

    >>> uniform([3], 0.0, 1.0, seed=90)
    array([0.00202301, 0.6529204 , 0.12173448], dtype=float32)
    """
    real = np.dtype(dtype).type
    start, end = real(np.float32(low)), real(np.float32(high))  # attributes are float32
    out = _unit(shape, seed, real)
    out *= end - start
    out += start
    if diag_num > 0:
        _check_diagonal(out.size, diag_num, diag_step)
        out.reshape(-1)[: diag_num * (diag_step + 1) : diag_step + 1] = np.float32(diag_val)
    return out


def _check_diagonal(size: int, diag_num: int, diag_step: int) -> None:
    if diag_step < 0:
        raise ArgumentValueError(message("uniform_random", "attribute 'diag_step'", diag_step, "0 or more"))
    last = (diag_num - 1) * (diag_step + 1)
    if last >= size:
        needs = f"a last position, (diag_num - 1) * (diag_step + 1) = {last}, below the {size} elements of the shape"
        raise ArgumentValueError(
            message("uniform_random", "attributes 'diag_num', 'diag_step'", (diag_num, diag_step), needs)
        )


def gaussian(shape: Shape, mean: float, std: float, seed: int = 0, dtype: Any = np.float32) -> np.ndarray:
    """Return the result of gaussian_random: normal numbers with a mean and a standard deviation, float32 or float64.

    They are computed by the polar method (G. Marsaglia and T. A. Bray, SIAM Review 6 (1964), 260-264): each point of the unit
    disk gives two.

    >>> gaussian([3], 0.0, 1.0, seed=90)
    array([-0.33855444, -0.5022391 ,  1.0573784 ], dtype=float32)
    """
    real = np.dtype(dtype).type
    if seed == 0:
        out = _fresh.standard_normal(tuple(shape), dtype=real)
    else:
        n = math.prod(shape)
        pairs = _collected((n + 1) // 2, math.pi / 4, partial(_polar_pairs, _engine(seed), real))
        out = pairs.reshape(-1)[:n].reshape(shape)
    out *= real(np.float32(std))
    out += real(np.float32(mean))
    return out


def _polar_pairs(engine: Engine, real: Any, n: int) -> np.ndarray:
    """Return normal numbers [accepted, 2] from those of `n` points in a square that lie in the unit disk."""
    points = engine.unit(2 * n, real) * real(2) - real(1)
    first, second = points[0::2], points[1::2]
    squares = first * first + second * second
    inside = np.flatnonzero((squares <= 1) & (squares > 0))
    squares = squares[inside]
    scale = np.sqrt(libm_log(squares) * real(-2) / squares)
    return np.stack([second[inside] * scale, first[inside] * scale], axis=1)


# M. J. Wichura, "Algorithm AS 241: the percentage points of the normal distribution", Applied Statistics 37 (1988),
# 477-484: the rational approximation PPND16 for the middle of the distribution, highest power first.
_NORMAL_P = (
    2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4, 4.5921953931549871457e4,
    1.3731693765509461125e4, 1.9715909503065514427e3, 1.3314166789178437745e2, 3.3871328727963666080e0,
)  # fmt: skip
_NORMAL_Q = (
    5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4, 2.1213794301586595867e4,
    5.3941960214247511077e3, 6.8718700749205790830e2, 4.2313330701600911252e1, 1.0,
)  # fmt: skip
_CACHED = 1 << 14  # numbers of which all that is computed stays in the cache
_BELOW = math.erfc(math.sqrt(2)) / 2  # the probability of a value more than 2 standard deviations below the mean


def truncated_gaussian(shape: Shape, mean: float, std: float, seed: int = 0, dtype: Any = np.float32) -> np.ndarray:
    """Return the result of truncated_gaussian_random: normal numbers within two standard deviations of the mean.

    They are the inverse distribution function of uniform numbers. Like Paddle, this uses Wichura's approximation for the
    middle up to both ends, where its error is 2e-6, in the same precision (float32 or float64).

    >>> truncated_gaussian([3], 0.0, 1.0, seed=90)
    array([-1.9654492 ,  0.37444264, -1.0850686 ], dtype=float32)
    """
    real = np.dtype(dtype).type
    out = _unit(shape, seed, real)
    flat = out.reshape(-1)
    for start in range(0, flat.size, _CACHED):
        part = flat[start : start + _CACHED]
        part[:] = _within_two(part, float(np.float32(mean)), float(np.float32(std)))
    return out


def _within_two(x: np.ndarray, mean: float, std: float) -> np.ndarray:
    """Return the normal numbers, within two standard deviations, of which x has the places in the distribution."""
    real = x.dtype.type
    x = x * real(1 - 2 * _BELOW)
    x += real(_BELOW)
    x = real(2) * x - real(1)
    square = (0.180625 - 0.25 * x.astype(np.float64) * x).astype(real)
    above = _polynomial([real(k / math.sqrt(8)) for k in _NORMAL_P], square)
    erfinv = x * above / _polynomial([real(k) for k in _NORMAL_Q], square)
    return math.sqrt(2) * erfinv.astype(np.float64) * std + mean


def _polynomial(coefficients: Sequence[Any], x: np.ndarray) -> np.ndarray:
    """Return the polynomial's value by Horner's rule, in the precision of x."""
    value = x * coefficients[0]
    for coefficient in coefficients[1:-1]:
        value += coefficient
        value *= x
    return value + coefficients[-1]


def randint(shape: Shape, low: int, high: int, seed: int = 0, dtype: Any = np.int64) -> np.ndarray:
    """Return the result of randint: uniform integers from low to high - 1.

    >>> randint([6], 0, 10, seed=3)
    array([0, 2, 8, 6, 9, 5])
    """
    if seed == 0:
        return _fresh.integers(low, high, tuple(shape), dtype=dtype)
    engine, span = _engine(seed), high - low
    if span <= _LARGEST + 1:
        width = max(_LARGEST // span, 1)
        rate, attempts = width * span / (_LARGEST + 1), partial(_narrow_integers, engine, span, width)
    else:
        highs = (span - 1) // (_LARGEST + 1) + 1
        rate, attempts = span / (highs * (_LARGEST + 1)), partial(_wide_integers, engine, span, highs)
    return (_collected(math.prod(shape), rate, attempts) + low).astype(dtype).reshape(shape)


def _narrow_integers(engine: Engine, span: int, width: int, n: int) -> np.ndarray:
    """Return integers below `span`, one draw each.

    The range of the draws is divided into `span` intervals of equal width; draws beyond them are rejected.
    """
    values = engine.draw(n)
    if width > 1:
        values //= np.uint64(width)
    return values[values < span].astype(np.int64)


def _wide_integers(engine: Engine, span: int, highs: int, n: int) -> np.ndarray:
    """Return integers below a span of more than 31 bits, two draws each: an integer below `highs`, and the low part."""
    width = _LARGEST // highs
    draws = engine.draw(2 * n)
    while (refused := np.flatnonzero(draws[::2] >= width * highs)).size:  # the next draw replaces it
        draws = np.append(np.delete(draws, 2 * refused[0]), engine.draw(1))
    values = (draws[::2] // np.uint64(width) * np.uint64(_LARGEST + 1) + draws[1::2]).astype(np.int64)
    return values[values < span]


def dropout_mask(shape: Shape, p: float, seed: int = 0) -> np.ndarray:
    """Return the Mask of dropout, uint8: 0 with probability p, else 1.

    >>> dropout_mask([8], 0.5, seed=3)
    array([0, 0, 1, 1, 1, 1, 1, 0], dtype=uint8)
    """
    p = float(np.float32(p))
    if p >= 1:
        return np.zeros(shape, np.uint8)
    if seed == 0:
        drawn = _fresh.integers(0, 2**32, tuple(shape), dtype=np.uint32)
        return (drawn >= np.uint32(math.ceil(p * 2**32))).view(np.uint8)
    drawn = Engine(seed % 2**64).unit(math.prod(shape), np.float32)  # dropout sign-extends its seed to 64 bits
    return (drawn >= np.float32(p)).view(np.uint8).reshape(shape)


def random_positions(n: int, sizes: Sequence[int], seed: int) -> tuple[np.ndarray, int]:
    """Return, for random_crop, `n` random positions in a grid of `sizes`, int64 [n, len(sizes)], and the next call's seed.

    Seed 0 has no special meaning here.

    >>> random_positions(3, [3, 4], seed=5)
    (array([[0, 1],
           [0, 1],
           [2, 3]]), 1234543511)
    """
    engine = Engine(seed % 2**64)
    draws = engine.draw(n * len(sizes) + 1)
    spans = np.array(sizes, np.uint64)
    found = draws[:-1].reshape(n, len(sizes)) // (np.uint64(_LARGEST) // spans)
    return np.minimum(found, spans - np.uint64(1)).astype(np.int64), int(draws[-1]) + 1


def sampling_id(x: np.ndarray, low: float = 0.0, high: float = 1.0, seed: int = 0) -> np.ndarray:
    """Return the result of sampling_id: an index, int64 [N], drawn for each row of probabilities [N, K].

    It is the interval of the cumulative sums that contains a uniform number.

    >>> import numpy as np
    >>> sampling_id(np.full((4, 2), 0.5), seed=3)
    array([0, 1, 1, 0])
    """
    drawn = uniform([x.shape[0]], low, high, seed, x.dtype)
    return (np.cumsum(x, axis=1, dtype=x.dtype)[:, :-1] <= drawn[:, None]).sum(axis=1, dtype=np.int64)


def bernoulli(p: np.ndarray, seed: int = 0) -> np.ndarray:
    """Return the result of bernoulli: 1 with the probabilities p, else 0, in p's dtype.

    >>> import numpy as np
    >>> bernoulli(np.array([0.0, 1.0], "float32"), seed=3)
    array([0., 1.], dtype=float32)
    """
    return (uniform(list(p.shape), 0.0, 1.0, seed, p.dtype) < p).astype(p.dtype)


def multinomial(weights: np.ndarray, count: int, replacement: bool, seed: int = 0) -> np.ndarray:
    """Return the result of multinomial: `count` indices, int64 [N, count], drawn for each row of weights [N, K].

    Without replacement, the indices with the largest log(weight) - log(-log(u)) are taken, u uniform (the Gumbel-max trick;
    Kool et al., "Stochastic beams and where to find them", 2019).

    >>> import numpy as np
    >>> sorted(multinomial(np.array([[1.0, 0.0, 2.0]]), 2, False, seed=3)[0].tolist())
    [0, 2]
    """
    rows, kinds = weights.shape
    if replacement:
        sums = np.cumsum(weights, axis=1, dtype=np.float64)
        drawn = uniform([rows, count], 0.0, 1.0, seed, np.dtype("float64")) * sums[:, -1:]
        found = (sums[:, None, :] <= drawn[:, :, None]).sum(axis=2)
        last = (
            kinds - 1 - np.argmax(weights[:, ::-1] > 0, axis=1)
        )  # rounding may go beyond the last index with a weight
        return np.minimum(found, last[:, None]).astype(np.int64)
    drawn = np.maximum(uniform([rows, kinds], 0.0, 1.0, seed, np.dtype("float64")), np.finfo(np.float64).tiny)
    with np.errstate(divide="ignore"):
        keys = np.log(weights) - np.log(-np.log(drawn))
    return np.argsort(-keys, axis=1, kind="stable")[:, :count].astype(np.int64)


def permutation(n: int, seed: int = 0, dtype: Any = np.int64) -> np.ndarray:
    """Return the result of randperm: a random permutation of the integers below `n`.

    Paddle shuffles with the C library's rand(), here glibc's: each element is swapped with one at or before it.

    >>> permutation(8, seed=90)
    array([4, 5, 3, 2, 0, 7, 6, 1])
    """
    if seed == 0:
        return _fresh.permutation(n).astype(dtype)
    order = list(range(n))
    for i, drawn in zip(range(1, n), _c_rand(seed)):
        j = drawn % (i + 1)
        order[i], order[j] = order[j], order[i]
    return np.array(order, dtype)


def _c_rand(seed: int) -> Iterator[int]:
    """Yield the numbers of glibc's rand() after srand(seed).

    It is an additive feedback generator with the lags 3 and 31, which discards its first 310 numbers.
    """
    first = (seed + 2**31) % 2**32 - 2**31 or 1
    ring = [first % 2**32]
    while len(ring) < 31:
        first = 16807 * first % _MODULUS
        ring.append(first)
    for step in count(3):
        at = step % 31
        ring[at] = (ring[at] + ring[at - 3]) % 2**32
        if step >= 313:
            yield ring[at] >> 1
