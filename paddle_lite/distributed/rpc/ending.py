"""The end of a process of a job: the others learn of it, and Ctrl-C prints one line."""

from __future__ import annotations

import atexit
import contextlib
import inspect
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from ...core.errors import EnforceNotMet
from .traffic import totals


class Leaves(Protocol):
    """What tells the other processes of the job."""

    def ended(self, why: str | None) -> None:
        """Tell them that this process ends: because of an error, or without one."""


class _Watched:
    leaves: Leaves | None = None
    shows: Callable[[Any, Any, Any], object] = sys.__excepthook__  # what prints other errors


def watch(leaves: Leaves) -> None:
    """Tell other processes when this one ends, whether or not its program does so."""
    if _Watched.leaves is None:
        atexit.register(_at_exit)
        short_interrupt()
    _Watched.leaves = leaves


def short_interrupt() -> None:
    """Let an interrupt (Ctrl-C) that the program does not catch print one line, not a traceback; a hook of its own stays."""
    hook = sys.excepthook
    if hook is not _show and inspect.unwrap(hook) is sys.__excepthook__:
        _Watched.shows, sys.excepthook = hook, _show


def _show(kind: Any, error: Any, trace: Any) -> None:
    if issubclass(kind, KeyboardInterrupt):
        print(f"{totals.role or 'process'} {totals.number}: interrupted", file=sys.stderr, flush=True)
    else:
        _Watched.shows(kind, error, trace)


@contextlib.contextmanager
def ends_by_sigterm() -> Iterator[None]:
    """End the block with SystemExit of status 0 when SIGTERM comes; a handler that the program has set stays."""
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, _exit)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _exit(number: int, frame: Any) -> None:
    raise SystemExit(0)


def _at_exit() -> None:
    kind, error = getattr(sys, "last_type", None), getattr(sys, "last_value", None)
    if kind is None:
        why = None
    elif issubclass(kind, KeyboardInterrupt):
        why = "was interrupted"
    else:
        text = next(iter(str(error).splitlines()), "")[:300]
        why = f"ended with {kind.__name__}{': ' if text else ''}{text}"
    if _Watched.leaves is not None:
        with contextlib.suppress(EnforceNotMet):  # a server that has ended, too
            _Watched.leaves.ended(why)
