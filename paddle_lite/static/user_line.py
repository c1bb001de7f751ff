"""The user's line that makes an operator: errors name it."""

from __future__ import annotations

import os
import sys

_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_own: dict[object, bool] = {}


def user_line() -> tuple[str, int] | None:
    """(file, line number) of the innermost frame outside of paddle_lite; None where there is none."""
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        own = _own.get(code)
        if own is None:
            own = _own[code] = code.co_filename.startswith(_HERE) or code.co_filename.startswith("<")
        if not own:
            return code.co_filename, frame.f_lineno
        frame = frame.f_back  # type: ignore[assignment]
    return None


def shown(line: tuple[str, int] | None) -> str:
    """The line as a traceback shows it; empty where it is not known."""
    if line is None:
        return ""
    import linecache

    text = linecache.getline(*line).strip()
    return f'File "{line[0]}", line {line[1]}' + (f": {text}" if text else "")
