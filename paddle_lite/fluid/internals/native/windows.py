"""Whether SciPy's libraries can be loaded on Windows, which 1.8.5 asks when it is imported there."""

from __future__ import annotations

import importlib

from ....core.errors import MissingPackageError

__all__ = ["check_import_scipy"]


def check_import_scipy(OsName: str) -> None:
    """Import SciPy on Windows, and tell what to do where its libraries are not found; on other systems do nothing.

    Arguments:
        OsName: `os.name`, which is "nt" on Windows.

    Raises:
        MissingPackageError: SciPy is installed, and its libraries are not found.

    >>> import os
    >>> from paddle_lite.check_import_scipy import check_import_scipy
    >>> check_import_scipy(os.name)
    """
    if OsName != "nt":
        return
    try:
        importlib.import_module("scipy.io")
    except ModuleNotFoundError:
        return  # paddle_lite works without SciPy
    except ImportError as error:
        raise MissingPackageError(
            f"check_import_scipy: SciPy cannot be loaded: {error}. Install Visual C++ 2015 Redistributable, and SciPy again."
        ) from error
