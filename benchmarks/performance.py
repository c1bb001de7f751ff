"""The page of whole programs: docs/performance.md, a plot for each row, and what limits each."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Any

from .case import ROOT
from .compare import Result
from .report import TITLES, mebibytes, save_svg, seconds
from .side import OURS

PAGE = ROOT / "docs" / "performance.md"
NAMES = {
    "static": "paddle_lite, Program",
    "declared": "paddle_lite, declared",
    "eager": "paddle_lite, imperative",
    **TITLES,
}
FLOP, BYTE = "time_flop", "time_byte"
"""The rows that measure the machine."""
SMALL = 0.35
"""The share of the machine's ceiling below which neither arithmetic nor memory is said to be the limit."""
SHORT = 5e-5
"""Seconds of a kernel's call, of which Python's part is more than a tenth."""

HEAD = """# Whole programs

Each section compares a training step or an inference in paddle_lite, in PaddlePaddle 1.8.5 and in other libraries, with the same weights and
inputs. {agreed} All sides use {threads} thread{s}. The table has the median time of a step{clock}, its processor time, and the peak memory of
the process (weights, optimizer state, gradients and everything else since the library was imported). "Ratio" is the time of paddle_lite's
faster side divided by that of the other library. `benchmarks/README.md` describes the method.

    python -m benchmarks programs --torch PYTHON --paddle3 PYTHON --fluid PYTHON --jax PYTHON --onnxruntime PYTHON --page

measures the programs and writes this page.

One thread of the machine computes {flops} in a product of large matrices, and reads and writes {bytes} when it copies a large
array. Each section has the FLOPs and bytes that the Plan counts ([Plans](plans.md)), and the least time that they take at these speeds: the ceiling.
Kernels that find arrays in the processor's cache can move more bytes than memory does.
"""


def write(results: list[Result], threads: int = 1, page: Path = PAGE) -> None:
    """Write the page, and a plot of each row into the folder beside it that has its name.

    Args:
        results: what was measured; rows that are no whole programs are left out.
        threads: the threads of every side.
        page: the file to write.

    Raises:
        ValueError: the rows that measure the machine are missing.
    """
    machine = {each.case.function: each.median("static") for each in results if each.case.function in (FLOP, BYTE)}
    if len(machine) < 2:
        raise ValueError(
            f"performance.write: got no rows {FLOP} and {BYTE}, which the page needs: run all of `programs`."
        )
    rows = [each for each in results if each.case.whole and each.times and each.case.function not in machine]
    folder = page.with_suffix("")
    folder.mkdir(exist_ok=True)
    wrong = [complaint for each in rows for complaint in each.complaints]
    agreed = "All sides compute the same losses or results." if not wrong else "Where sides differ, the row says so."
    speeds = {
        "flops": f"{1e-9 / machine[FLOP]:.0f} GFLOP/s",
        "bytes": f"{1e-9 / machine[BYTE]:.1f} GB/s",
    }
    on_processor = all(each.times == each.cpu for each in rows)
    clock = " (measured by `--clock cpu`, since other processes ran)" if on_processor else ""
    parts = [HEAD.format(agreed=agreed, clock=clock, threads=threads, s="s" * (threads > 1), **speeds)]
    for result in rows:
        name = result.case.function[len("time_") :]
        draw(result, folder / f"{name}.svg")
        parts.append(section(result, machine, f"{folder.name}/{name}.svg"))
    page.write_text("\n".join(parts), encoding="utf8")


def section(result: Result, machine: dict[str, float], picture: str) -> str:
    """Return a row's part of the page."""
    title = result.case.title
    title = title if title[:2].isupper() else title[0].upper() + title[1:]
    best = result.best() or "eager"
    lines = [f"## {title}\n", f"![{title}]({picture})\n"]
    lines += ["| | time | processor time | memory | ratio |", "| --- | --- | --- | --- | --- |"]
    for side in result.times:
        cells = [NAMES[side], seconds(result.median(side)), seconds(statistics.median(result.cpu[side]))]
        cells += [mebibytes(result.memory[side]), "" if side in OURS else f"{result.ratio(best, side):.2f}"]
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", limit(result, machine)]
    lines += ["", *(f"- {complaint.splitlines()[0]}" for complaint in result.complaints)]
    return "\n".join(lines).rstrip() + "\n"


def limit(result: Result, machine: dict[str, float]) -> str:
    """Return a sentence about what limits a row: arithmetic, memory, the number of calls, or slower kernels."""
    if not result.costs or "static" not in result.times:
        return "The Plan does not count its work: rounds of loops, or rows of sparse tables, depend on the data."
    time, costs = result.median("static"), result.costs
    computing, moving = costs["flops"] * machine[FLOP], costs["bytes"] * machine[BYTE]
    what = "arithmetic" if computing >= moving else "memory"
    share = max(computing, moving) / time
    said = (
        f"A step computes {_amount(costs['flops'])}FLOPs, at least {seconds(computing)}, and moves "
        f"{_amount(costs['bytes'])}B, at least {seconds(moving)}, in {costs['calls']:,} calls of kernels: "
    )
    each = time / max(costs["calls"], 1)
    if share < SMALL and each < SHORT:
        return (
            said
            + f"{share:.0%} of the ceiling; the limit is what a call costs, {seconds(each)} with all between calls."
        )
    if share < SMALL:
        return (
            said + f"{share:.0%} of the ceiling; the limit is kernels that reach neither speed, as of narrow matrices."
        )
    return said + f"the limit is {what}, and the Program reaches {share:.0%} of the ceiling."


def draw(result: Result, path: Path) -> None:
    """Draw the times and the memory of a row's sides as bars."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    sides = list(result.times)
    colors = ["#0b62a4" if side in OURS else "#9aa7b2" for side in sides]
    with matplotlib.rc_context({"font.size": 9}):
        size = (8.6, 0.55 + 0.27 * len(sides))
        figure, (left, right) = pyplot.subplots(
            1, 2, figsize=size, sharey=True, layout="constrained", width_ratios=(3, 2)
        )
        scale, unit = (1.0, "s") if min(map(result.median, sides)) >= 1 else (1e3, "ms")
        times = [scale * result.median(side) for side in sides]
        processor = [scale * statistics.median(result.cpu[side]) for side in sides]
        left.barh(range(len(sides)), times, color=colors, height=0.7)
        left.scatter(processor, range(len(sides)), marker="|", s=110, color="black", label="processor time", zorder=3)
        left.set_yticks(range(len(sides)), [NAMES[side] for side in sides])
        left.set_xlabel(f"{unit} a step; the line is processor time")
        right.barh(range(len(sides)), [result.memory[side] / 2**20 for side in sides], color=colors, height=0.7)
        right.set_xlabel("MiB")
        for axes in (left, right):
            _plain(axes)
        left.invert_yaxis()
        save_svg(figure, path)
        pyplot.close(figure)


def _plain(axes: Any) -> None:
    axes.grid(axis="x", color="0.88")
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _amount(number: float) -> str:
    """Return a number with a prefix of the SI."""
    for prefix, scale in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= scale:
            return f"{number / scale:.3g} {prefix}"
    return f"{number:.3g} "


__all__ = ["write"]
