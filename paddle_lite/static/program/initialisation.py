"""The operators that initialise Parameters in a startup Program."""

from __future__ import annotations

from typing import Any

from ...core import seeds
from ...core.dtype import name_of
from ...ops.support.attributes import plain
from .variable import Variable


def initial_operation(initializer: Any, variable: Variable, seed: int) -> tuple[str, dict[str, Any]]:
    """Return (operator type, attributes) of an initializer for a Variable, in a Program with this random seed."""
    with seeds.use_seed(seed):
        type, attrs = initializer.operation(list(variable.shape), name_of(variable.dtype))
    return type, {name: plain(value) for name, value in attrs.items()}
