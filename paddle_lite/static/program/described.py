"""Which class describes a Program, a block, an operator or a Variable, and which function writes its text; `static/desc`, which has
these, says so here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.errors import ArgumentTypeError, describe, message

describers: dict[str, Callable[[Any], Any]] = {}
"""What is described, "program", "block", "operator" or "variable" -> the class of its description."""
writers: dict[str, Callable[[Any, bool], str]] = {}
"""The same -> the function that returns its text, without or with details."""


def described_text(kind: str, part: Any, throw_on_error: bool, with_details: bool = False) -> str:
    """Return a part of a Program as the text of the message that describes it in a file.

    Raises:
        ArgumentTypeError: an option is not a bool.
    """
    for name, value in (("throw_on_error", throw_on_error), ("with_details", with_details)):
        if not isinstance(value, bool):
            where = f"{type(part).__name__}.to_string"
            raise ArgumentTypeError(message(where, name, describe(value), "a bool"))
    return writers[kind](part, with_details)
