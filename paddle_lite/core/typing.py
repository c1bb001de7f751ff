"""The static types of Variables, for annotations. Type checkers read `typing.pyi`; here the names only exist."""

from __future__ import annotations

from typing import Any, ParamSpec, TypeVar

__all__ = ["Computes", "P", "Parameter", "R", "Shape", "Variable"]


class Variable:
    """A Variable of either mode, for type checkers: none of the two classes is derived from it."""


class Parameter(Variable):
    """A Variable that an optimizer trains, for type checkers."""


P = ParamSpec("P")
R = TypeVar("R")
Shape = list[int]
Computes = Any
