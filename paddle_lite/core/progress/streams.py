"""Where a stream goes: to somebody who watches, or into a log."""

from __future__ import annotations

import os
import sys
from typing import Any, Literal

Kind = Literal["terminal", "notebook", "log", "memory"]


def kind_of(stream: Any) -> Kind | None:
    """Return where a stream goes; None for one that is closed or missing.

    "terminal" and "notebook" show a line in the place of the one before, after a carriage return; "log" is a file or a pipe,
    "memory" an object of Python that only holds the text.
    """
    if stream is None or getattr(stream, "closed", False):
        return None
    isatty = getattr(stream, "isatty", None)
    if isatty is not None and isatty() and os.environ.get("TERM") != "dumb":
        return "terminal"
    if type(stream).__module__.startswith("ipykernel.") and "IPython" in sys.modules:
        return "notebook"
    if "PYCHARM_HOSTED" in os.environ and stream in (sys.__stdout__, sys.__stderr__):  # its window is no terminal
        return "terminal"
    try:
        stream.fileno()
    except (AttributeError, OSError, ValueError):  # io.UnsupportedOperation is an OSError
        return "memory"
    return "log"


def is_watched(stream: Any) -> bool:
    """Return whether a stream shows a line in the place of the one before, in a terminal or a notebook.

    >>> import io
    >>> is_watched(io.StringIO())
    False
    """
    return kind_of(stream) in ("terminal", "notebook")
