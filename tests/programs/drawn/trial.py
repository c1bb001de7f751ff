"""One drawn Program, run in every way: what differs."""

from __future__ import annotations

import collections
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from paddle_lite.core import unique_name
from paddle_lite.core.errors import EnforceNotMet
from paddle_lite.static import Program, Scope, program_guard, scope_guard

from . import bounds, ways
from .builder import NESTED, Drawn, NoFit, Step, built, draw_plan
from .feeds import FEEDS, Shape, feed
from .kinds import KINDS, NAMES

DTYPES = ("float32", "float32", "float32", "float64", "float16")


class Trial(NamedTuple):
    """What makes a drawn Program."""

    plan: Sequence[Step]
    dtype: str
    seed: int
    feeds: Sequence[Shape] = FEEDS
    trains: bool = False


class Difference(NamedTuple):
    way: str
    feed: Shape
    name: str
    text: str


class Outcome(NamedTuple):
    """differences: what is wrong. tally: what was compared, by way. kinds: the steps that found values."""

    differences: list[Difference]
    tally: collections.Counter
    kinds: list[str]
    listing: str


def drawn_trial(seed: int, dtype: str | None = None, without: Sequence[str] = ()) -> Trial:
    rng = random.Random(seed)
    return Trial(draw_plan(rng, [n for n in NAMES if n not in without]), dtype or rng.choice(DTYPES), seed)


@contextmanager
def program_of(trial: Trial) -> Iterator[Drawn]:
    """Build the Program of a trial."""
    with unique_name.guard(), program_guard(Program(), Program()), scope_guard(Scope()):
        yield built(trial.plan, trial.dtype, KINDS, random.Random(trial.seed))


def tried(trial: Trial, only: Sequence[str] = ()) -> Outcome:
    """Run a trial in every way. only: these ways. What differs is judged again by bounds of more repetitions."""
    with np.errstate(all="ignore"), program_of(trial) as drawn:
        outcome = Comparison(drawn, trial).outcome(only)
        return Comparison(drawn, trial, bounds.MORE_REPETITIONS).outcome(only) if outcome.differences else outcome


class Comparison:
    """What runs of a drawn Program give, beside what imperative mode gives."""

    def __init__(self, drawn: Drawn, trial: Trial, repetitions: int = bounds.REPETITIONS) -> None:
        self.drawn = drawn
        self.repetitions = repetitions
        self.whole = not set(NESTED) & set(drawn.kinds)
        self.shapes = trial.feeds
        self.feeds = [feed(drawn.inputs, shape) for shape in trial.feeds]
        self.right = [ways.imperatively(drawn, each) for each in self.feeds]
        self.limits = [self._limits(each, expected) for each, expected in zip(self.feeds, self.right, strict=True)]
        self.differences: list[Difference] = []
        self.tally: collections.Counter = collections.Counter()

    def outcome(self, only: Sequence[str]) -> Outcome:
        """Run the other ways, or only these."""
        drawn, feeds = self.drawn, self.feeds
        problems = drawn.program.lint()
        if problems:
            self.differences.append(Difference("lint", self.shapes[0], "", str(problems)[:200]))
        again = ways.reloaded(drawn.program)
        each_way = {
            "unfused": lambda: ways.executed(drawn, feeds, "none", True),
            "declared": lambda: [ways.declared(drawn, each) for each in feeds],
            "fused": lambda: ways.executed(drawn, feeds, "all", False),
            "reloaded": lambda: ways.executed(drawn, feeds, "none", True, again),
            "reloaded and fused": lambda: ways.executed(drawn, feeds, "all", False, again),
        }
        for way, run in each_way.items():
            if not only or way in only:
                self.against(way, run())
        return Outcome(self.differences, self.tally, drawn.kinds, drawn.listing())

    def against(self, way: str, results: Sequence[Any]) -> None:
        """Compare the results of each feed; None: there is nothing to compare."""
        for shape, got, expected, limits in zip(self.shapes, results, self.right, self.limits, strict=True):
            if isinstance(got, Exception) or isinstance(expected, Exception):
                self._compare_errors(way, shape, got, expected)
            elif got is not None:
                self._compare(way, shape, got, expected, limits)

    def _limits(self, feeds: Any, expected: Any) -> dict[str, bounds.Bound]:
        if isinstance(expected, Exception):
            return {}
        others = []
        for k in range(self.repetitions):
            other = ways.imperatively(self.drawn, feeds, bounds.shaken(np.random.default_rng(k)))
            if isinstance(other, Exception):
                raise other
            others.append(other)
        limits = {}
        for name, (array, _) in expected.items():
            nothing = np.zeros_like(array), []  # the gradient of an input of a branch that a repetition does not take
            found = [other.get(name, nothing)[0] for other in others]
            limits[name] = bounds.bound(array, [each for each in found if each.shape == array.shape])
        return limits

    def _compare_errors(self, way: str, shape: Shape, got: Any, expected: Any) -> None:
        """A Plan leaves out what nobody asks for, and then does not refuse it; no error may be one from further down."""
        self.tally[way, "errors"] += 1
        failed, other = isinstance(got, Exception), isinstance(expected, Exception)
        raw = any(isinstance(e, Exception) and not isinstance(e, EnforceNotMet) for e in (got, expected))
        everything = self.whole and way in ("unfused", "reloaded")
        if raw or (failed and not other) or (other and not failed and everything):
            text = f"{_told(got)}; imperative mode: {_told(expected)}"
            self.differences.append(Difference(way, shape, "", text))

    def _compare(self, way: str, shape: Shape, got: Any, expected: Any, limits: dict[str, bounds.Bound]) -> None:
        def differs(name: str, text: str) -> None:
            self.differences.append(Difference(way, shape, name, text))

        for name, (array, lod) in got.items():
            gradient = name.endswith("@GRAD")
            if name not in expected:
                if array.any():  # else zeros, of a branch that was not taken
                    differs(name, "imperative mode has none")
                continue
            right, right_lod = expected[name]
            if lod != right_lod and not gradient:
                differs(name, f"LoD {lod} instead of {right_lod}")
            text = bounds.complaint(array, right, limits[name])
            if text:
                differs(name, text)
            self.tally[way, "arrays"] += 1
            self.tally[way, "bits"] += bounds.same_bits(array, right)
            self.tally[way, "elements"] += right.size
            self.tally[way, "undecided"] += int((~limits[name].compared).sum())
        for name in expected:
            if name.endswith("@GRAD") and name not in got and way != "PaddlePaddle 1.8.5":
                differs(name, "missing; imperative mode has one")


def _told(result: Any) -> str:
    return (
        f"{type(result).__name__}: {(str(result).splitlines() or [''])[0][:160]}"
        if isinstance(result, Exception)
        else "no error"
    )


__all__ = ["Difference", "NoFit", "Outcome", "Trial", "drawn_trial", "program_of", "tried"]
