"""Judges what a program did here by what it did on PaddlePaddle 1.8.5."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .catalog import Program
from .outputs import numbers_in
from .run import Outcome

__all__ = ["DIFFERS", "FAILS", "INVALID", "UNSTEADY", "WORKS", "Verdict", "distance", "judge", "judge_ours"]

WORKS, DIFFERS, FAILS = "works", "differs", "does not run"
INVALID = "1.8.5 cannot run it"


@dataclass(frozen=True)
class Verdict:
    """A word, and what stands behind it."""

    word: str
    detail: str


UNSTEADY = Verdict(WORKS, "ends as it should; its numbers change from run to run, on 1.8.5, too")


def judge(program: Program, fluid: Outcome, ours: Outcome) -> Verdict:
    """Compare exit status and numbers of both sides.

    Args:
        program: says which numbers, and how near they must be.
        fluid: what it did on PaddlePaddle 1.8.5.
        ours: what it did here.
    """
    if fluid.status:
        return Verdict(INVALID, fluid.last_line)
    expected = numbers_in(fluid.output, program.numbers)
    for pattern, theirs in zip(program.numbers, expected):
        if not theirs:
            return Verdict(INVALID, f"its output has nothing that matches {pattern}")
    return judge_ours(program, expected, ours)


def judge_ours(program: Program, expected: list[list[float]] | None, ours: Outcome) -> Verdict:
    """Compare what a program did here with the numbers of PaddlePaddle 1.8.5.

    Args:
        program: says how near they must be.
        expected: the numbers that each of its expressions found on 1.8.5; None if they change from run to run.
        ours: what it did here.
    """
    if ours.status:
        return Verdict(FAILS, program.reason or ours.last_line)
    if expected is None:
        return UNSTEADY
    found = numbers_in(ours.output, program.numbers)
    if program.enough:  # where each side was stopped is a matter of chance
        counts = [min(len(theirs), len(mine)) for theirs, mine in zip(expected, found)]
        expected, found = ([each[:count] for each, count in zip(side, counts)] for side in (expected, found))
    for pattern, theirs, mine in zip(program.numbers, expected, found):
        if len(theirs) != len(mine):
            return Verdict(DIFFERS, f"{len(mine)} numbers match `{pattern}`, {len(theirs)} on 1.8.5")
    pairs = [pair for theirs, mine in zip(expected, found) for pair in zip(theirs, mine)]
    if not pairs:
        return Verdict(WORKS, "ends as it should")
    wrong = [(a, b) for a, b in pairs if not _close(a, b, program)]
    if wrong:
        a, b = wrong[0]
        return Verdict(
            DIFFERS, program.reason or f"{len(wrong)} of {len(pairs)} numbers; the first is {b:g}, {a:g} on 1.8.5"
        )
    off = _farthest(pairs, program)
    return Verdict(WORKS, f"{len(pairs)} numbers, {off:.0e} off at most" if off else f"{len(pairs)} numbers, all equal")


def distance(program: Program, first: Outcome, second: Outcome) -> float:
    """Return how far apart the numbers of two runs are at most, as the tolerances of the program measure it."""
    found = (numbers_in(outcome.output, program.numbers) for outcome in (first, second))
    return _farthest([pair for theirs, mine in zip(*found) for pair in zip(theirs, mine)], program)


def _farthest(pairs: list[tuple[float, float]], program: Program) -> float:
    off = (abs(a - b) / max(abs(a), program.atol / program.rtol) for a, b in pairs if math.isfinite(a))
    return max(off, default=0.0)


def _close(a: float, b: float, program: Program) -> bool:
    if not (math.isfinite(a) and math.isfinite(b)):
        return str(a) == str(b)
    return abs(a - b) <= program.atol + program.rtol * abs(a)
