"""The operators under test."""

from __future__ import annotations

from paddle_lite.ops.framework import registry
from paddle_lite.ops.framework.spec import OpDef


def forward_ops() -> list[OpDef]:
    """Every operator of paddle_lite that is not the gradient of another one, by type; none that a test declares."""
    return [op for op in registry.all_ops() if op.forward is None and not op.outside]
