"""Chained loops: the rounds of a recurrence as one kernel, a loop around fused loops and products of small matrices.

In a round each part runs in turn. An array of a round is a whole array, a row of an array with a row for each round, or
one of a list of arrays. What a round hands to the next one is the row that was written before. Rows that nobody reads
afterwards are overwritten, so that they stay in the cache.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...core.threads.cached import cached_property
from ..array_pointers import array_at, match_description
from ..cpu.math.register_blocks import tile, tiling
from ..numba_jit import compile_source
from ..simd import lanes
from .loops import FusedLoop

__all__ = ["AHEAD", "BEHIND", "LATEST", "WHOLE", "Array", "Chain", "FusedPart", "ProductPart", "Row"]

WHOLE, LATEST, BEHIND, AHEAD = "whole", "latest", "behind", "ahead"
ARRAY, PART = 180, 400  # characters of the source, about
MOST_VECTORS = 8  # of a tile: so many sums hide the latency of a multiply-add


class Array(NamedTuple):
    """An array of the kernel.

    size: the elements of one round. like: the index of its dtype. made: whether the kernel writes it.
    listed: whether each round reads an array of its own, from a list.
    lead: for an array that is written: 1 if its first row is the value before the first round. kept: whether each round
    has a row of its own; otherwise rows are used again.
    """

    size: int
    like: int
    made: bool = False
    listed: bool = False
    lead: int = 0
    kept: bool = True


class Row(NamedTuple):
    """The part of an array that one round reads or writes.

    array: its index. at: "whole"; "ahead" for the row first + round, "behind" for the row first - round of an array that
    is only read; "latest" for the row that this round writes, or with back=1 that the round before has written.
    """

    array: int
    at: str = WHOLE
    back: int = 0


class FusedPart(NamedTuple):
    """Fused loops over a frame of these sizes, with the arrays that they read and write; `dtype` is the frame's."""

    loop: FusedLoop
    dtype: np.dtype
    sizes: tuple[int, ...]
    reads: tuple[Row, ...]
    gives: tuple[Row, ...]


class ProductPart(NamedTuple):
    """A product of a matrix [rows, inner] with one [inner, columns], added to `start` if there is one."""

    rows: int
    inner: int
    columns: int
    x: Row
    y: Row
    start: Row | None
    to: Row


Part = FusedPart | ProductPart


class Chain:
    """The source of a kernel that runs parts in turn, for a number of rounds.

    Arguments:
        parts: the parts of a round. arrays: those that are read come first.
        initial: pairs of an array with a lead, and the array with the value before the first round.
        dtypes: those that `Array.like` refers to.

    Attributes:
        scope: the globals of the source.
        source: source of `chain(table, descriptions, numbers ..., like ...)`. The table holds the number of rounds, for
            each array its number of elements, for each array that is read in rows its first row, the addresses of all
            arrays that are not listed, and for each listed one those of its rounds. The function returns whether the
            arrays that it reads match the descriptions; if not, nothing is computed.
    """

    def __init__(
        self, parts: Sequence[Part], arrays: Sequence[Array], initial: Sequence[tuple[int, int]], dtypes: Sequence[np.dtype]
    ) -> None:  # fmt: skip
        self.parts, self.arrays, self.initial, self.dtypes = parts, arrays, initial, dtypes
        self._loops: dict[tuple[FusedLoop, np.dtype], str] = {}

    @cached_property
    def source(self) -> str:
        """The source. It is put together when the kernel is compiled: the tiles of products depend on the processor."""
        self.scope: dict[str, Any] = {"array_at": array_at, "match_description": match_description}
        return "\n".join(self._lines()) + "\n"

    def compiled(self) -> Any:
        """Return the kernel."""
        return compile_source("chain", self.source, self.scope)

    @property
    def characters(self) -> int:
        """The approximate length of the source, with that of the loops that it calls."""
        loops = {part.loop for part in self.parts if isinstance(part, FusedPart)}
        return ARRAY * len(self.arrays) + PART * len(self.parts) + sum(len(loop.source) for loop in loops)

    def _lines(self) -> list[str]:
        """Return the lines of the function."""
        numbered = [f"numbers{i}" for i, part in enumerate(self.parts) if isinstance(part, FusedPart)]
        likes = [f"like{i}" for i in range(len(self.dtypes))]
        lines = [f"def chain({', '.join(['table', 'descriptions', *numbered, *likes])}):", "    rounds = table[0]"]
        count = len(self.arrays)
        single = [i for i, array in enumerate(self.arrays) if not array.listed]
        address = {i: f"table[{1 + 2 * count + number}]" for number, i in enumerate(single)}
        listed = [i for i, array in enumerate(self.arrays) if array.listed]
        base = 1 + 2 * count + len(single)
        lines.append("    at = 0")
        for i, array in enumerate(self.arrays):
            if array.listed:
                lines += [
                    f"    list{i} = {base} + {listed.index(i)} * rounds",
                    "    after = at",
                    "    for t in range(rounds):",
                ]
                lines += [f"        after = match_description(descriptions, at, table[list{i} + t])"]
                lines += ["        if after < 0:", "            return False", "    at = after"]
            elif not array.made:
                lines += [
                    f"    at = match_description(descriptions, at, {address[i]})",
                    "    if at < 0:",
                    "        return False",
                ]
        for i, array in enumerate(self.arrays):
            if not array.listed:
                lines.append(f"    a{i} = array_at({address[i]}, table[{1 + i}], like{array.like})")
            if not array.made:
                lines.append(f"    first{i} = table[{1 + count + i}]")
        lines += [f"    a{i}[0 : {self.arrays[i].size}] = a{given}" for i, given in self.initial]
        lines.append("    for t in range(rounds):")
        for number, part in enumerate(self.parts):
            body = self._fused(number, part) if isinstance(part, FusedPart) else self._product(number, part)
            lines += [f"        {each}" for each in body]
        return [*lines, "    return True"]

    def _row(self, row: Row) -> str:
        """Return the expression of the part of an array that a round reads or writes."""
        i, array = row.array, self.arrays[row.array]
        if array.listed:
            return f"array_at(table[list{i} + t], {array.size}, like{array.like})"
        if row.at == WHOLE:
            return f"a{i}"
        if row.at == LATEST:
            later = array.lead - row.back
            at = f"t + {later}" if later else "t"
            if not array.kept:
                at = f"(({at}) & 1)" if array.lead else "0"
        else:
            at = f"first{i} {'+' if row.at == AHEAD else '-'} t"
        return f"a{i}[({at}) * {array.size} : ({at}) * {array.size} + {array.size}]"

    def _fused(self, number: int, part: FusedPart) -> list[str]:
        """Return the call of fused loops."""
        key = (part.loop, part.dtype)
        if key not in self._loops:
            self._loops[key] = f"loops{len(self._loops)}"
            self.scope[self._loops[key]] = part.loop.nested(part.dtype)
        sizes = list(map(str, part.sizes))
        span = ["0", sizes[0]] if part.loop.cuts else []
        rows = [self._row(row) for row in (*part.reads, *part.gives)]
        return [f"{self._loops[key]}({', '.join([*span, f'numbers{number}', *sizes, *rows])})"]

    def _product(self, number: int, part: ProductPart) -> list[str]:
        """Return the lines of a product, computed in tiles whose sums stay in registers."""
        rows, inner, columns = part.rows, part.inner, part.columns
        begin = part.start if part.start is not None else part.to
        lines = [f"x{number} = {self._row(part.x)}", f"y{number} = {self._row(part.y)}"]
        lines += [f"to{number} = {self._row(part.to)}", f"begin{number} = {self._row(begin)}"]
        for i, height, blocks in _cut(rows):
            for j, vectors, whole, panels in _panels(
                columns, height, lanes(self.dtypes[self.arrays[part.to.array].like])
            ):
                name = f"block_{height}_{vectors}" + "_whole" * whole
                self.scope[name] = tile(name, height, vectors, whole)
                step = vectors * lanes(self.dtypes[self.arrays[part.to.array].like])
                row, column = f"({i} + i * {height})", f"({j} + j * {step})"
                lines += [f"for j in range({panels}):", f"    for i in range({blocks}):"]
                lines.append(
                    f"        {name}(x{number}, {row} * {inner}, {inner}, y{number}, {column}, {columns}, {inner}, "
                    f"to{number}, {row} * {columns} + {column}, {columns}, {columns} - {column}, "
                    f"{part.start is not None}, begin{number})"
                )
        return lines


def _cut(rows: int) -> Iterator[tuple[int, int, int]]:
    """Yield (first row, height, number) of tiles of nearly equal heights."""
    blocks = -(-rows // tiling().rows[-1])
    height, higher = divmod(rows, blocks)
    if higher:
        yield 0, height + 1, higher
    yield higher * (height + 1), height, blocks - higher


def _panels(columns: int, height: int, step: int) -> Iterator[tuple[int, int, bool, int]]:
    """Yield (first column, vectors, whether all are full, number) of panels of columns, for tiles of this height."""
    budget = tiling().rows[-1] * tiling().vectors // height
    vectors = max(1, min(MOST_VECTORS, budget))
    count, left = divmod(columns, vectors * step)
    if count:
        yield 0, vectors, True, count
    if left:
        whole = left % step == 0
        yield columns - left, -(-left // step), whole, 1
