"""What a user is told while kernels are compiled, which happens once on each machine.

Nothing is said before compilations have taken PATIENCE seconds in this process. Then it depends on where stderr goes:

- A terminal shows a line while a compilation runs: how many kernels are done, which one is next, for how long. It is wiped
  out when the compilation ends, so that what the program prints stays readable. Soon after the last one, or when the program
  ends, a sentence that remains says what was done.
- A notebook shows the same line as an output of the cell, which is emptied when the compilation ends: nothing of it is
  left in the cell, in later ones, or in the saved notebook.
- A pipe or a file, such as the log of a CI, gets one sentence in the whole process, so that it does not look hung.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import importlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from ..core.progress.streams import kind_of
from ..core.threads.forking import hold_while_forking
from .kernel_cache import directory

PATIENCE = 2.0  # seconds of compilation in a process before anything is said
TICK = 0.5  # seconds between updates of the line
PAUSE = 1.0  # seconds without a compilation before the summary is printed
WIDTH = 78


class Display:
    """A place that the user looks at.

    Attributes:
        remains: whether what it shows stays there.
    """

    remains = False

    def show(self, line: str) -> None:
        """Show a line in place of the one before."""
        raise NotImplementedError

    def hide(self) -> None:
        """Remove the line, if it does not remain."""

    def say(self, sentence: str) -> None:
        """Print a sentence that remains, where it would not be in the way."""


class Terminal(Display):
    """A line that is overwritten."""

    def __init__(self) -> None:
        self._length = 0  # of what is on the screen

    def show(self, line: str) -> None:
        """Show a line in place of the one before."""
        line = line if len(line) <= WIDTH else line[: WIDTH - 3] + "..."
        print("\r" + line.ljust(self._length), end="", file=sys.stderr, flush=True)
        self._length = len(line)

    def hide(self) -> None:
        """Wipe the line out."""
        if self._length:
            print("\r" + " " * self._length + "\r", end="", file=sys.stderr, flush=True)
        self._length = 0

    def say(self, sentence: str) -> None:
        """Print a sentence."""
        print(sentence, file=sys.stderr, flush=True)


class Notebook(Display):
    """An output of the cell that is running, which is emptied in the end; a summary would stay in the notebook."""

    def __init__(self) -> None:
        shell = importlib.import_module("IPython.display")
        self._display, self._update = shell.display, shell.update_display
        self._cell: object = None  # the cell with the output
        self._name = ""  # of the output
        self._shown = False

    def show(self, line: str) -> None:
        """Show a line in place of the one before; each cell has an output of its own."""
        cell = getattr(sys.modules["IPython"].get_ipython(), "execution_count", None)
        data = {"text/plain": line}
        if self._name and cell == self._cell:
            self._update(data, raw=True, display_id=self._name)
        else:
            self._cell, self._name = cell, f"paddle_lite-{id(self)}-{time.monotonic_ns()}"
            self._display(data, raw=True, display_id=self._name)
        self._shown = True

    def hide(self) -> None:
        """Empty the output."""
        if self._shown:
            self._update({"text/plain": ""}, raw=True, display_id=self._name)
        self._shown = False


class Log(Display):
    """One sentence in the whole process."""

    remains = True

    def show(self, line: str) -> None:
        """Print that kernels are compiled; the line with the details is for those who watch."""
        print(f"{_beginning()}{_where()}", file=sys.stderr, flush=True)


DISPLAYS: dict[Any, type[Display]] = {"terminal": Terminal, "notebook": Notebook, "log": Log}
"""Where stderr goes -> what shows the line there; nothing is said to a stream in memory."""


class Progress:
    """Measures and shows the outermost compilations."""

    def __init__(self) -> None:
        self.total = 0.0  # seconds of all finished compilations
        self.count = 0
        self.shown = False  # whether the line has been shown since the last summary
        self.summed_up = (0, 0.0)
        self._running: list[object] = []  # a compilation, and those of helpers that it contains
        self._kernel = ""
        self._started = 0.0
        self._displays: dict[type, Display] = {}
        self._timer: threading.Timer | None = None
        self._lock = threading.RLock()
        hold_while_forking(self._lock)

    def start(self, compilation: object, kernel: str) -> None:
        """Record the start of a compilation; those of helpers are nested in it."""
        with self._lock:
            self._running.append(compilation)
            if len(self._running) == 1:
                self._kernel, self._started = kernel, time.perf_counter()
                self._after(max(PATIENCE - self.total, TICK), self.tick)

    def end(self, compilation: object) -> None:
        """Record the end of a compilation; of one that has not started or has ended, nothing."""
        with self._lock:
            if compilation not in self._running:
                return
            self._running.remove(compilation)
            if not self._running:
                self.total += time.perf_counter() - self._started
                self.count += 1
                display = self._display()
                if display is not None:
                    _try(display.hide)
                self._after(PAUSE, self.finish)

    def tick(self) -> None:
        """Update the line if compilations have taken long enough."""
        with self._lock:
            display = self._display()
            if not self._running or display is None or (self.shown and display.remains):
                return
            now = time.perf_counter() - self._started
            if self.total + now >= PATIENCE:
                done = f"{self.count} done, " if self.count else ""
                _try(display.show, f"{_beginning()}: {done}{self._kernel} ({now:.0f} s)")
                self.shown = True
            self._after(TICK, self.tick)

    def finish(self) -> None:
        """Print the summary if the line was shown."""
        with self._lock:
            display = self._display()
            if self.shown and not self._running and display is not None and not display.remains:
                _try(display.hide)
                count, total = self.count - self.summed_up[0], self.total - self.summed_up[1]
                kernels = "kernel" if count == 1 else "kernels"
                _try(display.say, f"paddle_lite: {count} {kernels} compiled in {total:.1f} s{_where()}")
                self.shown, self.summed_up = False, (self.count, self.total)
            self._after(0, None)

    def _display(self) -> Display | None:
        """Return what shows a line where stderr goes now."""
        kind = DISPLAYS.get(kind_of(sys.stderr))
        if kind is not None and kind not in self._displays:
            self._displays[kind] = kind()
        return None if kind is None else self._displays[kind]

    def _after(self, delay: float, call: Any) -> None:
        """Replace the pending timer by one that calls `call` after a delay."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if call is not None and (call != self.finish or self.shown):
            self._timer = threading.Timer(delay, call)
            self._timer.daemon = True
            self._timer.start()


def _try(tell: Callable[..., None], *words: str) -> None:
    """Tell something, if somebody still reads it: a program does not end because its pipe was closed."""
    with contextlib.suppress(OSError, ValueError):
        tell(*words)


def _beginning() -> str:
    """Return what is happening, and how often if the kernels are kept."""
    return f"paddle_lite: compiling kernels{', once for this machine' if directory() else ''}"


def _where() -> str:
    """Return where the kernels are kept, as the end of a sentence."""
    place = directory()
    return f"; the next process finds them in {place}" if place else ""


@functools.cache
def _progress() -> Progress:
    """Return the progress line of this process."""
    progress = Progress()
    atexit.register(progress.finish)
    return progress


@contextlib.contextmanager
def compiling(kernel: str) -> Iterator[None]:
    """Show that a kernel is compiled."""
    progress, compilation = _progress(), object()
    try:
        progress.start(compilation, kernel)
        yield
    finally:
        progress.end(compilation)


def listen() -> None:
    """Register the progress line with Numba's compilation events."""
    from numba.core import event

    progress = _progress()

    class Listener(event.Listener):
        def __init__(self) -> None:
            self.running: list[object] = []

        def on_start(self, event: Any) -> None:
            self.running.append(object())
            progress.start(self.running[-1], event.data["dispatcher"].py_func.__name__)

        def on_end(self, event: Any) -> None:
            if self.running:
                progress.end(self.running.pop())

    event.register("numba:compile", Listener())
