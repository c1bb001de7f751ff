"""The error about a label outside the range of classes, which references and kernels share."""

from __future__ import annotations

from ...core.errors import IndexRangeError, message


def invalid_label_error(type: str, label: int, classes: int, ignore_index: int) -> IndexRangeError:
    """Return the error for a label that is neither a class nor `ignore_index`."""
    return IndexRangeError(
        message(type, "Input(Label)", f"label {label}", f"0 to {classes - 1}, or ignore_index {ignore_index}")
    )
