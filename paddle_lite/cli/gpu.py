"""`python -m paddle_lite gpu check`: test and measure paddle_lite on a GPU, and write a report."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path
from typing import Any

import paddle_lite
from paddle_lite.core.place import INSTALL_CUPY, cupy_available, gpu_count

PARTS = ("operators", "programs", "speed")


def add(parser: Any) -> None:
    """Add the command line of `gpu`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", title="actions", required=True)
    check = actions.add_parser(
        "check",
        help="run operators, programs and benchmarks on the GPU, and write a report",
        description="Run the test samples of all operators on the GPU and the CPU, the examples on the GPU, and the benchmarks, with "
        "PyTorch in comparison where it is installed. Write a report, which can be attached to a bug report. The samples, examples and "
        "benchmarks are not installed with paddle_lite: run the command in a clone of its repository.",
    )
    check.add_argument(
        "--only",
        nargs="+",
        choices=PARTS,
        default=list(PARTS),
        metavar="PART",
        help=f"run only these parts: {', '.join(PARTS)}",
    )
    check.add_argument(
        "--select", default="", metavar="REGEX", help="run only operators, scripts and networks whose name matches"
    )
    check.add_argument("--scripts", metavar="FOLDER", help="run the scripts of this folder instead of the examples")
    check.add_argument(
        "--out",
        default="gpu_report.md",
        metavar="FILE",
        help="the report to write (gpu_report.md); the same as JSON is written beside it",
    )
    check.add_argument("--stand-in", action="store_true", help="run on the stand-in for a GPU, which needs none")


def main(asked: argparse.Namespace) -> int:
    """Run the check; return 2 if something that it needs is missing."""
    missing = _missing(asked.stand_in)
    if missing:
        print(missing, file=sys.stderr)
        return 2
    root = str(Path(paddle_lite.__file__).resolve().parents[1])
    if root not in sys.path:
        sys.path.insert(0, root)
    code: int = importlib.import_module("gpu_check.check").check(asked)
    return code


def _missing(stand_in: bool) -> str:
    """Return what is missing, and how to get it; "" if nothing is."""
    if not (Path(paddle_lite.__file__).resolve().parents[1] / "gpu_check").is_dir():
        return (
            "gpu check: needs a checkout of paddle_lite's repository, with the samples of operators, the examples and the benchmarks. "
            "Clone it, `pip install -e .[cuda12,test]` there, and run the command in its folder."
        )
    if stand_in:
        return ""
    if not cupy_available():
        return f"gpu check: CuPy is not installed. {INSTALL_CUPY} `gpu check --stand-in` needs none."
    if not gpu_count():
        return (
            "gpu check: CuPy is installed, but the NVIDIA driver finds no GPU. `nvidia-smi` lists those of the machine, "
            "CUDA_VISIBLE_DEVICES those of a process. `gpu check --stand-in` needs none."
        )
    return ""
