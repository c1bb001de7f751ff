"""How far a download is: tqdm's bar where tqdm is installed, otherwise lines of text on standard error."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_STEP_BYTES = 10_000_000


@contextmanager
def progress(name: str, total: int | None) -> Iterator[Callable[[int], Any]]:
    """Show how far a file of `total` bytes is (None: nobody knows); yields a function to call with each new count."""
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
    """Print a line now, and one for every tenth of the file, or every 10 MB if its size is unknown."""
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
