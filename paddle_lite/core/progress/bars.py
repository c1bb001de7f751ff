"""`progress_bar`: a bar of tqdm in a terminal and in a notebook, a plain line now and then in a log."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterable, Iterator, Sized
from typing import Any, TextIO

from ..errors import ArgumentTypeError, describe, message
from ..guarded import boundary
from .streams import is_watched

__all__ = ["progress_bar"]

EVERY = 10.0
"""Seconds between two lines in a log."""


def progress_bar(
    iterable: Iterable[Any] | None = None,
    desc: str | None = None,
    total: int | None = None,
    unit: str = "it",
    unit_scale: bool = False,
    file: TextIO | None = None,
) -> Any:
    """Return a bar of tqdm where somebody watches; in a file or a pipe one that prints a line each 10 seconds and at the end.

    Arguments:
        iterable: what is iterated over; None: call `update(count)`.
        desc: the text in front.
        total: the number of all steps; the length of `iterable`, where it has one, if None.
        unit: what a step is called.
        unit_scale: whether large numbers are written with k, M and G.
        file: the stream; sys.stderr if None.

    Returns:
        An object with `update(n)`, `set_postfix(**values)` and `close()`, which is iterated over, or a context manager.

    Raises:
        ArgumentTypeError: `iterable`, `desc` or `file` is none.

    >>> import sys
    >>> from paddle_lite.utils import progress_bar
    >>> sum(progress_bar([1, 2, 3], "adding", file=sys.stdout))
    adding: 100% 3/3 [...]
    6
    """
    stream = sys.stderr if file is None else file
    for name, value, right, needs in (
        ("iterable", iterable, iterable is None or isinstance(iterable, Iterable), "an iterable, or None"),
        ("desc", desc, desc is None or isinstance(desc, str), "a text, or None"),
        ("file", file, hasattr(stream, "write"), "a stream that texts can be written to, or None"),
    ):
        if not right:
            raise ArgumentTypeError(message("progress_bar", name, describe(value), needs))
    if total is None and isinstance(iterable, Sized):
        total = len(iterable)
    if is_watched(stream):
        from tqdm import tqdm

        return tqdm(iterable, desc, total, unit=unit, unit_scale=unit_scale, file=stream, dynamic_ncols=True)
    return LoggedBar(iterable, desc, total, unit, unit_scale, stream)


class LoggedBar:
    """The part of tqdm's bars that programs use, as lines of text; `progress_bar` explains the arguments."""

    def __init__(
        self, iterable: Iterable[Any] | None, desc: str | None, total: int | None, unit: str, unit_scale: bool, file: TextIO
    ) -> None:  # fmt: skip
        self.n, self.total = 0, total
        self._iterable, self._desc, self._unit, self._scale, self._file = iterable, desc, unit, unit_scale, file
        self._values = ""
        self._began = self._said = time.monotonic()
        self._closed = False

    @boundary
    def __iter__(self) -> Iterator[Any]:
        try:
            for each in () if self._iterable is None else self._iterable:
                yield each
                self.update(1)
        finally:
            self.close()

    def __enter__(self) -> LoggedBar:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def update(self, n: int = 1) -> None:
        """Count steps, and print a line if it is time."""
        self.n += n
        now = time.monotonic()
        if now - self._said >= EVERY and self.n != self.total:
            self._said = now
            self._print()

    def set_postfix(self, values: Any = None, refresh: bool = True, **more: Any) -> None:
        """Set the values at the end of the next line, by name."""
        shown = {**(values or {}), **more}
        self._values = ", ".join(f"{name}={_text(value)}" for name, value in shown.items())

    def close(self) -> None:
        """Print the last line."""
        if not self._closed:
            self._closed = True
            self._print()

    def _print(self) -> None:
        from tqdm import tqdm

        line = tqdm.format_meter(
            self.n, self.total, time.monotonic() - self._began, ncols=0, prefix=self._desc or "", unit=self._unit,
            unit_scale=self._scale, postfix=self._values,
        )  # fmt: skip
        with contextlib.suppress(OSError, ValueError):  # nobody reads any more: the work goes on
            print(line.strip(), file=self._file, flush=True)


def _text(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
