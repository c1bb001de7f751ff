"""Signatures as programs see them: without annotations."""

from __future__ import annotations

import inspect
from collections.abc import Callable


def signature(function: Callable) -> str:
    """What `fluid` shows of a function's parameters."""
    shown = inspect.signature(function)
    bare = [p.replace(annotation=inspect.Parameter.empty) for p in shown.parameters.values()]
    return str(inspect.Signature(bare))
