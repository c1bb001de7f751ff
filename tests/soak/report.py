"""The table and the picture of a long run."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from .measure import MEASURED, SLOWER
from .trends import RULE, WARM_UP, Limit, Verdict, judged


class Series:
    """All measurements of a run: times in seconds, and by name what was measured then. Of a kind of work: the
    processor time of a round of all its models, in times that of the yardstick."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.values: dict[str, list[float]] = {}

    def add(self, time: float, values: dict[str, float]) -> None:
        """Add what was measured at a time."""
        self.times.append(time)
        for name, value in values.items():
            self.values.setdefault(name, []).append(value)

    def verdicts(self) -> dict[str, Verdict]:
        """Return what is found of each."""
        times = np.array(self.times)
        return {name: judged(times, np.array(found), limit_of(name)) for name, found in self.values.items()}


def limit_of(name: str) -> Limit:
    """Return how much what is measured may grow."""
    return MEASURED.get(name, SLOWER)


def table(verdicts: dict[str, Verdict]) -> str:
    """Return the verdicts as a table."""
    lines = [f"{'':34}{'begin':>10}{'end':>10}{'growth':>10}{'limit':>10}{'chance':>10}"]
    for name, v in verdicts.items():
        shown = name if name in MEASURED else f"{name}: time / yardstick"
        numbers = "".join(f"{each:10.2f}" for each in (v.first, v.last, v.growth, v.limit))
        lines.append(f"{shown:34}{numbers}{v.chance:10.1e}{'  GROWS' if v.failed else ''}")
    return "\n".join([*lines, RULE])


def draw(series: Series, path: Path, title: str) -> None:
    """Draw each series, the judged part darker, into an SVG or PNG file."""
    from matplotlib.figure import Figure

    names = list(series.values)
    figure = Figure(figsize=(12, 2.2 * -(-len(names) // 3)), layout="constrained")
    figure.suptitle(title)
    hours = series.times[-1] > 7200
    times = np.array(series.times) / (3600 if hours else 60)
    begin = times[0] + WARM_UP * (times[-1] - times[0])
    for place, name in enumerate(names):
        axes = figure.add_subplot(-(-len(names) // 3), 3, place + 1)
        axes.plot(times, series.values[name], linewidth=0.8)
        axes.axvspan(times[0], begin, color="0.92")
        axes.set_title(name if name in MEASURED else f"{name}: time / yardstick", fontsize=9)
        axes.set_ylim(0, 1.15 * max(*series.values[name], 1e-9))
        axes.set_xlabel("hours" if hours else "minutes", fontsize=8)
        axes.tick_params(labelsize=7)
    partial = path.with_name(f".{path.name}")
    figure.savefig(partial, format=path.suffix[1:])
    os.replace(partial, path)
