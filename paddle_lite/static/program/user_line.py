"""The user's line that calls an operator, for errors, and the argument `name` of that call, for names of results."""

from __future__ import annotations

import contextlib
import os
import sys
from functools import lru_cache
from types import FrameType

import numpy

from ...core.generated import MARK
from ...core.guarded import is_guard

_HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep
_NUMPY = os.path.dirname(os.path.abspath(numpy.__file__)) + os.sep  # np.sum(x) asks x for its values
_OWN = (_HERE, _NUMPY, MARK, "<__array_function__", "<frozen ")  # other names in <> are of exec, notebooks and consoles


def user_line() -> tuple[str, int] | None:
    """Return (file, line number) of the innermost frame outside of paddle_lite and NumPy; None if there is none."""
    return user_call()[0]


def user_call() -> tuple[tuple[str, int] | None, str | None]:
    """Return the user's line and the argument `name` of the function of paddle_lite called there; None for missing ones."""
    frame, called = sys._getframe(1), None
    while frame is not None:
        code = frame.f_code
        if not _is_own(code.co_filename):
            return (code.co_filename, frame.f_lineno), _name_in(called)
        if not is_guard(code):
            called = frame
        frame = frame.f_back  # type: ignore[assignment]
    return None, None


@lru_cache(maxsize=1024)
def _is_own(file: str) -> bool:
    """Return whether a file is of paddle_lite or NumPy, generated, or holds the end of a `with`."""
    return file.startswith(_OWN) or file == contextlib.__file__


def _name_in(frame: FrameType | None) -> str | None:
    if frame is None:
        return None
    code = frame.f_code
    takes = "name" in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    name = frame.f_locals.get("name") if takes else None
    return name if isinstance(name, str) and name else None


def format_line(line: tuple[str, int] | None) -> str:
    """Return the line in the format of a traceback; "" if it is unknown."""
    if line is None:
        return ""
    import linecache

    text = linecache.getline(*line).strip()
    return f'File "{line[0]}", line {line[1]}' + (f": {text}" if text else "")
