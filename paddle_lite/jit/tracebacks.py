"""Tracebacks of translated functions: the user's frames stay, those of the translator are dropped."""

from __future__ import annotations

import os
from types import TracebackType

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_PLANS = os.path.join(os.path.dirname(os.path.dirname(_HERE)), "static", "plan") + os.sep
HIDDEN = (_HERE, _PLANS, "<paddle_lite ")
"""Prefixes of the files whose frames are dropped: the translator, and running Programs."""


def shortened(error: BaseException) -> BaseException:
    """Return the error with frames of the translator and of Programs dropped. (Translated code has the user's file.)"""
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
