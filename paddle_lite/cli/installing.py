"""The kernels that are installed with the package: `hatch_build.py` runs this module where a wheel or an editable installation is made.

It trains the layers of `layers.py` and the networks of `networks.py` for a few steps, and keeps what was compiled for them in the package's
folder (`kernels/installed_kernels.py`). Fused kernels of Plans are left out: each of them is of one network.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from paddle_lite import fluid
from paddle_lite.core import unique_name
from paddle_lite.core.flags import set_flags
from paddle_lite.kernels import installed_kernels, kernel_cache
from paddle_lite.kernels.compiler import objects
from paddle_lite.static.execution.executor import Executor
from paddle_lite.static.execution.scope import Scope, scope_guard
from paddle_lite.static.program.program import Program, program_guard

from .layers import Row, direct_calls, rows
from .networks import IMPERATIVE, PROGRAMS, Feed

__all__ = ["install", "train", "train_layer"]

STEPS = 3  # the first goes operator by operator, later ones through the passes of Plans
MADE_OF = "made_of"  # a file with a digest of all that the folder was made from
PACKAGE = Path(__file__).resolve().parents[1]


def install() -> str:
    """Compile the kernels and put them into the package's folder in place of those that are there, unless these are up to date.

    Returns:
        A line that says what was done.

    Raises:
        OSError: the folder cannot be written.
    """
    folder, made_of, started = Path(installed_kernels.FOLDER), _made_of(), time.perf_counter()
    if folder.joinpath(MADE_OF).is_file() and folder.joinpath(MADE_OF).read_text() == made_of:
        return f"{len(installed_kernels.names())} kernels are up to date"
    with tempfile.TemporaryDirectory(prefix="installed.", dir=folder.parent) as place:
        os.environ["PADDLE_LITE_CACHE_DIR"], os.environ[installed_kernels.VARIABLE] = place, "0"
        train()
        made = kernel_cache.directory()
        if made is None or not os.path.isdir(made):
            return "nothing was compiled"
        Path(made, MADE_OF).write_text(made_of)
        os.chmod(made, 0o755)  # the cache is its user's alone, but an installation is for all
        shutil.rmtree(folder, ignore_errors=True)
        os.replace(made, folder)
    return f"{len(installed_kernels.names())} kernels compiled in {time.perf_counter() - started:.1f} s"


def _made_of() -> str:
    """Return a digest of the source of the package, and of all else that object files depend on."""
    digest = hashlib.sha256(kernel_cache.digest_of(objects.place().items()).encode())
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def train() -> None:
    """Train all layers and networks for some steps, without fused kernels."""
    set_flags({"FLAGS_plan_warm_up": 2**31})
    with np.errstate(all="ignore"):
        direct_calls()
        for row in rows():
            train_layer(row)
        for build in PROGRAMS.values():
            program, startup = Program(), Program()
            with program_guard(program, startup), unique_name.guard():
                feed, fetches = build()
            _run(program, startup, feed, fetches)
        for once in IMPERATIVE.values():
            once()


def train_layer(row: Row) -> list[float]:
    """Train a layer for some steps; return the losses."""
    program, startup = Program(), Program()
    with program_guard(program, startup), unique_name.guard():
        loss = fluid.layers.mean(row.build(*(_input(name, array) for name, array in row.feed.items())))
        row.optimizer().minimize(loss)
    return _run(program, startup, row.feed, [loss])


def _input(name: str, array: Any) -> Any:
    """Return a Variable to feed an array to."""
    ragged = bool(getattr(array, "lod", list)())
    values = np.asarray(array)
    return fluid.data(name, [None, *values.shape[1:]], str(values.dtype), lod_level=int(ragged))


def _run(program: Program, startup: Program, feed: Feed, fetches: list[Any]) -> list[float]:
    """Run the steps; return what the first of the fetches is in each."""
    executor = Executor()
    with scope_guard(Scope()):
        executor.run(startup)
        return [float(executor.run(program, feed=feed, fetch_list=fetches)[0][0]) for _ in range(STEPS)]


if __name__ == "__main__":
    print(install())
    sys.exit(0)
