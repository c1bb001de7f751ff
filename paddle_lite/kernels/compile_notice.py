"""A progress line on terminals and in notebooks while kernels are compiled, which happens once on each machine.

The line is shown and updated while a compilation runs and compilations have taken over PATIENCE seconds in this process.
again: how many kernels are done, which one is next, for how long. It is wiped out when the compilation ends, so that
what the program prints stays readable. Soon after the last one, or when the program ends, a sentence that remains says
what was done.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

from .kernel_cache import directory
from .threads import hold_while_forking

PATIENCE = 2.0  # seconds of compilation in a process before the line is shown
TICK = 0.5  # seconds between updates of the line
PAUSE = 1.0  # seconds without a compilation before the summary is printed
WIDTH = 78


class Progress:
    """Measures and shows the outermost compilations; Numba compiles one kernel at a time."""

    def __init__(self) -> None:
        self.depth = 0
        self.total = 0.0  # seconds of all finished compilations
        self.count = 0
        self.shown = False  # whether the line has been shown since the last summary
        self.summed_up = (0, 0.0)
        self._kernel = ""
        self._started = 0.0
        self._on_screen = 0  # characters of the line on the screen
        self._timer: threading.Timer | None = None
        self._lock = threading.RLock()
        hold_while_forking(self._lock)

    def start(self, kernel: str) -> None:
        """Record the start of a compilation; those of helpers are nested in it."""
        with self._lock:
            self.depth += 1
            if self.depth == 1:
                self._kernel, self._started = kernel, time.perf_counter()
                self._after(max(PATIENCE - self.total, TICK), self.tick)

    def end(self) -> None:
        """Record the end of the compilation that started last."""
        with self._lock:
            self.depth -= 1
            if self.depth == 0:
                self.total += time.perf_counter() - self._started
                self.count += 1
                self._wipe()
                self._after(PAUSE, self.finish)

    def tick(self) -> None:
        """Update the line if stderr is watched and compilations have taken long enough."""
        with self._lock:
            now = time.perf_counter() - self._started
            if self.depth == 0 or not _watched():
                return
            if self.total + now >= PATIENCE:
                done = f"{self.count} done, " if self.count else ""
                self._write(
                    f"paddle_lite: compiling kernels, once for this machine: {done}{self._kernel} ({now:.0f} s)"
                )
                self.shown = True
            self._after(TICK, self.tick)

    def finish(self) -> None:
        """Print the summary if the line was shown."""
        with self._lock:
            if self.shown and self.depth == 0 and _watched():
                self._wipe()
                count, total = self.count - self.summed_up[0], self.total - self.summed_up[1]
                place = directory()
                kept = f"; the next process finds them in {place}" if place else ""
                kernels = "kernel" if count == 1 else "kernels"
                print(f"paddle_lite: {count} {kernels} compiled in {total:.1f} s{kept}", file=sys.stderr, flush=True)
                self.shown, self.summed_up = False, (self.count, self.total)
            self._after(0, None)

    def _after(self, delay: float, call: Any) -> None:
        """Replace the pending timer by one that calls `call` after a delay."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if call is not None and (call != self.finish or self.shown):
            self._timer = threading.Timer(delay, call)
            self._timer.daemon = True
            self._timer.start()

    def _write(self, line: str) -> None:
        line = line if len(line) <= WIDTH else line[: WIDTH - 3] + "..."
        print("\r" + line.ljust(self._on_screen), end="", file=sys.stderr, flush=True)
        self._on_screen = len(line)

    def _wipe(self) -> None:
        if self._on_screen and _watched():
            print("\r" + " " * self._on_screen + "\r", end="", file=sys.stderr, flush=True)
        self._on_screen = 0


def _watched() -> bool:
    """Return whether stderr is a terminal or a notebook's output."""
    stream = sys.stderr
    if stream is None or getattr(stream, "closed", False):
        return False
    return stream.isatty() or type(stream).__module__.startswith("ipykernel.")


@functools.cache
def _progress() -> Progress:
    """Return the progress line of this process."""
    progress = Progress()
    atexit.register(progress.finish)
    return progress


@contextlib.contextmanager
def compiling(kernel: str) -> Iterator[None]:
    """Show that a kernel is compiled."""
    progress = _progress()
    progress.start(kernel)
    try:
        yield
    finally:
        progress.end()


def listen() -> None:
    """Register the progress line with Numba's compilation events."""
    from numba.core import event

    progress = _progress()

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            progress.start(event.data["dispatcher"].py_func.__name__)

        def on_end(self, event: Any) -> None:
            progress.end()

    event.register("numba:compile", Listener())
