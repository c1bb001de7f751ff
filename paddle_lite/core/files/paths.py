"""The cache directory of a user, for files that can be recreated."""

import os
import sys

__all__ = ["cache_dir"]


def cache_dir(*parts: str) -> str | None:
    """Return the cache directory, or a path inside it; nothing is created.

    The environment variable ``PADDLE_LITE_CACHE_DIR`` decides. Without it the platform does: ``%LOCALAPPDATA%`` on
    Windows, ``~/Library/Caches`` on macOS, ``$XDG_CACHE_HOME`` or ``~/.cache`` elsewhere.

    Args:
        *parts: names of directories or of a file below the cache directory.

    Returns:
        An absolute path, or None where the user has no home directory to put a cache into.

    Example:
        >>> os.path.basename(cache_dir("kernels"))
        'kernels'
    """
    root = os.environ.get("PADDLE_LITE_CACHE_DIR") or _platform_dir()
    return os.path.abspath(os.path.join(os.path.expanduser(root), *parts)) if root else None


def _platform_dir() -> str | None:
    """Return the platform's default cache directory for this library."""
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    elif sys.platform == "darwin":
        base = os.path.join(home, "Library", "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache")
    return os.path.join(base, "paddle_lite") if os.path.isabs(base) else None
