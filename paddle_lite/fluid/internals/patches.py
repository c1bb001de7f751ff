"""What 1.8.5 adds to its classes after they are defined; here they have it from the start."""

from __future__ import annotations

from ...core.dtype import VarType

__all__ = ["monkey_patch"]

compare_ops = ["__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"]
supported_int_dtypes = [VarType.UINT8, VarType.INT8, VarType.INT16, VarType.INT32, VarType.INT64]


def monkey_patch() -> None:
    """Make sure that Variables have their operators and methods, which they do here from the start."""
