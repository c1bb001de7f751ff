"""Draw Programs and run each in every way: `python -m tests.programs.drawn --programs 300 --seed 1`."""

from __future__ import annotations

import argparse
import collections
import json
import sys
import time
import traceback
import warnings

from . import oracle, oracle_training
from .builder import NoFit
from .running import tried
from .shrink import shrunk
from .training import STEPS, drawn_training
from .trial import Trial, drawn_trial


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.programs.drawn", description=__doc__)
    parser.add_argument("--programs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dtype", choices=("float32", "float64", "float16"))
    parser.add_argument("--training", action="store_true", help="Programs that are trained for some steps")
    parser.add_argument("--only", type=int, help="the Program of this seed alone")
    parser.add_argument("--plan", help="run this plan alone, as printed by a failure")
    parser.add_argument("--oracle", help="a Python that has PaddlePaddle 1.8.5: compare with it instead")
    parser.add_argument("--whole", action="store_true", help="do not shrink what fails")
    given = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    draw = drawn_training if given.training else drawn_trial
    if given.plan:
        plan, dtype, seed = json.loads(given.plan)
        trial = Trial(plan, dtype, seed, STEPS, True) if given.training else Trial(plan, dtype, seed)
        return show(trial, given.whole)
    if given.only is not None:
        return show(draw(given.only, given.dtype), given.whole)
    if given.oracle:
        compared = oracle_training.compared if given.training else oracle.compared
        return int(compared(given.seed * 100_000, given.programs, given.oracle, given.dtype) > 0)
    kinds: dict[str, collections.Counter] = {"tried": collections.Counter(), "failed": collections.Counter()}
    tally: collections.Counter = collections.Counter()
    start, failed = time.monotonic(), 0
    for seed in range(given.seed * 100_000, given.seed * 100_000 + given.programs):
        trial = draw(seed, given.dtype)
        try:
            outcome = tried(trial)
        except NoFit:
            continue
        except Exception:  # as it is built
            failed += 1
            print(f"seed {seed}: {trial.dtype}", traceback.format_exc(limit=-4))
            continue
        tally += outcome.tally
        kinds["tried"].update(set(outcome.kinds))
        if outcome.differences:
            failed += 1
            kinds["failed"].update(set(outcome.kinds))
            print(f"seed {seed}:")
            show(trial, given.whole)
    summary(kinds, tally)
    print(f"{given.programs} programs tried, {failed} failed, {time.monotonic() - start:.0f} s")
    return int(failed > 0)


def show(trial: Trial, whole: bool) -> int:
    """Print the smallest trial that fails as this one does; the trial itself if it does not fail."""
    small = trial if whole or not tried(trial).differences else shrunk(trial)
    outcome = tried(small)
    print(outcome.listing)
    for difference in outcome.differences[:6]:
        print("  ", difference.way, tuple(difference.feed), difference.name, difference.text)
    print("   --plan", repr(json.dumps([small.plan, small.dtype, small.seed])), flush=True)
    return int(bool(outcome.differences))


def summary(kinds: dict[str, collections.Counter], tally: collections.Counter) -> None:
    for name in sorted(kinds["tried"]):
        print(f"{name:<20}{kinds['tried'][name]:>7}{kinds['failed'][name]:>7}")
    for way in sorted({way for way, _ in tally}):
        facts = {fact: n for (w, fact), n in tally.items() if w == way}
        print(f"{way:<20}", ", ".join(f"{n} {fact}" for fact, n in facts.items()))


if __name__ == "__main__":
    sys.exit(main())
