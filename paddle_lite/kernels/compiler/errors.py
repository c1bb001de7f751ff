"""What the compiler refuses."""

from __future__ import annotations

__all__ = ["Unsupported"]


class Unsupported(Exception):
    """The source of a kernel, or an argument, is outside of the language that the compiler knows; Numba compiles it instead.

    Attributes:
        what: what is not known.
        where: "file:line" of the source, once it is known; "" before.
    """

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what
        self.where = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what
