"""Threads of programs of PaddlePaddle, whose guards hold for the whole process."""

from __future__ import annotations

import threading

from .contexts import with_this_context

_start = threading.Thread.start


def let_threads_inherit() -> None:
    """Let each thread begin with what the guards around its start have set: its mode, its scope, whether gradients are recorded.

    Programs that were written for PaddlePaddle start threads inside of `dygraph.guard` or `scope_guard`, and expect these to
    hold there. A guard that a thread enters or leaves later still changes that thread alone.
    """
    threading.Thread.start = _inheriting  # type: ignore[method-assign, assignment]


def _inheriting(thread: threading.Thread) -> None:
    body, run = thread.run, with_this_context(thread.run)

    def once() -> None:
        thread.__dict__["run"] = body  # the thread and its context are not kept by each other
        run()

    thread.run = once  # type: ignore[method-assign]
    try:
        _start(thread)
    except BaseException:
        thread.__dict__["run"] = body
        raise
