"""Tracebacks of translated functions: they keep the lines of the user and lose those of the translator."""

from __future__ import annotations

import os
from types import TracebackType

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_PLANS = os.path.join(os.path.dirname(os.path.dirname(_HERE)), "static", "plan") + os.sep
HIDDEN = (_HERE, _PLANS, "<paddle_lite ")
"""How the files begin whose frames say nothing to a user: the translator, and Programs that run."""


def shortened(error: BaseException) -> BaseException:
    """The error, without frames of the translator and of Programs in its traceback. (Translated code has the user's file.)"""
    frames = []
    trace = error.__traceback__
    while trace is not None:
        if not trace.tb_frame.f_code.co_filename.startswith(HIDDEN):
            frames.append(trace)
        trace = trace.tb_next
    kept: TracebackType | None = None
    for trace in reversed(frames):
        kept = TracebackType(kept, trace.tb_frame, trace.tb_lasti, trace.tb_lineno)
    return error.with_traceback(kept)
