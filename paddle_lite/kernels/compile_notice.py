"""Says on a terminal why the first run takes long: kernels are being compiled, once for this machine."""

from __future__ import annotations

import sys
import threading
import time
from typing import Any

from ..core.paths import cache_dir

PATIENCE = 2.0  # seconds of compilation in a process before anything is said


class Stopwatch:
    """Adds up the time of the outermost compilations, and says so once when it passes PATIENCE."""

    def __init__(self) -> None:
        self.depth = 0
        self.total = 0.0
        self.said = False
        self._started = 0.0
        self._timer: threading.Timer | None = None

    def start(self) -> None:
        self.depth += 1
        if self.depth == 1:
            self._started = time.perf_counter()
            if not self.said:
                self._timer = threading.Timer(max(PATIENCE - self.total, 0.0), self.say)
                self._timer.daemon = True
                self._timer.start()

    def end(self) -> None:
        self.depth -= 1
        if self.depth == 0:
            self.total += time.perf_counter() - self._started
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    def say(self) -> None:
        """Print the notice, once, if a person is watching."""
        if not self.said and sys.stderr is not None and sys.stderr.isatty():
            place = cache_dir("kernels")
            kept = f"; they are kept in {place}" if place else ""
            print(f"paddle_lite: compiling kernels, once for this machine{kept}", file=sys.stderr, flush=True)
        self.said = True


def listen() -> None:
    """Watch Numba's compilations from now on."""
    from numba.core import event

    stopwatch = Stopwatch()

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            stopwatch.start()

        def on_end(self, event: Any) -> None:
            stopwatch.end()

    event.register("numba:compile", Listener())
