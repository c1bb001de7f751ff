"""Loops over the elements of values in a kernel where all sizes are known."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from .....kernels.codegen.expression import Node, name
from .....kernels.codegen.fixed_loops import ElementPart, Walk
from .....kernels.codegen.ragged_loops import Part
from ...ir import Value
from ..rows import Arrays, Kinds, shape_of

Strides = tuple[int, ...]
X = name("x0")
"""The element that is read."""


class Walked(NamedTuple):
    """A value whose elements a loop reads or writes, as `Walk` says."""

    value: Value
    strides: Strides
    begin: int = 0

    def walk(self, arrays: Arrays) -> Walk:
        """Return the walk through the value's array."""
        return Walk(arrays.number(self.value), self.strides, self.begin)


class ElementsStep(NamedTuple):
    """An expression of elements in a loop over these sizes, of any dtype, as `ElementPart` has it."""

    sizes: tuple[int, ...]
    node: Node
    given: tuple[Walked, ...]
    made: Walked
    fresh: bool = False
    adds: bool = False
    refused: Node | None = None

    def reads(self) -> Sequence[Value]:
        """Return the values that it reads."""
        return [each.value for each in self.given]

    def note_rows(self, kinds: Kinds) -> None:
        """Note nothing: a value is a whole."""

    def made_with(self, arrays: Arrays) -> list[Part]:
        """Return the part of the kernel, and add what it makes."""
        made = self.made.value
        arrays.add(made, steps=made in arrays.kept)
        reads = tuple(each.walk(arrays) for each in self.given)
        to = self.made.walk(arrays)
        return [ElementPart(self.sizes, self.node, to, reads, self.fresh, self.adds, self.refused)]  # type: ignore[list-item]


def shape(value: Value) -> tuple[int, ...]:
    """Return the shape of a value."""
    return shape_of(value)[1]


def strides_of(shape: Sequence[int]) -> Strides:
    """Return how many elements further the next place in each dimension is."""
    return tuple(accumulate((1, *shape[:0:-1]), lambda a, b: a * b))[::-1] if shape else ()
