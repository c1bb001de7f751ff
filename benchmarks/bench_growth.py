"""How costs grow: `python -m benchmarks.bench_growth [SUBJECT ...] [--most N] [--plot FILE]`.

It measures each subject for several sizes on the processor's clock, and fits the exponent of each phase: 1 where the cost is
in proportion to the size. Times below a thousandth of a second are left out of the fit, for constants hide there how they grow.
"""

from __future__ import annotations

import argparse
import gc
import math
import os
import sys
from typing import NamedTuple

from .report import save_svg

TOLERANCE = 0.25
"""How much an exponent may exceed that of the work: caches of the processor overflow, garbage is collected, and clocks are noisy."""

LEAST = 1e-3
LAST = 3
"""The largest sizes, whose times the exponent is fitted to."""


class Row(NamedTuple):
    """The seconds of one phase of a subject, by size."""

    subject: str
    of: str
    phase: str
    work: float
    seconds: dict[int, float]

    @property
    def exponent(self) -> float:
        """The slope of the logarithm of the time over that of the size; NaN where the times are too short to tell."""
        return exponent({n: s for n, s in self.seconds.items() if s >= LEAST})


def exponent(seconds: dict[int, float]) -> float:
    """Return the slope of log(seconds) over log(size) for the largest sizes; NaN for less than two.

    >>> round(exponent({10: 0.02, 100: 0.2, 1000: 2.0}), 6)
    1.0
    """
    points = [(math.log(n), math.log(seconds[n])) for n in sorted(seconds)[-LAST:]]
    if len(points) < 2:
        return math.nan
    x, y = (sum(values) / len(points) for values in zip(*points))
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)


def measured(names: list[str], most: int) -> list[Row]:
    """Measure subjects for sizes up to `most`."""
    from benchmarks.growth import networks, programs  # noqa: F401 - they fill SUBJECTS
    from benchmarks.growth.subject import SUBJECTS, Phases

    rows: list[Row] = []
    for name in names or SUBJECTS:
        subject, found = SUBJECTS[name], {}
        subject.run(subject.sizes[0], Phases())  # what is done once in a process
        for size in (n for n in subject.sizes if n <= most):
            gc.collect()
            gc.freeze()  # what earlier sizes left is not looked at again
            phases = Phases()
            subject.run(size, phases)
            for phase, seconds in phases.seconds.items():
                found.setdefault(phase, {})[size] = seconds
            print(f"  {name} {size:,}", file=sys.stderr)
        rows += [Row(subject.name, subject.of, p, subject.work.get(p, 1.0), s) for p, s in found.items()]
    return rows


def table(rows: list[Row]) -> str:
    """Return the Markdown table of exponents."""
    lines = [
        "| subject | phase | largest size | time | exponent | exponent of the work |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        size, seconds = max(row.seconds.items())
        each = "too short" if math.isnan(row.exponent) else f"{row.exponent:.2f}"
        time = f"{seconds * 1e3:,.1f} ms" if seconds < 10 else f"{seconds:,.1f} s"
        lines.append(f"| {row.subject} | {row.phase} | {size:,} {row.of} | {time} | {each} | {row.work:g} |")
    return "\n".join(lines)


def plot(rows: list[Row], path: str) -> None:
    """Draw seconds over sizes, a panel for each subject."""
    from matplotlib import pyplot

    names = list(dict.fromkeys(row.subject for row in rows))
    columns = min(3, len(names))
    size = (4.2 * columns, 3.0 * math.ceil(len(names) / columns))
    figure, axes = pyplot.subplots(math.ceil(len(names) / columns), columns, figsize=size, squeeze=False)
    for ax, name in zip(axes.flat, names):
        for row in (row for row in rows if row.subject == name):
            ax.loglog(list(row.seconds), [max(s, 1e-6) for s in row.seconds.values()], marker=".", label=row.phase)
        ax.set_title(name, fontsize=9)
        ax.set_xlabel(next(row.of for row in rows if row.subject == name), fontsize=8)
        ax.set_ylabel("seconds", fontsize=8)
        ax.tick_params(labelsize=7)
        ax.minorticks_off()
        ax.legend(fontsize=6)
    for ax in list(axes.flat)[len(names) :]:
        ax.axis("off")
    figure.tight_layout()
    save_svg(figure, path)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bench_growth", description="Fit how costs grow.")
    parser.add_argument("subjects", nargs="*", help="names of functions in benchmarks/growth; all by default")
    parser.add_argument("--most", type=int, default=10_000_000, help="the largest size")
    parser.add_argument("--plot", metavar="FILE", help="draw the times (needs matplotlib)")
    options = parser.parse_args()
    os.environ.setdefault("FLAGS_plan_warm_up", "0")
    rows = measured(options.subjects, options.most)
    print(table(rows))
    if options.plot:
        plot(rows, options.plot)
    worse = [f"{row.subject}, {row.phase}: {row.exponent:.2f}" for row in rows if row.exponent > row.work + TOLERANCE]
    if worse:
        print(f"\ngrows faster than the work: {'; '.join(worse)}")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
