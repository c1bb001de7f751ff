"""`python -m benchmarks [MODULE ...] [--torch PYTHON] [--fluid PYTHON]`."""

from __future__ import annotations

import argparse

from .compare import ROOT, compare, interpreters, show


def main() -> None:
    modules = sorted(path.stem for path in (ROOT / "benchmarks").glob("bench_*.py"))
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Time paddle_lite, beside peers if named."
    )
    parser.add_argument("modules", nargs="*", help=f"which: {', '.join(modules)}; all of them by default")
    parser.add_argument("--torch", help="interpreter with PyTorch")
    parser.add_argument("--fluid", help="interpreter with PaddlePaddle 1.8.5")
    parser.add_argument("--rounds", type=int, default=3, help="processes a side, taking turns")
    parser.add_argument("--threads", type=int, default=1, help="threads of every side")
    options = parser.parse_args()
    for module in options.modules or modules:
        pythons = interpreters(options.torch, options.fluid)
        show(module, compare(module, pythons, options.rounds, options.threads))


if __name__ == "__main__":
    main()
