"""Packages that only a part of paddle_lite needs: the extras of pyproject.toml."""

from __future__ import annotations

import importlib
from typing import Any

from .errors import MissingPackageError


def import_extra(module: str, extra: str, where: str) -> Any:
    """Import and return a module of a package that an extra brings.

    Arguments:
        module: the name of the module, such as "matplotlib.figure".
        extra: the name of the extra.
        where: the call that needs it.

    Raises:
        MissingPackageError: the package is not installed.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        package = (error.name or module).partition(".")[0]
        raise MissingPackageError(
            f"{where}: the package {package} is not installed. Run: pip install 'paddle_lite[{extra}]'"
        ) from None
