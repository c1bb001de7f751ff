"""Train, load, save and kill for half an hour or a day, and see that nothing grows: `python -m tests.soak --minutes 30`.

It ends with 0 if every round had the results of its first time, every kill left a whole model, and no trend is significant; else
with 1 and the reasons. The folder of `--out` holds soak.txt, renewed every minute, and in the end soak.svg and soak.png.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import numpy as np

import paddle_lite.fluid as fluid

from .measure import measured, supported
from .report import Series, draw, table
from .work import VARIANTS, Killed, kinds, same, yardstick_of

RENEWED = 60.0  # seconds between two reports


def _seconds(work: Callable[[], None]) -> float:
    """Return the processor time that work takes."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


class Soak:
    """A long run: cycles of some rounds of each kind of work and a kill, and a measurement after each.

    Arguments:
        work: functions of the number of a model, by name; they return numbers, the same each time.
        kill: kills a process that saves.
        repeats: the number of rounds of each kind and model in a cycle.
    """

    def __init__(self, work: Mapping[str, Callable[[int], list[np.ndarray]]], kill: Killed, repeats: int = 2) -> None:
        self.work, self.kill, self.repeats = work, kill, repeats
        self.series = Series()
        self.first: dict[tuple[str, int], list[np.ndarray]] = {}
        self.rounds = 0
        self.different: list[str] = []
        self.start = time.monotonic()

    def cycle(self) -> None:
        """Run all kinds of work, kill a saver, and measure."""
        number, spent = len(self.series.times), {}
        for name, work in self.work.items():
            before = _seconds(yardstick_of(name))
            seconds = [
                _seconds(partial(self._round, number, name, work, model))
                for _ in range(self.repeats)
                for model in range(VARIANTS)
            ]
            unit = (before + _seconds(yardstick_of(name))) / 2  # the load of the machine changes within a cycle
            spent[name] = sum(seconds) / self.repeats / unit
        self.kill()
        self.series.add(time.monotonic() - self.start, {**measured(), **spent})

    def _round(self, cycle: int, name: str, work: Callable[[int], list[np.ndarray]], model: int) -> None:
        found = work(model)
        self.rounds += 1
        if not same(self.first.setdefault((name, model), found), found):
            self.different.append(f"{name}, model {model}, cycle {cycle}: other results than in the first round")

    def failures(self) -> list[str]:
        """Return why the run fails; [] if it does not."""
        grown = [
            f"{name} grows by {v.growth:.2f}, more than {v.limit:.2f} (chance {v.chance:.1e})"
            for name, v in self.series.verdicts().items()
            if v.failed
        ]
        kill = self.kill
        torn = [f"{kill.torn} of {kill.kills} killed savers left a model of two saves"] if kill.torn else []
        return [*self.different, *torn, *grown]

    def report(self, folder: Path, pictures: bool = True) -> str:
        """Write the table and the pictures, and return the table."""
        minutes = (time.monotonic() - self.start) / 60
        title = f"{minutes:.1f} minutes, {len(self.series.times)} cycles, {self.rounds} rounds, {self.kill.kills} kills"
        text = "\n".join([title, table(self.series.verdicts()), *(f"FAILED: {why}" for why in self.failures())])
        for kind in ("svg", "png") if pictures else ():  # at the end, as matplotlib takes memory, too
            draw(self.series, folder / f"soak.{kind}", title)
        (folder / "soak.txt").write_text(text + "\n", encoding="utf8")
        return text


def main(arguments: list[str] | None = None) -> int:
    """Run for a time; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0, help="how long (30)")
    parser.add_argument("--hours", type=float, help="how long, in hours; 24 for a day")
    parser.add_argument("--seed", type=int, default=1, help="of the moments of the kills")
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "paddle_lite_soak", help="the folder")
    given = parser.parse_args(arguments)
    if not supported():
        print("soak: needs Linux, whose /proc tells memory, files and threads of a process", file=sys.stderr)
        return 2
    given.out.mkdir(parents=True, exist_ok=True)
    fluid.set_flags({"FLAGS_plan_warm_up": 2})  # fused kernels, too
    seconds = 3600 * given.hours if given.hours is not None else 60 * given.minutes
    soak, reported = Soak(kinds(), Killed(given.seed)), time.monotonic()
    print(f"soak: {seconds / 60:.0f} minutes; {given.out}/soak.svg and soak.txt follow", flush=True)
    while not soak.rounds or time.monotonic() - soak.start < seconds:
        soak.cycle()
        if time.monotonic() - reported > RENEWED:
            soak.report(given.out, pictures=False)
            reported = time.monotonic()
    print(soak.report(given.out))
    return 1 if soak.failures() else 0


if __name__ == "__main__":
    sys.exit(main())
