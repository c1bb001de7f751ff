"""What paddle_lite needs of the Python that runs it."""

from __future__ import annotations

import sys

NO_GIL = (
    "paddle_lite needs Python's global interpreter lock (GIL), which is off in this process: it updates arrays in place where "
    "reference counts say that nobody else holds them, and without the lock these counts say nothing. Start this Python "
    "with PYTHON_GIL=1 in the environment, or with -X gil=1, or use the ordinary build (python3.13, not python3.13t)."
)


def require_gil() -> None:
    """Raise unless one thread at a time runs Python code.

    Raises:
        ImportError: this is a free-threaded Python whose global interpreter lock is off.

    >>> require_gil()
    """
    enabled = getattr(sys, "_is_gil_enabled", None)
    if enabled is not None and not enabled():
        raise ImportError(NO_GIL, name="paddle_lite")
