"""Fixed loops: the rounds of a loop whose values keep their shapes, as one kernel, or those of its gradient.

The rounds end with a condition that they compute, as a state; the gradient runs as many of them from the last to the first. An array
with a part for each round has as many parts as there is memory for, and the function runs some rounds in a call, so that Python can
give it more memory, and look for signals. The value of a state for the next round is written where that round reads it.

A list is an array of tensors of one shape, side by side in an array of the kernel. A round that asks for an element that is not there
ends the function: loops have no effects, so that Python can begin anew, with more memory or round by round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, Literal, NamedTuple

import numpy as np

from ...core.threads.cached import cached_property
from ..array_pointers import array_at
from ..cpu.shape.in_kernels import along
from .element_texts import ElementTexts
from .expression import Node
from .ragged_loops import Array, Part, RaggedLoop

__all__ = ["AlongPart", "Back", "ElementPart", "FixedLoop", "FoldPart", "Kept", "ListPart", "RowsPart", "Walk"]

Shape = tuple[int, ...]


class Walk(NamedTuple):
    """The elements of an array, one for each place of a loop: the one with number `begin`, and so many further in each dimension."""

    array: int
    strides: tuple[int, ...]
    begin: int = 0


class ElementPart(NamedTuple):
    """Elements of an array are an expression of x0, x1, ..., elements of other arrays, in a loop over these sizes.

    fresh: whether the array begins as zeros. adds: whether results for one element are added up. refused: the expression that says of
    which elements none is computed.
    """

    sizes: Shape
    node: Node
    to: Walk
    reads: tuple[Walk, ...]
    fresh: bool = False
    adds: bool = False
    refused: Node | None = None


class FoldPart(NamedTuple):
    """The number `to` is the sum, mean, maximum, minimum, conjunction or disjunction (`how`) of all elements of an array."""

    to: int
    how: str
    of: int


class AlongPart(NamedTuple):
    """What the function `how` of `kernels/cpu/shape/in_kernels.py` computes of an array [outer, size, inner], with these numbers."""

    how: str
    of: int
    to: tuple[int, ...]
    sizes: tuple[int, int, int]
    numbers: tuple[int, ...] = ()


class ListPart(NamedTuple):
    """What a round does with the element of a list at the place that an array of one integer says.

    how: "read", the array `other` = the element; "write", the element = `other`; "add", the element += `other`; "clear", the element
    = 0. written, length: the arrays of flags that say which elements there are, and of the number of elements; None where all are
    there, as in a gradient.
    """

    how: Literal["read", "write", "add", "clear"]
    of: int
    place: int
    other: int | None = None
    written: int | None = None
    length: int | None = None


class RowsPart(NamedTuple):
    """Rows of a table at places that an array of integers says, and as many rows, `number`, one behind the other.

    how: "take", the latter = the former; "put", the other way round; "add", rows of the table += the others. sizes: those of the axes
    of the table in front of its rows, usually one; a place is an integer for each. width: the elements of a row. skip: the place that is left out, and whose row is taken as zeros; None for none. fresh: whether the
    table begins as zeros.
    """

    how: Literal["take", "put", "add"]
    table: int
    places: int
    rows: int
    number: int
    sizes: Shape
    width: int
    skip: int | None = None
    fresh: bool = False


FixedPart = ElementPart | FoldPart | AlongPart | ListPart | RowsPart


class Kept(NamedTuple):
    """A state that the next round reads at its part of the array `to`: this round copies it there from `of`."""

    of: int
    to: int


class Back(NamedTuple):
    """The gradient of a state: the round before finds in `to` what is in `of`; zeros where that is None."""

    of: int | None
    to: int


class FixedLoop(RaggedLoop):
    """The source of a kernel that runs parts in turn, round by round.

    Arguments:
        parts: the parts of a round. arrays: all arrays. states: what rounds hand on, `Kept`, or `Back` in a gradient.
        dtypes: those that `Array.like` refers to.
        condition: the array of the number that says whether there is another round; None for a gradient.

    Attributes:
        source: source of `fixed(table, numbers ..., like ...)`. The table holds the number of the first round, that of the round
            before which it returns, and for each array its number of elements and its address. It returns the number of the round
            that would be next. A gradient starts with the round before the first number, and ends with that of the second one.
            Of a round that writes beyond the end of a list it returns -1 less the length that the list needs; of one that reads
            what was never written, or has a place outside of a list or table, or a number that an operator refuses, -1.
    """

    name = "fixed"
    parts: Sequence[Part | FixedPart]  # type: ignore[assignment]
    states: Sequence[Kept | Back]  # type: ignore[assignment]

    def __init__(
        self, parts: Sequence[Part | FixedPart], arrays: Sequence[Array], states: Sequence[Kept | Back],
        dtypes: Sequence[np.dtype], condition: int | None,
    ) -> None:  # fmt: skip
        super().__init__(parts, arrays, states, dtypes, condition is None)  # type: ignore[arg-type]
        self.condition = condition

    @cached_property
    def source(self) -> str:
        """The source. It is put together when the kernel is compiled: the tiles of products depend on the processor."""
        self.scope: dict[str, Any] = {"array_at": array_at}
        self.texts = ElementTexts(self.scope)
        self.texts.add_functions(self.dtypes)
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        """Yield the lines of the function."""
        yield self._opening([])
        yield "    t = table[0]"
        for i in range(len(self.arrays)):
            yield self._array(i, 2 + 2 * i)
        if self.condition is None:
            yield "    while t > table[1]:"
            yield "        t -= 1"
        else:
            yield f"    while t < table[1] and a{self.condition}[t]:"
        yield from self._step()
        if self.condition is not None:
            yield "        t += 1"
        yield "    return t"

    def _part(self, number: int, part: Part | FixedPart) -> Iterator[str]:
        """Yield the lines of a part."""
        if isinstance(part, ElementPart):
            yield from self._elements(number, part)
        elif isinstance(part, FoldPart):
            array = self.arrays[part.of]
            yield f"of{number} = {self._window(part.of)}"
            yield f"to{number} = {self._window(part.to)}"
            yield from self.texts.fold(part.how, self.dtypes[array.like], str(array.width), f"of{number}", f"v{number}")
            yield f"to{number}[0] = v{number}"
        elif isinstance(part, AlongPart):
            self.scope[f"along_{part.how}"] = along(part.how)
            given = [*map(self._window, (part.of, *part.to)), *map(str, (*part.sizes, *part.numbers))]
            yield f"along_{part.how}({', '.join(given)})"
        elif isinstance(part, ListPart):
            yield from self._of_list(number, part)
        elif isinstance(part, RowsPart):
            yield from self._of_table(number, part)
        else:
            yield from super()._part(number, part)

    def _elements(self, number: int, part: ElementPart) -> Iterator[str]:
        """Yield the loop of an expression."""
        reads = []
        for k, walk in enumerate(part.reads):
            yield f"x{number}_{k} = {self._window(walk.array)}"
            reads.append(f"x{number}_{k}[{_place(walk, part.sizes)}]")
        yield f"to{number} = {self._window(part.to.array)}"
        if part.fresh:
            yield f"to{number}[:] = 0"
        indent = ""
        for d, size in enumerate(part.sizes):
            if size != 1:
                yield f"{indent}for e{d} in range({size}):"
                indent += "    "
        dtypes = [self.dtypes[self.arrays[walk.array].like] for walk in part.reads]
        if part.refused is not None:
            yield f"{indent}if {self.texts.text(part.refused, reads, dtypes[-1])}:"
            yield f"{indent}    return -1"
        text = self.texts.value(part.node, self.dtypes[self.arrays[part.to.array].like], dtypes, reads)
        yield f"{indent}to{number}[{_place(part.to, part.sizes)}] {'+=' if part.adds else '='} {text}"

    def _of_list(self, number: int, part: ListPart) -> Iterator[str]:
        """Yield what a round does with an element of a list."""
        width, place = self.arrays[part.of].width, f"place{number}"
        element = f"a{part.of}[{place} * {width} : ({place} + 1) * {width}]"
        other = "0" if part.other is None else self._window(part.other)
        yield f"of{number} = {self._window(part.place)}"
        yield f"{place} = of{number}[0]"
        if part.written is not None:
            flags = f"a{part.written}"
            missing = f" or {place} >= len({flags}) or {flags}[{place}] == 0" if part.how == "read" else ""
            yield f"if {place} < 0{missing}:"
            yield "    return -1"
            if part.how == "write":
                yield f"if {place} >= len({flags}):"
                yield f"    return -2 - {place}"
                yield f"{flags}[{place}] = 1"
                yield f"if {place} >= a{part.length}[0]:"
                yield f"    a{part.length}[0] = {place} + 1"
        if part.how == "read":
            yield f"to{number} = {other}"
            yield f"to{number}[0:{width}] = {element}"
        elif part.how == "add":
            yield f"to{number} = {element}"
            yield f"x{number} = {other}"
            yield f"for e in range({width}):"
            yield f"    to{number}[e] += x{number}[e]"
        else:
            yield f"{element} = {other}"

    def _of_table(self, number: int, part: RowsPart) -> Iterator[str]:
        """Yield the loop over rows of a table."""
        width, row = part.width, f"row{number}"
        of_table, of_rows = f"{row} * {width} : ({row} + 1) * {width}", f"r * {width} : (r + 1) * {width}"
        for name, array in (("table", part.table), ("places", part.places), ("rows", part.rows)):
            yield f"{name}{number} = {self._window(array)}"
        if part.fresh:
            yield f"table{number}[:] = 0"
        yield f"for r in range({part.number}):"
        places = [f"places{number}[r * {len(part.sizes)} + {d}]" for d in range(len(part.sizes))]
        steps = [prod(part.sizes[d + 1 :]) for d in range(len(part.sizes))]
        yield f"    {row} = {' + '.join(f'{place} * {step}' for place, step in zip(places, steps, strict=True))}"
        indent = "    "
        if part.skip is not None:
            if part.how == "take":
                yield f"    if {row} == {part.skip}:"
                yield f"        rows{number}[{of_rows}] = 0"
                yield "    else:"
            else:
                yield f"    if {row} != {part.skip}:"
            indent += "    "
        if part.how == "take":
            outside = (f"{place} < 0 or {place} >= {n}" for place, n in zip(places, part.sizes, strict=True))
            yield f"{indent}if {' or '.join(outside)}:"
            yield f"{indent}    return -1"
            yield f"{indent}rows{number}[{of_rows}] = table{number}[{of_table}]"
        elif part.how == "put":
            yield f"{indent}table{number}[{of_table}] = rows{number}[{of_rows}]"
        else:
            yield f"{indent}for e in range({width}):"
            yield f"{indent}    table{number}[{row} * {width} + e] += rows{number}[r * {width} + e]"

    def _state(self, state: Kept | Back) -> Iterator[str]:  # type: ignore[override]
        """Yield the lines that hand a state to the next round, or its gradient to the round before."""
        width = self.arrays[state.to].width
        if isinstance(state, Kept):
            yield f"a{state.to}[(t + 1) * {width} : (t + 2) * {width}] = {self._window(state.of)}"
        else:
            yield f"a{state.to}[0 : {width}] = {0 if state.of is None else self._window(state.of)}"


def _place(walk: Walk, sizes: Shape) -> str:
    """Return the text of an element's number."""
    steps = [
        f"e{d} * {step}" for d, (step, size) in enumerate(zip(walk.strides, sizes, strict=True)) if step and size != 1
    ]
    return " + ".join([*steps, *[str(walk.begin)] * (walk.begin > 0 or not steps)])
