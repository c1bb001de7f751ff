"""`python -m benchmarks [MODULE ...] [--torch PYTHON] [--paddle3 PYTHON] [--fluid PYTHON] [--onnxruntime PYTHON]`."""

from __future__ import annotations

import argparse
import sys

from . import performance, report
from .case import Case, cases, modules
from .compare import Settings, interpreters, run
from .readme import write_table
from .side import SIDES
from .worker import CLOCKS


def main() -> int:
    options = _parser().parse_args()
    if options.load:
        results = [each for path in options.load for each in report.load(path)]
        for each in results:
            report.show(each)
    else:
        peers = ("torch", "paddle3", "fluid", "jax", "onnxruntime")
        pythons = interpreters(**{name: getattr(options, name) for name in peers})
        settings = Settings(pythons, options.rounds, options.seconds, options.threads, options.clock, options.avx2)
        results = run(_chosen(options), settings, report.show)
    if options.save:
        report.save(results, options.save)
    if options.readme:
        write_table("steps", report.readme(results))
    if options.page:
        performance.write(results, options.threads)
    if options.bars:
        print("\n" + report.bars(results))
    if options.plot:
        report.plot(results, options.plot)
    wrong = [each.case.title for each in results if each.complaints]
    if wrong:
        print(f"\nsomething is wrong, see above: {'; '.join(wrong)}", file=sys.stderr)
    return 1 if wrong else 0


def _chosen(options: argparse.Namespace) -> list[Case]:
    """Return the cases to run, each with the sides that are wanted."""
    found = []
    for word in options.modules or modules():
        module, _, function = word.partition(".")
        found += [case for case in cases(module) if function in ("", case.function)]
    wanted = options.sides or list(SIDES)
    return [case._replace(sides=tuple(side for side in case.sides if side in wanted)) for case in found]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Time paddle_lite, beside peers if named; all sides do the same work."
    )
    add = parser.add_argument
    add("modules", nargs="*", help=f"which, as MODULE or MODULE.FUNCTION: {', '.join(modules())}; all by default")
    add("--torch", metavar="PYTHON", help="interpreter with PyTorch")
    add("--paddle3", metavar="PYTHON", help="interpreter with PaddlePaddle 3")
    add("--jax", metavar="PYTHON", help="interpreter with JAX")
    add("--onnxruntime", metavar="PYTHON", help="interpreter with onnxruntime and onnx")
    add("--fluid", metavar="PYTHON", help="interpreter with PaddlePaddle 1.8.5")
    add("--sides", nargs="+", choices=list(SIDES), help="of these interpreters, these sides only")
    add("--rounds", type=int, default=11, help="slices of a side; the sides take turns")
    add("--seconds", type=float, default=0.1, help="how long a slice takes, about")
    add("--threads", type=int, default=1, help="threads of every side")
    add("--clock", choices=CLOCKS, default="wall", help="cpu counts time on the processor, for a busy machine")
    add("--avx2", action="store_true", help="keep all sides to AVX2, on a processor that has AVX-512 as well")
    add("--readme", action="store_true", help="write the table of steps into the README")
    add(
        "--page",
        action="store_true",
        help="write docs/performance.md and its plots from whole programs (needs matplotlib)",
    )
    add("--bars", action="store_true", help="list what the benchmarks have to show, and whether they do")
    add("--plot", metavar="FILE", help="draw the ratios (needs matplotlib: the extra `bench`)")
    add("--save", metavar="FILE", help="write what was measured as JSON")
    add("--load", metavar="FILE", nargs="+", help="measure nothing, and report what --save wrote")
    return parser


if __name__ == "__main__":
    sys.exit(main())
