"""The error about a class number that is none, for references and kernels alike."""

from __future__ import annotations

from ...core.errors import IndexRangeError, message


def no_such_class(type: str, label: int, classes: int, ignore_index: int) -> IndexRangeError:
    """What to raise where a label is neither a class nor ignored."""
    return IndexRangeError(
        message(type, "Input(Label)", f"label {label}", f"0 to {classes - 1}, or ignore_index {ignore_index}")
    )
