"""Work that Ctrl-C does not cut in two, while the program that waits for it is interrupted at once.

Python raises KeyboardInterrupt in the main thread, between two of its instructions: not before a long call of C returns,
and also in the middle of an import that cannot be repeated, or with a lock of LLVM in its hands. Therefore such work runs
in another thread while the main thread waits; and short work with Ctrl-C put off until its end.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Generator
from types import FrameType, TracebackType
from typing import Any, TypeVar

__all__ = ["WORKING", "InterruptsLater", "run_in_steps", "run_to_end"]

POLL = 0.1  # seconds between looks at Ctrl-C; only Windows needs them, elsewhere it ends the waiting by itself
T = TypeVar("T")
WORKING = threading.RLock()  # held while work runs; numba_jit.py registers it for fork(), behind its own lock


class _Work:
    """Steps that are run one after another in a thread of their own."""

    def __init__(self, steps: Generator[None, None, Any]) -> None:
        self.steps = steps
        self.abandoned = False
        self.result: Any = None
        self.error: BaseException | None = None
        self.done = threading.Event()

    def run(self) -> None:
        """Run the steps, or those until nobody waits any more."""
        try:
            with WORKING:
                while not self.abandoned:
                    next(self.steps)
        except StopIteration as end:
            self.result = end.value
        except BaseException as error:
            self.error = error
        finally:
            self.steps.close()
            self.done.set()

    def wait(self) -> None:
        """Wait for the end of the work."""
        while not self.done.wait(POLL):
            pass


def _start(run: Callable[[], None]) -> None:
    try:
        threading.Thread(target=run, name="paddle_lite compiler").start()
    except RuntimeError:  # there is no room for a thread, or Python is about to end
        run()


def run_in_steps(steps: Generator[None, None, T]) -> T:
    """Run a generator to its end and return its result.

    If Ctrl-C interrupts the waiting main thread, KeyboardInterrupt is raised at once. The step that runs at this moment is
    completed, and the following ones are not begun.

    Args:
        steps: a generator; it yields where it may end early.

    Returns:
        What the generator returns.

    Example:
        >>> def steps():
        ...     half = 1 + 2
        ...     yield
        ...     return 2 * half
        >>> run_in_steps(steps())
        6
    """
    work = _Work(steps)
    if threading.current_thread() is not threading.main_thread():  # where no KeyboardInterrupt is raised
        work.run()
    else:
        try:
            _start(work.run)
            work.wait()
        except BaseException:
            work.abandoned = True
            raise
    if work.error is not None:
        raise work.error
    return work.result


def run_to_end(function: Callable[[], T]) -> T:
    """Return function(); Ctrl-C interrupts the waiting main thread at once, but not the function.

    Example:
        >>> run_to_end(lambda: 1 + 2)
        3
    """

    def steps() -> Generator[None, None, T]:
        return function()
        yield  # which makes this a generator

    return run_in_steps(steps())


class InterruptsLater:
    """A context in which Ctrl-C is put off until its end, for work of at most some milliseconds.

    Example:
        >>> with InterruptsLater():
        ...     pass
    """

    def __enter__(self) -> None:
        self.given: tuple[int, FrameType | None] | None = None
        self.handler: Any = None
        if threading.current_thread() is threading.main_thread():
            handler = signal.getsignal(signal.SIGINT)
            if callable(handler):  # else Ctrl-C ends the process, is ignored, or is not handled by Python
                with contextlib.suppress(ValueError):  # only the main interpreter handles signals
                    signal.signal(signal.SIGINT, self._keep)
                    self.handler = handler

    def _keep(self, number: int, frame: FrameType | None) -> None:
        self.given = number, frame

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.handler is not None:
            signal.signal(signal.SIGINT, self.handler)
            if self.given is not None:
                self.handler(*self.given)
