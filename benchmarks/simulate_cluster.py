"""Simulate jobs that no machine here could run: where do parameter servers and rings of workers stop scaling?

    python -m benchmarks.simulate_cluster                          # the recorded costs, 8 to 4096 workers: a table
    python -m benchmarks.simulate_cluster --plot docs/distributed_scaling.svg --page docs/distributed.md
    python -m benchmarks.simulate_cluster --measure costs.json     # costs of this machine
    python -m benchmarks.simulate_cluster --measure costs.json --validate --page docs/distributed.md
    python -m benchmarks.simulate_cluster --costs costs.json --validate

It is a discrete-event simulation (SimPy, `pip install paddle_lite[bench]`) of the networks of `parameter_server/train.py`. Processor
seconds are measured: of a step of one process alone, of calls against a server that does nothing else, and of jobs of one and two
trainers with one server, which say how many times as long calls take there. How processes wait for each other, for cores and for
the network is what the simulation adds. `--validate` runs jobs of 1, 2 and 4 trainers or workers on this machine, and compares their
examples a second with those of the simulation of as many processes on as many cores; with `--measure`, the same jobs give the costs. The
medians of the rounds count, in which the jobs take turns. Nothing else should run: a job during which others use more than 3 % of the
machine is run again.
"""

from __future__ import annotations

import argparse
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise, repeat
from pathlib import Path
from typing import NamedTuple

from .cluster.costs import NETS, RECORDED, Costs
from .cluster.jobs import Ran
from .cluster.machines import Network, cores
from .cluster.measure import Measured, measure, measure_jobs
from .cluster.model import MODES, Job, Result, simulate
from .compare import Failure
from .report import save_svg

RUNNER = (sys.executable, "-m", "paddle_lite", "run")
WORKERS = tuple(2**i for i in range(3, 13))
TOLERANCE = 0.2
COMPARED = (1, 2, 4)  # workers of the real jobs
SCALES = 1.5  # a job has stopped to scale where twice the workers give less than this
MOST = 128  # steps of all workers together that are simulated, but two of each
SHOWN = (8, 64, 512, 4096)  # workers of the page's table
NAMES = {"sync": "synchronous", "async": "asynchronous", "geo": "GEO", "ring": "ring"}
SCALING, ERRORS = "| examples per second, relative", "| error |"  # how the page's tables begin


class Compared(NamedTuple):
    """A job, simulated and measured."""

    net: str
    mode: str
    workers: int
    simulated: Result
    measured: Result

    @property
    def error(self) -> float:
        """The error of the simulated examples a second, of the measured ones."""
        return self.simulated.rate / self.measured.rate - 1

    def __str__(self) -> str:
        both = self.simulated, self.measured
        rates = "".join(f"{each.rate:11.0f}" for each in both)
        parts = "".join(f"{each.received / 1e6:7.2f} MB {each.busy:5.0%}" for each in both)
        verdict = "" if abs(self.error) <= TOLERANCE else f"  more than {TOLERANCE:.0%}"
        return f"{self.net:4} {self.mode:6}{self.workers:3}{rates}{self.error:+8.0%}{parts}{verdict}"


def measured_result(net: str, workers: int, ran: Ran) -> Result:
    """Return what a real job did, whose processor seconds and bytes are those of a step of all workers."""
    step = NETS[net].batch * workers / ran.rate
    return Result(ran.rate, step, ran.exchanged.received / workers, (ran.trainers + ran.servers) / (cores() * step))


def compare(measured: Iterable[Measured]) -> list[Compared]:
    """Compare real jobs on this machine with simulated ones, and print each.

    Beside the examples a second stand what a trainer receives in a step, and the part of the time in which the cores work. In asynchronous
    training these say why a simulation errs: its trainers receive less often than real ones, or its cores wait less.
    """
    found = []
    columns = "".join(f"{name:>11}" for name in ("simulated", "measured"))
    print(f"{'':13}{columns}{'error':>8}   received in a step and busy cores: simulated, measured")
    for net, mode, costs, jobs in measured:
        for workers, ran in jobs.items():
            job = Job(net, mode, workers, steps=20, shared_cores=cores())
            found.append(Compared(net, mode, workers, simulate(job, costs), measured_result(net, workers, ran)))
            print(found[-1], flush=True)
    return found


def validate(costs: Costs, nets: Iterable[str], modes: Sequence[str], rounds: int) -> Iterator[Measured]:
    """Run the jobs that simulated ones are compared with."""
    for net in nets:
        for mode in modes:
            yield Measured(net, mode, costs, measure_jobs(RUNNER, net, mode, COMPARED, rounds)[1])


def saved(measured: Iterable[Measured], file: Path) -> Iterator[Measured]:
    """Yield what was measured, after the costs so far were written into a file."""
    for each in measured:
        each.costs.save(file)
        yield each


def curves(
    costs: Costs, nets: Iterable[str], modes: Iterable[str], servers: int, network: Network, seed: int
) -> dict[str, dict[str, dict[int, float]]]:
    """Return examples a second, times those of one process alone, by network, mode and number of workers."""
    jobs = [
        Job(net, mode, n, servers, max(2, MOST // n), seed=seed, network=network)
        for net in nets
        for mode in modes
        for n in WORKERS
    ]
    found: dict[str, dict[str, dict[int, float]]] = {}
    with ProcessPoolExecutor(cores()) as pool:
        for job, result in zip(jobs, pool.map(simulate, jobs, repeat(costs)), strict=True):
            alone = NETS[job.net].batch / costs.rule(job.net, "ring").step
            found.setdefault(job.net, {}).setdefault(job.mode, {})[job.workers] = result.rate / alone
    return found


def stops(rates: dict[int, float]) -> int | None:
    """Return the number of workers from which on twice as many give less than `SCALES` times the examples a second; None: none."""
    numbers = sorted(rates)
    return next((a for a, b in pairwise(numbers) if rates[b] < SCALES * rates[a]), None)


def show(found: dict[str, dict[str, dict[int, float]]]) -> None:
    """Print the curves, and where each stops."""
    for net, ways in found.items():
        print(f"\n{net}: times one process" + "".join(f"{n:8}" for n in WORKERS) + "   stops at")
        for mode, rates in ways.items():
            cells = "".join(f"{rates[n]:8.1f}" for n in WORKERS)
            print(f"{mode:22}{cells}   {stops(rates) or 'beyond'}")


def renew(page: Path, begin: str, rows: dict[tuple[str, str], list[str]]) -> None:
    """Write rows into a table of a page; the others stay.

    Arguments:
        page: a file of Markdown.
        begin: of the table's first line.
        rows: the cells, by network and mode.

    Raises:
        Failure: the page has no such table, or no such row in it.
    """
    lines = page.read_text().split("\n")
    first = next((i for i, line in enumerate(lines) if line.startswith(begin)), None)
    if first is None:
        raise Failure(f"{page} has no table that begins with {begin!r}")
    labels = {}
    for i in range(first, lines.index("", first)):
        labels[lines[i].split("|")[1].strip()] = i
    for (net, mode), cells in rows.items():
        label = f"{net.upper()}, {NAMES[mode]}"
        if label not in labels:
            raise Failure(f"{page} has no row {label!r} in the table that begins with {begin!r}")
        lines[labels[label]] = f"| {' | '.join([label, *cells])} |"
    page.write_text("\n".join(lines))


def scaling(found: dict[str, dict[str, dict[int, float]]]) -> dict[tuple[str, str], list[str]]:
    """Return the rows of the page's table of curves."""
    return {
        (net, mode): [f"{rates[n]:.{0 if rates[n] >= 10 else 1}f}" for n in SHOWN if n in rates]
        + [str(stops(rates) or "-")]
        for net, ways in found.items()
        for mode, rates in ways.items()
    }


def errors(compared: Iterable[Compared]) -> dict[tuple[str, str], list[str]]:
    """Return the rows of the page's table of errors."""
    rows: dict[tuple[str, str], list[str]] = {}
    for each in compared:
        mark = "" if abs(each.error) <= TOLERANCE else "**"
        rows.setdefault((each.net, each.mode), []).append(f"{mark}{round(each.error * 100):+d} %{mark}")
    return rows


def draw(found: dict[str, dict[str, dict[int, float]]], path: Path, title: str) -> None:
    """Draw the curves as SVG."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(found), figsize=(5 * len(found), 4.2), squeeze=False)
    for axis, (net, ways) in zip(axes[0], found.items(), strict=True):
        for mode, rates in ways.items():
            axis.loglog(WORKERS, [rates[n] for n in WORKERS], marker="o", markersize=3, label=mode)
        axis.loglog(WORKERS, WORKERS, color="gray", linestyle=":", label="as many times as workers")
        axis.set(title=net.upper(), xlabel="workers", ylabel="examples a second, times those of one process")
        axis.set_xscale("log", base=2)
        axis.grid(alpha=0.3)
    axes[0][0].legend(fontsize=8)
    figure.suptitle(title, fontsize=9)
    figure.tight_layout()
    save_svg(figure, path)
    pyplot.close(figure)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, validate, or simulate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    measured = (
        "measure the costs, and write them; a FILE that exists keeps those of calls, and of other networks and modes"
    )
    add("--measure", type=Path, metavar="FILE", help=measured)
    add("--costs", type=Path, metavar="FILE", default=RECORDED, help="the costs to simulate with")
    add("--validate", action="store_true", help="compare with real jobs on this machine")
    add("--nets", nargs="+", choices=list(NETS), default=list(NETS))
    add("--modes", nargs="+", choices=MODES, default=MODES)
    add("--servers", type=int, default=16)
    add("--bandwidth", type=float, default=10.0, help="of the network, in gigabits a second")
    add("--latency", type=float, default=25.0, help="of the network, in microseconds")
    add("--rounds", type=int, default=3, help="of each measurement")
    add("--seed", type=int, default=0)
    add("--page", type=Path, metavar="FILE", help="write the result into its table of this page")
    add("--plot", type=Path, metavar="SVG", help="draw the result")
    options = parser.parse_args(arguments)
    if options.measure:
        known = Costs.load(options.measure) if options.measure.exists() else None
        counts = COMPARED if options.validate else (1, 2)
        found = measure(RUNNER, options.nets, options.modes, options.rounds, known, counts)
        measured = saved(found, options.measure)
        if not options.validate:
            deque(measured, maxlen=0)
            return 0
    else:
        costs = Costs.load(options.costs)
        measured = validate(costs, options.nets, options.modes, options.rounds)
    if options.validate:
        compared = compare(measured)
        if options.page:
            renew(options.page, ERRORS, errors(compared))
        return int(any(abs(each.error) > TOLERANCE for each in compared))
    network = Network(options.bandwidth * 1e9 / 8, options.latency * 1e-6)
    found = curves(costs, options.nets, options.modes, options.servers, network, options.seed)
    show(found)
    if options.page:
        renew(options.page, SCALING, scaling(found))
    if options.plot:
        title = f"{options.servers} servers, {options.bandwidth:g} Gbit/s and {options.latency:g} us between machines"
        draw(found, options.plot, title)
    return 0


if __name__ == "__main__":
    sys.exit(main())
