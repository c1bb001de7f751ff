"""How far two runs of one Program may differ: as far as roundings of each of its values move the results.

A run is repeated while each value, and each input, is multiplied by numbers within `ULPS` units in the last place of 1, which
multiplies the gradients that go back through it as well. Two ways to compute a step differ by a few such units, relative to
the result or, in sums, to the terms, which are values before. So what those repetitions spread, times `SPREAD`, bounds the
difference. An element that is finite in one and infinite or NaN in another repetition is undecided, and not compared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from paddle_lite import fluid

ULPS = 4
SPREAD = 16
REPETITIONS = 3
MORE_REPETITIONS = 24  # of some numbers in a million, three repetitions happen to move one of them by next to nothing


def shaken(rng: np.random.Generator, eps: float = 0.0) -> Callable[[Any], Any]:
    """A hook that multiplies floating values by numbers near 1. eps: the unit in the last place, at least."""

    def hook(value: Any) -> Any:
        array = getattr(value, "array", None)
        if not isinstance(array, np.ndarray) or array.dtype.kind != "f" or array.size == 0:
            return value
        near = 1 + rng.uniform(-1, 1, array.shape) * ULPS * max(eps, np.finfo(array.dtype).eps)
        if rng.random() < 0.25:  # all of them alike
            near[...] = near.flat[0]
        factor = fluid.dygraph.to_variable(near.astype(array.dtype))
        return fluid.layers.elementwise_mul(value, factor)

    return hook


class Bound(NamedTuple):
    """allowed: the largest difference of each element; compared: which elements are compared."""

    allowed: np.ndarray
    compared: np.ndarray


def bound(expected: np.ndarray, others: Sequence[np.ndarray]) -> Bound:
    """The bound of an array from its repetitions."""
    with np.errstate(all="ignore"):
        if expected.dtype.kind != "f":
            alike = np.ones(expected.shape, bool)
            for other in others:
                alike &= other == expected
            return Bound(np.zeros(expected.shape), alike)
        wide = expected.astype("float64")
        info = np.finfo(expected.dtype)
        spread = np.zeros(expected.shape)
        decided = np.abs(wide) < info.max / 4
        decided |= ~np.isfinite(wide)
        for other in others:
            alike = _class(other) == _class(expected)
            decided &= alike
            spread = np.maximum(spread, np.where(alike & np.isfinite(wide), np.abs(other - wide), 0))
        own = ULPS * float(info.eps) * np.abs(np.where(np.isfinite(wide), wide, 0))
        return Bound(SPREAD * spread + own + float(info.tiny), decided)


def _class(array: np.ndarray) -> np.ndarray:
    """0 finite, 1 and -1 infinite, 2 NaN."""
    return np.where(np.isnan(array), 2, np.where(np.isinf(array), np.sign(np.nan_to_num(array, nan=0.0)), 0))


def complaint(got: np.ndarray, expected: np.ndarray, within: Bound) -> str:
    """What is wrong with an array; "" if nothing."""
    if (got.shape, got.dtype) != (expected.shape, expected.dtype):
        return f"{got.dtype}{list(got.shape)} instead of {expected.dtype}{list(expected.shape)}"
    with np.errstate(all="ignore"):
        if expected.dtype.kind != "f":
            wrong = (got != expected) & within.compared
        else:
            far = np.abs(got.astype("float64") - expected) > within.allowed
            far &= np.isfinite(expected) & np.isfinite(got)
            wrong = (far | (_class(got) != _class(expected))) & within.compared
    if not wrong.any():
        return ""
    at = tuple(int(k[0]) for k in np.nonzero(wrong))
    allowed = "" if expected.dtype.kind != "f" else f", {within.allowed[at]:.2g} allowed"
    return f"{int(wrong.sum())} of {wrong.size} differ, at {list(at)} {got[at]!r} instead of {expected[at]!r}{allowed}"


def same_bits(got: np.ndarray, expected: np.ndarray) -> bool:
    """Whether arrays are the same, NaN where NaN is and the signs of zeros too."""
    if (got.shape, got.dtype) != (expected.shape, expected.dtype):
        return False
    if expected.dtype.kind != "f":
        return bool(np.array_equal(got, expected))
    alike = (got == expected) & (np.signbit(got) == np.signbit(expected))
    return bool((alike | (np.isnan(got) & np.isnan(expected))).all())
