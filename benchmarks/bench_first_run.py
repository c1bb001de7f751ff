"""How long a user waits: from the start of a process to the end of its first training steps.

Each script of `first_run/` is a user's program, and runs unmodified under PaddlePaddle 1.8.5 and under
`python -m paddle_lite run`: without any compiled kernel (cold), with the cache that this run filled (warm), and with no more than the
kernels that are installed with the package (installed). A script of PyTorch trains the same network. All have the same number of threads.

    python -m benchmarks.bench_first_run --fluid PYTHON --torch PYTHON
    python -m benchmarks.bench_first_run mnist word2vec --steps 5 50 --rounds 3
"""

from __future__ import annotations

import argparse
import compileall
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from paddle_lite.kernels import installed_kernels

from .case import ROOT
from .compare import PATIENCE, THREADS, Failure, interpreters
from .readme import write_table
from .worker import CLOCKS

SCRIPTS = Path(__file__).resolve().parent / "first_run"
SIDES = {
    "cold": "paddle_lite, no kernels",
    "installed": "paddle_lite, as installed",
    "warm": "paddle_lite, cached kernels",
    "fluid": "PaddlePaddle 1.8.5",
    "torch": "PyTorch",
}
STEPS = (5, 50, 500)
README_STEPS = 50
NAMES = {
    "crf": "CRF tagger",
    "ctr": "click-through network",
    "lstm": "LSTM classifier of ragged sentences",
    "mnist": "MNIST network",
    "resnet18": "ResNet-18 on 32 x 32",
    "transformer": "transformer encoder",
}
"""What the README calls the models."""


class Bar(NamedTuple):
    """A goal: a ratio of two sides at a number of steps, in each row or in the median of the rows."""

    side: str
    peer: str
    steps: int
    limit: float
    median: bool = False


BARS = (
    Bar("cold", "fluid", 50, 1.0),
    Bar("cold", "fluid", 5, 1.0, median=True),
    Bar("warm", "fluid", 50, 0.7),
    Bar("cold", "warm", 50, 1.3),
    Bar("installed", "fluid", 50, 1.0),
    Bar("installed", "warm", 50, 1.3),
)


class Settings(NamedTuple):
    """Settings of the measurement."""

    pythons: dict[str, str]  # framework -> interpreter
    steps: tuple[int, ...] = STEPS
    rounds: int = 1
    threads: int = 1


class Result(NamedTuple):
    """The seconds of one model: clock -> side -> number of steps -> one for each round; and what went wrong."""

    model: str
    times: dict[str, dict[str, dict[int, list[float]]]]
    complaints: list[str]

    def seconds(self, clock: str, side: str, steps: int) -> float | None:
        """Return the median time of a side to the end of that many steps, or None if it was not measured."""
        found = self.times[clock].get(side, {}).get(steps)
        return statistics.median(found) if found else None

    def ratio(self, clock: str, side: str, peer: str, steps: int) -> float | None:
        """Return the median of the rounds' ratios of two sides, or None if one of them was not measured."""
        ours, theirs = (self.times[clock].get(name, {}).get(steps, []) for name in (side, peer))
        return statistics.median(a / b for a, b in zip(ours, theirs)) if ours and theirs else None


def models() -> list[str]:
    """Return the names of the models, which have a script for Fluid and one for PyTorch."""
    return sorted(path.stem[: -len("_fluid")] for path in SCRIPTS.glob("*_fluid.py"))


def measure(model: str, settings: Settings) -> Result:
    """Run a model's scripts on all sides in turn, a few rounds."""
    result = Result(model, {clock: {} for clock in CLOCKS}, [])
    failed: set[str] = set()
    for _ in range(settings.rounds):
        with tempfile.TemporaryDirectory(prefix="first_run_") as cache:
            for side in SIDES:
                if side in failed or (side in ("fluid", "torch") and side not in settings.pythons):
                    continue
                try:
                    marks = run(model, side, settings, os.path.join(cache, side) if side == "installed" else cache)
                except Failure as error:
                    result.complaints.append(str(error))
                    failed.add(side)
                    continue
                for steps, seconds in marks.items():
                    for clock in CLOCKS:
                        result.times[clock].setdefault(side, {}).setdefault(steps, []).append(seconds[clock])
    return result


def run(model: str, side: str, settings: Settings, cache: str) -> dict[int, dict[str, float]]:
    """Run one script in a new process and return number of steps -> clock -> seconds since its start.

    Args:
        model: a name of `models()`.
        side: a key of SIDES.
        settings: steps, threads and interpreters.
        cache: the folder of our compiled kernels.

    Raises:
        Failure: the script failed, or a loss is not a finite number.
    """
    script = str(SCRIPTS / f"{model}_{'torch' if side == 'torch' else 'fluid'}.py")
    python = settings.pythons.get(side) or settings.pythons["paddle_lite"]
    command = [python, "-W", "ignore", *([] if side in settings.pythons else ["-m", "paddle_lite", "run"])]
    command += [script, *map(str, settings.steps)]
    try:
        done = subprocess.run(
            command, env=_environment(side, settings, cache), text=True, capture_output=True, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        raise Failure(f"{model}, {side}: no end after {PATIENCE:g} s") from None
    if done.returncode:
        raise Failure(f"{model}, {side}: exit code {done.returncode}:\n...{done.stderr[-800:]}")
    return read(done.stdout, f"{model}, {side}", settings.steps)


def _environment(side: str, settings: Settings, cache: str) -> dict[str, str]:
    """Return the environment of a script, whose clock starts now."""
    threads = dict.fromkeys((*THREADS, "CPU_NUM", "FLAGS_paddle_num_threads"), str(settings.threads))
    found = {**os.environ, **threads, "FIRST_RUN_START": repr(time.time())}
    found.pop("PYTHONDONTWRITEBYTECODE", None)
    if side in settings.pythons:
        found.pop("PYTHONPATH", None)
    else:
        found.update(PYTHONPATH=str(ROOT), PADDLE_LITE_CACHE_DIR=cache)
        found[installed_kernels.VARIABLE] = "1" if side == "installed" else "0"
    return found


def read(output: str, who: str, steps: tuple[int, ...]) -> dict[int, dict[str, float]]:
    """Return what a script printed: number of steps -> clock -> seconds.

    Raises:
        Failure: it printed no line for one of the steps, or a loss that is not a finite number.
    """
    found = {}
    for line in output.splitlines():
        words = line.split()
        if words[:1] == ["steps"]:
            values = dict(zip(words[::2], map(float, words[1::2])))
            if not math.isfinite(values["loss"]):
                raise Failure(f"{who}: the loss after {words[1]} steps is {values['loss']}")
            found[int(words[1])] = {clock: values[clock] for clock in CLOCKS}
    if missing := set(steps) - set(found):
        raise Failure(f"{who}: nothing said after {sorted(missing)} steps")
    return found


def show(result: Result) -> None:
    """Print the wall and CPU seconds of each side."""
    steps = sorted({each for sides in result.times.values() for side in sides.values() for each in side})
    print(f"\n{result.model}")
    print(f"  {'':28}" + "".join(f"{f'{each} steps, wall':>18}{'CPU':>8}" for each in steps))
    for side in result.times["wall"]:
        cells = [f"{result.seconds('wall', side, n):>18.2f}{result.seconds('cpu', side, n):>8.2f}" for n in steps]
        print(f"  {SIDES[side]:28}" + "".join(cells))
    for complaint in result.complaints:
        print(f"  WRONG: {complaint}")
    sys.stdout.flush()


def table(results: list[Result], clock: str) -> str:
    """Return the ratios of all models in Markdown, with the medians of the rows."""
    steps = sorted({n for result in results for side in result.times[clock].values() for n in side})
    peers = (("cold", "fluid", "torch", "warm"), ("installed", "fluid", "torch", "warm"), ("warm", "fluid", "torch"))
    pairs = [(side, peer) for side, *others in peers for peer in others]
    columns = [
        (side, peer, n)
        for side, peer in pairs
        for n in steps
        if any(result.ratio(clock, side, peer, n) is not None for result in results)
    ]
    head = [f"{side} / {peer}, {n}" for side, peer, n in columns]
    lines = [f"| {clock} time, steps | " + " | ".join(head) + " |", "| --- " * (1 + len(columns)) + "|"]
    for result in results:
        cells = [_number(result.ratio(clock, *column)) for column in columns]
        lines.append(f"| {result.model} | " + " | ".join(cells) + " |")
    if len(results) > 1:
        lines.append("| median | " + " | ".join(_number(_median(results, clock, *each)) for each in columns) + " |")
    return "\n".join(lines)


def readme(results: list[Result], clock: str) -> str:
    """Return the README's table in Markdown: the seconds of each side to the end of README_STEPS steps."""
    lines = [
        f"| script | {' | '.join(SIDES[side].removeprefix('paddle_lite, ') for side in SIDES)} |",
        "| --- " * (1 + len(SIDES)) + "|",
    ]
    for result in results:
        found = [result.seconds(clock, side, README_STEPS) for side in SIDES]
        cells = ["" if seconds is None else f"{seconds:.1f}" for seconds in found]
        lines.append(f"| {NAMES.get(result.model, result.model)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def bars(results: list[Result], clock: str) -> str:
    """Return a line for each goal: the worst row or the median, and whether it is met."""
    lines = []
    for bar in BARS:
        ratios = {result.model: result.ratio(clock, bar.side, bar.peer, bar.steps) for result in results}
        measured = {model: ratio for model, ratio in ratios.items() if ratio is not None}
        goal = f"{bar.side} / {bar.peer} at {bar.steps} steps, {'median' if bar.median else 'every row'}"
        if not measured:
            lines.append(f"{goal:44} at most {bar.limit:.2f}   not measured")
            continue
        if bar.median:
            value, where = statistics.median(measured.values()), ""
        else:
            worst = max(measured, key=measured.__getitem__)
            missed = [f"{model} {ratio:.2f}" for model, ratio in measured.items() if ratio > bar.limit]
            value, where = measured[worst], f" ({', '.join(missed) or worst})"
        lines.append(
            f"{goal:44} at most {bar.limit:.2f} {value:>6.2f} {'met' if value <= bar.limit else 'MISSED'}{where}"
        )
    return "\n".join(lines)


def _median(results: list[Result], clock: str, side: str, peer: str, steps: int) -> float | None:
    ratios = [result.ratio(clock, side, peer, steps) for result in results]
    found = [ratio for ratio in ratios if ratio is not None]
    return statistics.median(found) if found else None


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def save(results: list[Result], path: str) -> None:
    """Write the measurements as JSON, which `load` reads."""
    Path(path).write_text(json.dumps([each._asdict() for each in results], indent=1))


def load(path: str) -> list[Result]:
    """Return the measurements that `save` wrote."""
    found = []
    for each in json.loads(Path(path).read_text()):
        times = {
            clock: {side: {int(n): found for n, found in marks.items()} for side, marks in sides.items()}
            for clock, sides in each["times"].items()
        }
        found.append(Result(each["model"], times, each["complaints"]))
    return found


def main(words: list[str]) -> int:
    """Run the command line; return 1 if a script failed."""
    options = _parser().parse_args(words)
    if options.load:
        results = [each for path in options.load for each in load(path)]
        for each in results:
            show(each)
    else:
        pythons = interpreters(torch=options.torch, fluid=options.fluid)
        settings = Settings(pythons, tuple(sorted(set(options.steps))), options.rounds, options.threads)
        _prepare(settings)
        results = []
        for model in options.models or models():
            results.append(measure(model, settings))
            show(results[-1])
    if options.save:
        save(results, options.save)
    if options.readme:
        write_table("first runs", readme(results, options.clock))
    print(f"\n{table(results, options.clock)}\n\n{bars(results, options.clock)}")
    return 1 if any(each.complaints for each in results) else 0


def _prepare(settings: Settings) -> None:
    """Compile our bytecode and common kernels, as an installation does, and let the system read all frameworks from the disk once."""
    compileall.compile_dir(ROOT / "paddle_lite", quiet=1)
    alone = {**os.environ, "PYTHONPATH": str(ROOT), **dict.fromkeys(THREADS, "1")}
    subprocess.run(
        [settings.pythons["paddle_lite"], "-W", "ignore", "-m", "paddle_lite.cli.installing"], env=alone, check=True
    )
    imports = {"paddle_lite": "import numba, paddle_lite", "torch": "import torch", "fluid": "import paddle.fluid"}
    for framework, python in settings.pythons.items():
        where = {**os.environ, "PYTHONPATH": str(ROOT) if framework == "paddle_lite" else ""}
        subprocess.run([python, "-W", "ignore", "-c", imports[framework]], env=where, check=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.bench_first_run",
        description="Time new processes to the end of their first training steps, beside peers if named.",
    )
    add = parser.add_argument
    add("models", nargs="*", help=f"which: {', '.join(models())}; all by default")
    add("--torch", metavar="PYTHON", help="interpreter with PyTorch")
    add("--fluid", metavar="PYTHON", help="interpreter with PaddlePaddle 1.8.5")
    add("--steps", nargs="+", type=int, default=STEPS, help="the numbers of steps; 0 is what comes before the first")
    add("--rounds", type=int, default=1, help="runs of each side; the sides take turns")
    add("--threads", type=int, default=1, help="threads of every side")
    add("--clock", choices=CLOCKS, default="wall", help="of the ratios; cpu for a busy machine")
    add("--readme", action="store_true", help=f"write the table of {README_STEPS} steps into the README")
    add("--save", metavar="FILE", help="write what was measured as JSON")
    add("--load", metavar="FILE", nargs="+", help="measure nothing, and report what --save wrote")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
