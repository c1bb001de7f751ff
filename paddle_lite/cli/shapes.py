"""The option --shape NAME=D,D,... of commands that run a model."""

from __future__ import annotations

from paddle_lite.core.errors import ArgumentValueError, message


def named_shape(call: str, text: str) -> tuple[str, list[int]]:
    """Return the name and the shape of a --shape.

    >>> named_shape("convert", "x=1,3,8,8")
    ('x', [1, 3, 8, 8])
    """
    name, _, numbers = text.partition("=")
    words = [word.strip() for word in numbers.split(",")]
    if not name or not all(word.isdecimal() for word in words):
        raise ArgumentValueError(message(call, "--shape", repr(text), "NAME=D,D,... as in --shape x=1,3,224,224"))
    return name, [int(word) for word in words]
