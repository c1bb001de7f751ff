"""Whether kernels are compiled in this process: the single answer for everything that would call a compiled kernel.

They are not if the environment variable `PADDLE_LITE_DISABLE_JIT` is set, nor if llvmlite is not installed, as in a
browser's Python. Then operators run their references, and Plans have no passes that call compiled kernels; all of these
are NumPy.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import sys
import warnings

__all__ = ["jit_available"]

NEEDED = "llvmlite"
_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def jit_available() -> bool:
    """Return whether kernels are compiled; warn once in a process that cannot compile them."""
    return os.environ.get("PADDLE_LITE_DISABLE_JIT", "0") in ("", "0") and _installed()


@functools.cache
def _installed() -> bool:
    """Return whether the package that compiles is installed, without importing it; warn if it is not."""
    try:
        found = importlib.util.find_spec(NEEDED) is not None
    except ImportError:
        found = False
    if not found:
        warnings.warn(
            f"paddle_lite compiles no kernels: {NEEDED} is not installed. Operators run as NumPy, which is several times "
            f"slower. Install it (pip install {NEEDED}), or set PADDLE_LITE_DISABLE_JIT=1 to silence this.",
            UserWarning,
            stacklevel=_level_of_user(),
        )
    return found


def _level_of_user() -> int:
    """Return the `stacklevel`, for a warning by the caller, of the innermost frame outside of paddle_lite."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith((_HERE, "<")):
        level, frame = level + 1, frame.f_back
    return level
