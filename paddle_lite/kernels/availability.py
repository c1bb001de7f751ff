"""Whether kernels are compiled in this process: the single answer for everything that would call a compiled kernel.

They are not if the environment variable `PADDLE_LITE_DISABLE_JIT` is set, nor if a package that compiling needs is not
installed, as in a browser's Python. Then operators run their references, and Plans have no passes that call compiled
kernels; all of these are NumPy.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import sys
import warnings

__all__ = ["jit_available", "missing_packages"]

NEEDED = ("llvmlite",)
_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def jit_available() -> bool:
    """Return whether kernels are compiled; warn once in a process in which a needed package is missing."""
    return os.environ.get("PADDLE_LITE_DISABLE_JIT", "0") in ("", "0") and not _missing_with_warning()


def missing_packages() -> list[str]:
    """Return those of the packages that compiling needs which are not installed. Nothing is imported."""
    return [name for name in NEEDED if not _installed(name)]


def _installed(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ImportError:
        return False


@functools.cache
def _missing_with_warning() -> bool:
    missing = missing_packages()
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        warnings.warn(
            f"paddle_lite compiles no kernels: {' and '.join(missing)} {verb} not installed. Operators run as NumPy, which is "
            "several times slower. Install llvmlite (pip install llvmlite), or set PADDLE_LITE_DISABLE_JIT=1 to silence this.",
            UserWarning,
            stacklevel=_level_of_user(),
        )
    return bool(missing)


def _level_of_user() -> int:
    """Return the `stacklevel`, for a warning by the caller, of the innermost frame outside of paddle_lite."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith((_HERE, "<")):
        level, frame = level + 1, frame.f_back
    return level
