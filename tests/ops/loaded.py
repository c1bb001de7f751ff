"""The operators under test."""

from __future__ import annotations

import contextlib
import importlib

from paddle_lite.ops import registry
from paddle_lite.ops.spec import OpDef


def families() -> list[str]:
    """The families whose declarations exist."""
    found = []
    for family in registry.FAMILIES:
        with contextlib.suppress(ImportError):  # being written
            importlib.import_module(f"paddle_lite.ops.{family}")
            found.append(family)
    return found


def forward_ops() -> list[OpDef]:
    """Every declared operator that is not the gradient of another one, by type."""
    families()
    return [op for _, op in sorted(registry._ops.items()) if op.forward is None]
