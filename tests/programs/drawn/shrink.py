"""The smallest part of a plan that still fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .builder import NoFit, Step
from .running import tried
from .trial import Trial


def shrunk(trial: Trial) -> Trial:
    """Leave out what is not needed for the first way that differs to differ."""
    first = tried(trial).differences[0]
    ways = [first.way]
    small = trial
    for shape in trial.feeds:
        alone = trial._replace(feeds=[shape])
        if _fails(alone, ways):
            small = alone
            break
    again = True
    while again:
        again = False
        for plan in _smaller(small.plan):
            candidate = small._replace(plan=plan)
            if _fails(candidate, ways):
                small, again = candidate, True
                break
    return small


def _fails(trial: Trial, ways: Sequence[str]) -> bool:
    try:
        return bool(tried(trial, ways).differences)
    except NoFit:
        return False


def _smaller(plan: Sequence[Step]) -> Iterator[list[Step]]:
    """Plans with a step less, from the end; then with a step less inside of one."""
    for k in reversed(range(len(plan))):
        yield [*plan[:k], *plan[k + 1 :]]
    for k, (kind, numbers, inner) in enumerate(plan):
        for b, block in enumerate(inner):
            for less in _smaller(block):
                blocks = [*inner[:b], tuple(less), *inner[b + 1 :]]
                yield [*plan[:k], (kind, numbers, tuple(blocks)), *plan[k + 1 :]]
