"""Random calls by kernels and by references, in memory with fences (`fenced.py`); no real Paddle is needed.

    python -m tests.oracle.kernel_calls [FAMILY ...] [--calls N] [--seed N] [--plain] [--verbose]

A kernel that reads or writes beyond its arrays ends the process with SIGSEGV, and the stack is printed; --verbose names each call before
it is made. Working memory of kernels is new at each call of `scratch`, with a fence behind it as well; what the last call for the same use
got is NaN from then on.
"""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import importlib
import os
import pkgutil
import sys
import threading
import traceback
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from paddle_lite.core.errors import EnforceNotMet
from paddle_lite.kernels import cpu
from paddle_lite.kernels.cpu.support.scratch import scratch
from paddle_lite.ops.framework import registry
from tests.ops import checks
from tests.ops.case import Case, device
from tests.ops.row import Row, Sample
from tests.oracle.fenced import fenced
from tests.oracle.random_calls import TOLERANCE, drawn, draws_of, families, told

CHECKS = (checks._kernel_equals_reference, checks._strides_do_not_matter, checks._memory_is_kept_apart)
SHARES = "shares memory"  # of operators that only rearrange: their rows say so, draws do not


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="kernel_calls", description=__doc__.splitlines()[0])
    parser.add_argument("families", nargs="*", metavar="FAMILY", help="only these")
    parser.add_argument("--calls", type=int, default=200, help="of each family")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plain", action="store_true", help="in ordinary memory")
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    differ = 0
    with contextlib.nullcontext() if given.plain else _exact_scratch():
        for family in given.families or families():
            differ += _family(family, given.calls, given.seed, given.plain, given.verbose)
    return int(differ > 0)


def _family(family: str, calls: int, seed: int, plain: bool, verbose: bool) -> int:
    """Make the calls of a family; return how many differ, and of more than one refused in ten, how many are refused."""
    differ, refused, jobs = 0, 0, drawn(family, calls, seed)
    for k, (op, sample) in enumerate(jobs):
        if verbose:
            print(op, told(sample), flush=True)
        try:
            with contextlib.nullcontext() if plain else fenced(at_end=k % 2 == 0):
                text = wrong(family, op, sample)
        except EnforceNotMet as error:
            refused += 1
            print(f"{op} {told(sample)} is refused: {error}", flush=True)
            continue
        if text:
            differ += 1
            print(f"{op} {told(sample)}: {text}", flush=True)
    print(f"{family}: {len(jobs)} calls, {differ} differ, {refused} refused", flush=True)
    return differ + (refused if 10 * refused > len(jobs) else 0)


def wrong(family: str, op: str, sample: Sample) -> str:
    """What is wrong with a call; "" for nothing."""
    draws = draws_of(family)
    row = Row(op, [sample], tolerance=getattr(draws, "TOLERANCE", TOLERANCE), random=getattr(draws, "RANDOM", False))
    case = Case(registry.get(op), row, 0)
    case = case.with_inputs(lambda name, array: array.copy())  # in the memory of this moment
    for check in CHECKS:
        try:
            with device("cpu"), np.errstate(all="ignore"):
                check(case)
        except EnforceNotMet:  # some are AssertionErrors
            raise
        except AssertionError as error:
            if SHARES not in str(error):
                return " ".join(str(error).split())
    return ""


@contextlib.contextmanager
def _exact_scratch() -> Iterator[None]:
    """Give kernels working memory of exactly the size that they ask for, each time anew."""
    kept: dict[Any, np.ndarray] = {}

    def exact(use: str, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        key = threading.get_ident(), use
        if key in kept:
            kept[key].reshape(-1).view(np.uint8)[:] = 0xFF
        kept[key] = np.empty(shape, dtype)
        return kept[key]

    names = [each.name for each in pkgutil.walk_packages(cpu.__path__, f"{cpu.__name__}.")]
    users = [module for module in map(importlib.import_module, names) if getattr(module, "scratch", None) is scratch]
    for module in users:
        module.scratch = exact
    try:
        yield
    finally:
        for module in users:
            module.scratch = scratch


if __name__ == "__main__":
    faulthandler.enable()
    status = 1
    try:
        status = main()
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    os._exit(status)  # the end of Python would free arrays with fences when the functions that do so are gone
