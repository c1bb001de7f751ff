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
        _say_interrupted()
    else:
        _Watched.shows(kind, error, trace)


def _say_interrupted() -> None:
    print(f"{totals.role or 'process'} {totals.number}: interrupted", file=sys.stderr, flush=True)


@contextlib.contextmanager
def ends_by_signals() -> Iterator[None]:
    """End the block with SystemExit of status 0 when SIGTERM or SIGINT (Ctrl-C) comes; a handler that the program has set stays.

    In a notebook or an interactive session, which should go on, Ctrl-C remains a KeyboardInterrupt.
    """
    usual: dict[signal.Signals, Any] = {signal.SIGTERM: signal.SIG_DFL, signal.SIGINT: signal.default_int_handler}
    if hasattr(sys, "ps1") or "ipykernel" in sys.modules:
        del usual[signal.SIGINT]
    main = threading.current_thread() is threading.main_thread()
    taken = {number: handler for number, handler in usual.items() if main and signal.getsignal(number) is handler}
    for number in taken:
        signal.signal(number, _exit)
    try:
        yield
    finally:
        for number, handler in taken.items():
            signal.signal(number, handler)


def _exit(number: int, frame: Any) -> None:
    if number == signal.SIGINT:
        _say_interrupted()
    raise SystemExit(0)


def _at_exit() -> None:
    kind, error = getattr(sys, "last_type", None), getattr(sys, "last_value", None)
    if kind is None:
        why = None
    elif issubclass(kind, KeyboardInterrupt):
        why = "was interrupted"
    else:
        text = next(iter(str(error).splitlines()), "")[:300].rstrip(".")
        why = f"ended with {kind.__name__}{': ' if text else ''}{text}"
    if _Watched.leaves is not None:
        with contextlib.suppress(EnforceNotMet):  # a server that has ended, too
            _Watched.leaves.ended(why)
