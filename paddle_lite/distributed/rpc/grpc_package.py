"""The package grpc, which the extra `distributed` installs; it is imported at the first call of a server."""

from __future__ import annotations

import importlib
from typing import Any

from ...core.errors import ModeError


def grpc() -> Any:
    """Return the module `grpc`.

    Raises:
        ModeError: it is not installed.
    """
    try:
        return importlib.import_module("grpc")
    except ImportError as error:
        raise ModeError(f"parameter servers need gRPC: pip install 'paddle-lite[distributed]' ({error})") from None
