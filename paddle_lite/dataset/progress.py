"""Show the progress of a download: by a bar of tqdm where it is installed, otherwise by lines of text on standard
error.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_STEP_BYTES = 10_000_000


@contextmanager
def progress(name: str, total: int | None) -> Iterator[Callable[[int], Any]]:
    """Show the progress of the download of a file; yield a function to call with the size of each new piece.

    `total` is the size of the file in bytes, None where it is unknown.
    """
    try:
        tqdm: Any = importlib.import_module("tqdm").tqdm
    except ImportError:
        tqdm = None
    if tqdm is None:
        yield _lines(name, total)
    else:
        with tqdm(desc=name, total=total, unit="B", unit_scale=True) as bar:
            yield bar.update


def _lines(name: str, total: int | None) -> Callable[[int], None]:
    """Print a line now; return a function that prints one for each tenth of the file, or each 10 MB if its size is
    unknown.
    """
    step = max(1, total // 10) if total else _STEP_BYTES
    done = 0

    def advance(count: int) -> None:
        nonlocal done
        before, done = done, done + count
        if done // step > before // step:
            share = f"{100 * done // total} % of " if total else ""
            print(f"{name}: {share}{(total or done) / 1e6:.1f} MB", file=sys.stderr, flush=True)

    print(f"{name}: downloading", file=sys.stderr, flush=True)
    return advance
