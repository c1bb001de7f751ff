"""What 1.8.5 adds to its classes after they are defined; here they have it from the start."""

from __future__ import annotations

from typing import Any

from ...core.dtype import VarType
from ...core.errors import ArgumentTypeError, describe, message

__all__ = ["monkey_patch", "monkey_patch_reader"]

compare_ops = ["__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"]
supported_int_dtypes = [VarType.UINT8, VarType.INT8, VarType.INT16, VarType.INT32, VarType.INT64]


def monkey_patch() -> None:
    """Make sure that Variables have their operators and methods, which they do here from the start."""


def monkey_patch_reader(reader: Any) -> Any:
    """Return a reader of a Program; it has `reset` from the start.

    Raises:
        ArgumentTypeError: it is no reader.
    """
    if not callable(getattr(reader, "reset", None)):
        needs = "what py_reader returns"
        raise ArgumentTypeError(message("monkey_patch_reader_methods", "reader", describe(reader), needs))
    return reader
