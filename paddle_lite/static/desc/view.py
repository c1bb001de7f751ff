"""View: what the descriptions of Programs, blocks, operators and Variables have in common."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentTypeError, describe, message
from ...core.guarded import guarded_whole


class View:
    """A view of one object; two views of the same object are equal."""

    __slots__ = ("__weakref__", "of")

    def __init_subclass__(cls) -> None:
        guarded_whole(cls)

    def __init__(self, of: Any) -> None:
        self.of = of

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and other.of is self.of

    def __hash__(self) -> int:
        return id(self.of)


def text(where: str, name: str | bytes) -> str:
    """Return a name as text; PaddlePaddle's blocks take names as bytes.

    Raises:
        ArgumentTypeError: it is neither text nor bytes.
    """
    if isinstance(name, bytes):
        return name.decode()
    if isinstance(name, str):
        return name
    raise ArgumentTypeError(message(where, "name", describe(name), "a name, as bytes or str"))
