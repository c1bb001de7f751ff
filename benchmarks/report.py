"""Reports of the measurements: tables, the README's table, a list of the goals, and a plot."""

from __future__ import annotations

import json
import statistics
from pathlib import Path

from .case import Case
from .compare import Result
from .side import OURS, SIDES

TITLES = {
    "torch": "PyTorch",
    "torch.compile": "torch.compile",
    "torch.jit": "torch.jit",
    "jax": "jax.jit",
    "paddle3": "PaddlePaddle 3",
    "paddle3 to_static": "PaddlePaddle 3, to_static",
    "onnxruntime": "ONNX Runtime",
    "fluid": "PaddlePaddle 1.8.5",
    "fluid dygraph": "PaddlePaddle 1.8.5, dygraph",
}


def show(result: Result) -> None:
    """Print a case: the time of each side, its spread, and the ratio of our sides' times to each peer's."""
    print(f"\n{result.case.title}  [{result.case.module}.{result.case.function}]")
    ours = [name for name in OURS if name in result.times]
    header = "".join(f"{'/ ' + name:>12}" for name in ours)
    print(f"  {'':20}{'median':>12}{'spread':>9}{header if len(result.times) > len(ours) else ''}")
    for name in result.times:
        line = f"  {name:20}{_human(result, name):>12}{result.spread(name):>8.0%} "
        if name not in ours:
            line += "".join(f"{result.ratio(our, name):>12.2f}" for our in ours)
        if name in result.memory:
            line += f"   cpu {seconds(statistics.median(result.cpu[name]))}, {mebibytes(result.memory[name])}"
        print(line)
    for complaint in result.complaints:
        print(f"  WRONG: {complaint}")


COLUMNS = {"torch": "PyTorch", "fluid": "PaddlePaddle 1.8.5"}
BEHIND_TITLES = ("torch.compile", "torch.jit", "jax", "onnxruntime")  # peers of a few rows


def readme(results: list[Result]) -> str:
    """Return the README's table in Markdown: our times, and the ratio of our best side's time to that of each peer."""
    peers = [name for name in COLUMNS if any(name in result.times for result in results)]
    lines = ["| | static | imperative |" + "".join(f" of {COLUMNS[name]} |" for name in peers)]
    lines.append("| --- " * (3 + len(peers)) + "|")
    for result in results:
        best = result.best()
        if best is None or not result.case.shown:
            continue
        more = [f"of {peer}: {result.ratio(best, peer):.2f}" for peer in BEHIND_TITLES if peer in result.times]
        title = result.case.title + (f" ({', '.join(more)})" if more else "")
        own = [
            "" if best == "eager" else _human(result, best),
            _human(result, "eager") if "eager" in result.times else "",
        ]
        cells = [f"{result.ratio(best, peer):.2f}" if peer in result.times else "" for peer in peers]
        lines.append(f"| {' | '.join([title, *own, *cells])} |")
    return "\n".join(lines)


def bars(results: list[Result]) -> str:
    """Return a line for each goal: the limit, the measurement, and whether it is met."""
    lines = [f"{'':64}{'of':>15}{'at most':>10}{'measured':>10}"]
    for result in results:
        best = result.best()
        for peer, limit in result.case.bars:
            line = f"{result.case.title:64}{peer or 'itself':>15}{_limit(peer, limit):>10}"
            if best is None or (peer and peer not in result.times):
                lines.append(f"{line}{'-':>10}  not measured")
                continue
            value = result.ratio(best, peer) if peer else result.median(best)
            measured = f"{value:.2f}" if peer else seconds(value)
            lines.append(f"{line}{measured:>10}  {'met' if value <= limit else 'MISSED'}")
    return "\n".join(lines)


def plot(results: list[Result], path: str) -> None:
    """Draw the ratios of our best side to each peer: a row for each case, on a logarithmic axis."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    peers = [name for name in TITLES if any(name in result.times for result in results)]
    rows = [result for result in results if result.best() and any(peer in result.times for peer in peers)]
    figure, axes = pyplot.subplots(figsize=(11, 1.6 + 0.3 * len(rows)), layout="constrained")
    axes.axvline(1.0, color="black", linewidth=1)
    for k, peer in enumerate(peers):
        found = [(row, result) for row, result in enumerate(rows) if peer in result.times]
        ratios = [result.ratio(result.best(), peer) for _, result in found]
        heights = [row for row, _ in found]
        axes.scatter(
            ratios, heights, s=42, marker="os*^vDPXh"[k], color=f"C{k}", alpha=0.85, label=TITLES[peer], zorder=3
        )
    for row, result in enumerate(rows):
        for peer, limit in result.case.bars:
            if peer in peers:
                color = f"C{peers.index(peer)}"
                axes.plot([limit] * 2, [row - 0.36, row + 0.36], color=color, linewidth=2, alpha=0.7)
    axes.plot([], [], color="0.4", linewidth=2, label="goal, in the colour of the peer")
    axes.set(
        xscale="log",
        yticks=range(len(rows)),
        yticklabels=[result.case.title for result in rows],
        xlabel="paddle_lite over the peer: left of 1 it takes less",
    )
    _ticks(axes)
    axes.invert_yaxis()
    axes.grid(axis="both", color="0.88", zorder=0)
    axes.legend(loc="lower center", bbox_to_anchor=(0.15, 1.0), ncols=3, frameon=False)
    figure.savefig(path, dpi=150)
    pyplot.close(figure)


def save_svg(figure, path: str | Path) -> None:
    """Write a figure of Matplotlib as SVG whose text is text, not outlines; equal figures give equal files."""
    import matplotlib

    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "paddle_lite"}):
        figure.savefig(path, format="svg", metadata={"Date": None})


def _ticks(axes) -> None:
    from matplotlib.ticker import FixedLocator, NullLocator

    low, high = axes.get_xlim()
    ticks = [m * 10.0**e for e in range(-5, 5) for m in (1, 2, 5) if low <= m * 10.0**e <= high]
    axes.xaxis.set_major_locator(FixedLocator(ticks))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticklabels([f"{tick:g}" for tick in ticks])


def save(results: list[Result], path: str) -> None:
    """Write the measurements as JSON, which `load` reads."""
    found = [{**each._asdict(), "case": each.case._asdict()} for each in results]
    Path(path).write_text(json.dumps(found, indent=1))


def load(path: str) -> list[Result]:
    """Return the measurements that `save` wrote."""
    return [Result(**{**each, "case": Case(**each["case"])}) for each in json.loads(Path(path).read_text())]


def _limit(peer: str, limit: float) -> str:
    return f"{limit:.2f}" if peer else seconds(limit)


def _human(result: Result, side: str) -> str:
    value = result.median(side)
    return mebibytes(value) if result.case.is_memory else seconds(value)


def mebibytes(amount: float) -> str:
    """Return an amount of memory as text."""
    return f"{amount / 2**20:.1f} MiB"


def seconds(time: float) -> str:
    """Return a time as text."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if time >= scale:
            return f"{time / scale:.3g} {unit}"
    return f"{time * 1e9:.3g} ns"


__all__ = ["SIDES", "TITLES", "bars", "load", "mebibytes", "plot", "readme", "save", "seconds", "show"]
