"""The operators under test."""

from __future__ import annotations

from paddle_lite.ops.framework import registry
from paddle_lite.ops.framework.spec import OpDef


def forward_ops() -> list[OpDef]:
    """Every declared operator that is not the gradient of another one, by type."""
    return [op for op in registry.all_ops() if op.forward is None]
