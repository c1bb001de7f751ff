"""Ragged loops: the steps of a recurrence over sequences of different lengths as one kernel.

The sequences are in order of decreasing length, so that step t computes the first rows: those of the sequences longer than t. How
many these are is known at run time. An array with rows for all steps holds those of one step after another; `bounds` say where each
step begins. An array that is used in one step at a time begins at its first element in each.

There are several kinds of rows: kind 1 has a row for each sequence that has the step. A further kind has for each of these a
sequence of rows, such as the words that a decoder looks at; `offsets` say where the rows of each sequence begin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...core.threads.cached import cached_property
from ..array_pointers import array_at
from ..cpu.math.block_products import product_in_kernels
from ..cpu.sequence.in_kernels import of_sequences
from ..numba_jit import compile_source
from .loops import FusedLoop

__all__ = [
    "Added",
    "Array",
    "Backed",
    "ColumnsPart",
    "Copied",
    "FusedPart",
    "Handed",
    "Part",
    "ProductPart",
    "RaggedLoop",
    "SequencesPart",
    "Size",
]

PART = 400  # characters of the source of a part, about


class Size(NamedTuple):
    """The size of a dimension of a loop: `factor` elements, times the rows of this kind in a step, if it has a kind."""

    factor: int
    rows: int = 0

    def __str__(self) -> str:
        if self.factor == 1 and self.rows:
            return f"rows{self.rows}"
        return f"rows{self.rows} * {self.factor}" if self.rows else str(self.factor)


class Array(NamedTuple):
    """An array of the kernel.

    width: the elements of a row; of all, where it has no rows. like: the index of its dtype. rows: the kind of its rows; 0 for an
    array that has one. steps: whether each step has a part of its own. zeros: whether it begins as zeros. lead: of an array whose
    steps have parts, the number of parts in front of that of the first step.
    """

    width: int
    like: int
    rows: int = 0
    steps: bool = False
    zeros: bool = False
    lead: int = 0


class FusedPart(NamedTuple):
    """Fused loops over a frame of these sizes in a dtype, with the arrays that they read and write."""

    loop: FusedLoop
    dtype: np.dtype
    sizes: tuple[Size, ...]
    reads: tuple[int, ...]
    gives: tuple[int, ...]


class ProductPart(NamedTuple):
    """The product `to` of a matrix x [rows, inner] and y [inner, columns]."""

    rows: Size
    inner: int
    columns: int
    x: int
    y: int
    to: int


class Added(NamedTuple):
    """The elements of an array, added to the first ones of `to`."""

    of: int
    to: int


class Copied(NamedTuple):
    """The elements of an array in a step, in the place of those of `to`."""

    of: int
    to: int


class ColumnsPart(NamedTuple):
    """Columns of the rows of the array `of`, from `begin` on, copied to `wide` columns of `to` from `at` on.

    rows: the number of rows. widths: the elements of a row of `of`, and of one of `to`. zeros: whether the other columns of `to`
    become zeros.
    """

    rows: Size
    of: int
    begin: int
    to: int
    at: int
    wide: int
    widths: tuple[int, int]
    zeros: bool


class SequencesPart(NamedTuple):
    """What is computed of the rows of each sequence, as `OfSequences` says, to the array `to` from the arrays `given`.

    width: the elements of a row. kind: of the rows that are in sequences.
    """

    how: str
    share: str
    width: int
    kind: int
    given: tuple[int, ...]
    to: int


Part = FusedPart | ProductPart | SequencesPart | ColumnsPart | Added | Copied


class Handed(NamedTuple):
    """A state: array `to` is in the first step the array `first`, and in each later one the rows of `of` in the step before."""

    first: int
    of: int
    to: int


class Backed(NamedTuple):
    """The gradient of a state: in each step `to` is what `of` was in the step after it, and zeros for the sequences that end here.

    After the first step `of` is copied to `first`. Both `to` and `first` begin as zeros.
    """

    of: int
    to: int
    first: int


class RaggedLoop:
    """The source of a kernel that runs parts in turn, step by step.

    Arguments:
        parts: the parts of a step. arrays: all arrays. states: what steps hand on. dtypes: those that `Array.like` refers to.
        back: whether it goes from the last step to the first; then the states are `Backed`, otherwise `Handed`.

    Attributes:
        scope: the globals of the source.
        kinds: the number of kinds of rows.
        source: source of `ragged(table, bounds ..., offsets ..., numbers ..., like ...)`. The table holds for each array its number of
            elements and its address. The bounds are those of each kind of rows, the offsets those of each but the first. The numbers
            are those of the fused parts.
    """

    name: ClassVar = "ragged"

    def __init__(
        self, parts: Sequence[Part], arrays: Sequence[Array], states: Sequence[Handed | Backed], dtypes: Sequence[np.dtype],
        back: bool,
    ) -> None:  # fmt: skip
        self.parts, self.arrays, self.states, self.dtypes, self.back = parts, arrays, states, dtypes, back
        self.kinds = max([1, *(array.rows for array in arrays)])
        self._loops: dict[tuple[FusedLoop, np.dtype], str] = {}

    @cached_property
    def source(self) -> str:
        """The source. It is put together when the kernel is compiled: the tiles of products depend on the processor."""
        self.scope: dict[str, Any] = {"array_at": array_at}
        return "\n".join(self._lines()) + "\n"

    def compiled(self) -> Any:
        """Return the kernel."""
        return compile_source(self.name, self.source, self.scope)

    @property
    def characters(self) -> int:
        """The approximate length of the source, with that of the loops that it calls."""
        loops = {part.loop for part in self.parts if isinstance(part, FusedPart)}
        return PART * (len(self.parts) + len(self.states)) + sum(len(loop.source) for loop in loops)

    @property
    def work(self) -> int:
        """The operations of a step with one row of each kind, about; 8 multiplications of products count as one."""
        products = (part for part in self.parts if isinstance(part, ProductPart))
        multiplied = sum(part.rows.factor * part.inner * part.columns for part in products)
        return multiplied // 8 + sum(array.width for array in self.arrays)

    # --- the function -------------------------------------------------------------------------------------------------

    def _lines(self) -> Iterator[str]:
        """Yield the lines of the function."""
        kinds = range(1, self.kinds + 1)
        given = [*(f"bounds{kind}" for kind in kinds), *(f"offsets{kind}" for kind in kinds[1:])]
        yield self._opening(given)
        yield "    steps = len(bounds1) - 1"
        for i, array in enumerate(self.arrays):
            yield self._array(i, 2 * i)
            if array.zeros:
                yield f"    a{i}[:] = 0"
        yield "    rows1 = bounds1[1] - bounds1[0]"
        for state in self.states:
            if isinstance(state, Handed):
                width = self.arrays[state.to].width
                yield f"    a{state.to}[0 : rows1 * {width}] = a{state.first}[0 : rows1 * {width}]"
        yield "    for count in range(steps):"
        yield f"        t = {'steps - 1 - count' if self.back else 'count'}"
        for kind in kinds:
            yield f"        first{kind} = bounds{kind}[t]"
            yield f"        rows{kind} = bounds{kind}[t + 1] - first{kind}"
        yield from self._step()

    def _opening(self, given: Sequence[str]) -> str:
        """Return the first line of the function; given: the names of what it takes besides."""
        numbered = [f"numbers{i}" for i, part in enumerate(self.parts) if isinstance(part, FusedPart)]
        likes = [f"like{i}" for i in range(len(self.dtypes))]
        return f"def {self.name}({', '.join(['table', *given, *numbered, *likes])}):"

    def _array(self, i: int, at: int) -> str:
        """Return the line that makes an array of its number of elements and its address, which are in the table from `at` on."""
        return f"    a{i} = array_at(table[{at + 1}], table[{at}], like{self.arrays[i].like})"

    def _step(self) -> Iterator[str]:
        """Yield the lines of a step."""
        for number, part in enumerate(self.parts):
            yield from (f"        {line}" for line in self._part(number, part))
        for state in self.states:
            yield from (f"        {line}" for line in self._state(state))

    def _window(self, i: int) -> str:
        """Return the part of an array that a step reads or writes."""
        array = self.arrays[i]
        if not array.rows and not array.steps:
            return f"a{i}"
        step = f"first{array.rows}" if array.rows else f"(t + {array.lead})" if array.lead else "t"
        start = f"{step} * {array.width}" if array.steps else "0"
        return f"a{i}[{start} : {start} + {self._size(array)}]"

    def _size(self, array: Array) -> str:
        return str(Size(array.width, array.rows))

    def _part(self, number: int, part: Part) -> Iterator[str]:
        """Yield the lines of a part."""
        if isinstance(part, FusedPart):
            yield self._fused(number, part)
        elif isinstance(part, ProductPart):
            dtype = self.dtypes[self.arrays[part.to].like]
            function = product_in_kernels(part.columns, dtype.itemsize)
            name = f"product{part.columns}_{dtype.itemsize}"
            self.scope[name] = function
            x, y, to = (self._window(i) for i in (part.x, part.y, part.to))
            yield f"to{number} = {to}"
            yield f"{name}({x}, {y}, to{number}, to{number}, {part.rows}, {part.inner}, {part.columns}, False)"
        elif isinstance(part, ColumnsPart):
            source, made = part.widths
            yield f"of{number} = {self._window(part.of)}"
            yield f"to{number} = {self._window(part.to)}"
            if part.zeros:
                yield f"to{number}[:] = 0"
            yield f"for r in range({part.rows}):"
            yield f"    begin, at = r * {source} + {part.begin}, r * {made} + {part.at}"
            yield f"    to{number}[at : at + {part.wide}] = of{number}[begin : begin + {part.wide}]"
        elif isinstance(part, SequencesPart):
            function = of_sequences(part.how, part.share)
            self.scope[function.python.__name__] = function
            given = [self._window(i) for i in part.given]
            yield f"{function.python.__name__}({', '.join([*given, self._window(part.to)])}, offsets{part.kind}, rows1, {part.width})"
        else:
            size = self._size(self.arrays[part.of])
            of, to = self._window(part.of), self._window(part.to)
            yield f"of{number} = {of}"
            yield f"to{number} = {to}"
            yield f"for e in range({size}):"
            yield f"    to{number}[e] {'+=' if isinstance(part, Added) else '='} of{number}[e]"

    def _fused(self, number: int, part: FusedPart) -> str:
        """Return the call of fused loops."""
        key = (part.loop, part.dtype)
        if key not in self._loops:
            self._loops[key] = f"loops{len(self._loops)}"
            self.scope[self._loops[key]] = part.loop.nested(part.dtype)
        sizes = list(map(str, part.sizes))
        span = ["0", sizes[0]] if part.loop.cuts else []
        arrays = [self._window(i) for i in (*part.reads, *part.gives)]
        return f"{self._loops[key]}({', '.join([*span, f'numbers{number}', *sizes, *arrays])})"

    def _state(self, state: Handed | Backed) -> Iterator[str]:
        """Yield the lines that hand a state to the next step."""
        width = self.arrays[state.to].width
        of = f"state{state.to}"
        yield f"{of} = {self._window(state.of)}"
        if isinstance(state, Handed):
            yield "if t + 1 < steps:"
            yield f"    size = (bounds1[t + 2] - bounds1[t + 1]) * {width}"
            yield f"    begin = bounds1[t + 1] * {width}"
            yield f"    a{state.to}[begin : begin + size] = {of}[0:size]"
            return
        size = f"rows1 * {width}"
        yield "if t > 0:"
        yield f"    a{state.to}[0 : {size}] = {of}[0 : {size}]"
        yield f"    a{state.to}[{size} : (first1 - bounds1[t - 1]) * {width}] = 0"
        yield "else:"
        yield f"    a{state.first}[0 : {size}] = {of}[0 : {size}]"
