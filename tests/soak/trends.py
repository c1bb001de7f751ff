"""Whether a series of measurements grows: the rule by which the long run fails."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

WARM_UP = 0.25
"""The part of the run at whose end the judged part begins: caches fill until then."""
CERTAIN = 1e-3
"""The largest probability that such an order comes about by chance."""
RULE = (
    f"A trend is significant if, without the first {WARM_UP:.0%} of the time, it is both certain (Mann-Kendall test, corrected for "
    f"autocorrelation, p < {CERTAIN:g}, one-sided) and large (Theil-Sen slope times duration above the limit of the row)."
)


class Limit(NamedTuple):
    """How much a series may grow over the judged part: an amount, and a part of its median; the larger one counts."""

    amount: float
    part: float = 0.0


class Verdict(NamedTuple):
    """What was found of one series. first, last: medians of the first and the last quarter of the judged part."""

    first: float
    last: float
    growth: float
    limit: float
    chance: float

    @property
    def failed(self) -> bool:
        """Whether the trend is significant."""
        return self.chance < CERTAIN and self.growth > self.limit


def judged(times: np.ndarray, values: np.ndarray, limit: Limit) -> Verdict:
    """Judge one series.

    Arguments:
        times: seconds since the start, [n].
        values: the measurements, [n].
        limit: how much they may grow.
    """
    keep = times >= times[0] + WARM_UP * (times[-1] - times[0])
    times, values = thinned(times[keep], values[keep])
    quarter = max(1, len(values) // 4)
    middle = float(np.median(values))
    growth = slope(times, values) * (times[-1] - times[0])
    allowed = max(limit.amount, limit.part * abs(middle))
    first, last = float(np.median(values[:quarter])), float(np.median(values[-quarter:]))
    return Verdict(first, last, growth, allowed, chance(values))


def thinned(times: np.ndarray, values: np.ndarray, most: int = 400) -> tuple[np.ndarray, np.ndarray]:
    """Return medians of neighbours, so that at most about `most` are left."""
    step = -(-len(values) // most)
    if step == 1:
        return times, values
    count = len(values) // step * step
    return np.median(times[:count].reshape(-1, step), axis=1), np.median(values[:count].reshape(-1, step), axis=1)


def _differences(values: np.ndarray) -> np.ndarray:
    """Return later minus earlier, for each pair."""
    later, earlier = np.triu_indices(len(values), 1)[::-1]
    found: np.ndarray = values[later] - values[earlier]
    return found


def slope(times: np.ndarray, values: np.ndarray) -> float:
    """Return the median of the slopes between all pairs: P. K. Sen, "Estimates of the regression coefficient based on
    Kendall's tau", 1968."""
    if len(values) < 2:
        return 0.0
    return float(np.median(_differences(values) / _differences(times)))


def chance(values: np.ndarray) -> float:
    """Return the probability that numbers without a trend come in such a rising order.

    H. B. Mann, "Nonparametric tests against trend", 1945. Neighbours that resemble each other, as of memory, make the variance
    larger by (1 + r) / (1 - r), with r the correlation of neighbours in what is left without the trend.
    """
    n = len(values)
    if n < 8:
        return 1.0
    s = float(np.sign(_differences(values)).sum())
    ties = np.unique(values, return_counts=True)[1]
    variance = (n * (n - 1) * (2 * n + 5) - (ties * (ties - 1) * (2 * ties + 5)).sum()) / 18
    left = values - slope(np.arange(n, dtype=float), values) * np.arange(n)
    left = left - left.mean()
    total = float((left * left).sum())
    exact = total <= 1e-12 * float(np.square(values - values.mean()).sum())  # a line: rounding is left
    alike = 0.0 if exact else float((left[1:] * left[:-1]).sum()) / total
    alike = min(max(alike, 0.0), 0.95)
    variance *= (1 + alike) / (1 - alike)
    return 1.0 if s <= 0 or variance <= 0 else 0.5 * math.erfc((s - 1) / math.sqrt(2 * variance))
