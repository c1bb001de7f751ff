"""The location of an operator's declaration, which distinguishes paddle_lite's operators from users' own."""

from __future__ import annotations

import sys
from typing import NamedTuple

from ...core.guarded import is_guard

_PACKAGE = __name__.partition(".")[0]


class Origin(NamedTuple):
    """The location of an operator's declaration.

    Arguments:
        module: the module's name; "__main__" for a script.
        name: the qualified name of the class, or the operator's type where an expression declares it.
        file, line: the call that declares it.
    """

    module: str
    name: str
    file: str
    line: int

    @property
    def outside(self) -> bool:
        """Return whether the operator is declared outside of paddle_lite."""
        return self.module.partition(".")[0] != _PACKAGE

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def calling(name: str) -> Origin:
    """Return the location from which the caller of this function was called, as the Origin of `name`."""
    frame = sys._getframe(2)
    while is_guard(frame.f_code) and frame.f_back is not None:
        frame = frame.f_back
    return Origin(frame.f_globals.get("__name__", "__main__"), name, frame.f_code.co_filename, frame.f_lineno)
