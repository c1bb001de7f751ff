"""The logistic function for references."""

from __future__ import annotations

from typing import Any


def sigmoid(xp: Any, x: Any) -> Any:
    """Return 1 / (1 + exp(-x)), computed with tanh to avoid overflow."""
    return (xp.tanh(x / 2) + 1) / 2
