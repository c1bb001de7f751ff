"""Round loops: a loop that goes on while a number is true, and computes numbers and small arrays in each round, as one kernel.

Numbers are local variables of the kernel, which LLVM keeps in registers; arrays are read and written in loops over their
elements, one for neighbouring operators of one shape. Integers wrap around, as in C without undefined behaviour.

The kernel runs a limited number of rounds and returns their number, so that Python can look for signals now and then. The
next call goes on with the state that this one has left. A round in which a number is refused, such as a divisor of 0, does not
count, and leaves the state as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...core.threads.cached import cached_property
from ..array_pointers import array_at
from ..numba_jit import compile_source
from .element_texts import ElementTexts, type_name
from .expression import Node

__all__ = ["Array", "ElementStep", "FoldStep", "ProductStep", "RoundLoop", "Step"]

Sizes = tuple[str, ...]


class Array(NamedTuple):
    """An array, or a number if all its sizes are 1.

    sizes: the texts of its sizes: "1", or the name of a size of the kernel. dtype: its dtype.
    """

    sizes: Sizes
    dtype: np.dtype

    @property
    def single(self) -> bool:
        """Whether it is one number."""
        return all(size == "1" for size in self.sizes)

    @property
    def size(self) -> str:
        """The text of the number of elements."""
        return " * ".join(size for size in self.sizes if size != "1") or "1"


class ElementStep(NamedTuple):
    """Each element of `to` is an expression of x0, x1, ..., elements of the arrays in `reads` at its place.

    aligned: the sizes of each of these arrays, "1" where it is broadcast, one for each dimension of `to`. refused: the expression
    that must not be true, if `to` is a number; None for none.
    """

    to: int
    node: Node
    reads: tuple[int, ...]
    aligned: tuple[Sizes, ...]
    refused: Node | None = None


class FoldStep(NamedTuple):
    """The number `to` is the sum, mean, maximum, minimum, conjunction or disjunction (`how`) of all elements of an array."""

    to: int
    how: str
    of: int


class ProductStep(NamedTuple):
    """The matrix `to` is the product of the matrices x and y."""

    to: int
    x: int
    y: int


Step = ElementStep | FoldStep | ProductStep


class RoundLoop:
    """The source of a loop.

    Arguments:
        sizes: the names of sizes.
        arrays: all arrays of a round, in the order in which they exist: those that exist before the loop come first.
        given: the number of these.
        steps: what a round computes, in order.
        handed: pairs (array, its value after the round). condition: the array whose number says whether there is another round.

    Attributes:
        scope: the globals of the source.
        source: source of `loop(table, like ...)`. The table holds the number of rounds at most, the sizes, and the addresses of the
            given arrays; those that are handed on are written at the end. It returns the number of rounds.
        dtypes: the dtypes of `like ...`.
    """

    def __init__(
        self, sizes: Sequence[str], arrays: Sequence[Array], given: int, steps: Sequence[Step],
        handed: Sequence[tuple[int, int]], condition: int,
    ) -> None:  # fmt: skip
        self.sizes, self.arrays, self.given, self.steps = list(sizes), list(arrays), given, list(steps)
        self.handed, self.condition = list(handed), condition
        self.dtypes = list(dict.fromkeys(array.dtype for array in arrays))
        self.scope: dict[str, Any] = {}
        self.texts = ElementTexts(self.scope)

    @cached_property
    def source(self) -> str:
        """The source; its functions are looked up when the kernel is compiled."""
        self.scope |= {"array_at": array_at, "empty": np.empty}
        self.texts.add_functions(self.dtypes)
        return "\n".join(self._lines()) + "\n"

    def compiled(self) -> Any:
        """Return the kernel."""
        return compile_source("loop", self.source, self.scope)

    # --- the function -----------------------------------------------------------------------------------------------------

    def _lines(self) -> list[str]:
        """Return the lines of the function."""
        body = list(self._round())
        likes = [f"like{i}" for i in range(len(self.dtypes))]
        lines = [f"def loop({', '.join(['table', *likes])}):", "    most = table[0]"]
        lines += [f"    {size} = table[{i}]" for i, size in enumerate(self.sizes, 1)]
        for i, array in enumerate(self.arrays[: self.given]):
            at = f"table[{1 + len(self.sizes) + i}]"
            lines.append(f"    a{i} = array_at({at}, {array.size}, like{self.dtypes.index(array.dtype)})")
            lines += [f"    v{i} = a{i}[0]"] * array.single
        for i in dict.fromkeys((*self._stored, *self._copied())):
            copied = "b" if i in self._copied() else "a"
            lines.append(f"    {copied}{i} = empty({self.arrays[i].size}, {type_name(self.arrays[i].dtype)})")
        lines += ["    done = 0", f"    while v{self.condition} and done < most:"]
        lines += [f"        {line}" for line in (*body, *self._handing_on())]
        lines.append("        done += 1")
        lines += [f"    a{i}[0] = v{i}" for i, _ in self.handed if self.arrays[i].single]
        return [*lines, "    return done"]

    def _copied(self) -> list[int]:
        """Return the arrays that are handed on under another name, and therefore copied before they are overwritten."""
        targets = {to for to, _ in self.handed}
        return [made for _, made in self.handed if made in targets and not self.arrays[made].single]

    def _handing_on(self) -> Iterator[str]:
        """Yield the statements that replace the state by that after the round."""
        singles = [(to, made) for to, made in self.handed if self.arrays[to].single]
        yield from (f"h{to} = v{made}" for to, made in singles)
        yield from (f"v{to} = h{to}" for to, _ in singles)
        copied = self._copied()
        yield from (f"b{i}[0 : {self.arrays[i].size}] = a{i}" for i in copied)
        for to, made in self.handed:
            if not self.arrays[to].single:
                yield f"a{to}[0 : {self.arrays[to].size}] = {'b' if made in copied else 'a'}{made}"

    def _round(self) -> Iterator[str]:
        """Yield the statements of a round; set the arrays that it stores."""
        self._stored: list[int] = []
        waiting: list[ElementStep] = []  # steps of one shape, for one loop
        for number, step in enumerate(self.steps):
            array = self.arrays[step.to]
            if isinstance(step, ElementStep):
                if array.single:
                    yield from self._refusals(step, [f"v{i}" for i in step.reads])
                    yield f"v{step.to} = {self._value(step, [f'v{i}' for i in step.reads])}"
                    continue
                if waiting and not self._joins(step, waiting):
                    yield from self._loop(waiting, self.steps[number:])
                    waiting = []
                waiting.append(step)
                continue
            yield from self._loop(waiting, self.steps[number:])
            waiting = []
            yield from self._fold(step) if isinstance(step, FoldStep) else self._product(step)
        yield from self._loop(waiting, ())

    def _joins(self, step: ElementStep, waiting: Sequence[ElementStep]) -> bool:
        """Return whether a step runs in the same loop as others: it has their shape, and reads their results element by element."""
        sizes = self.arrays[waiting[0].to].sizes
        made = {each.to for each in waiting}
        along = (aligned for i, aligned in zip(step.reads, step.aligned, strict=True) if i in made)
        return self.arrays[step.to].sizes == sizes and all(_whole(aligned, sizes) for aligned in along)

    # --- steps ------------------------------------------------------------------------------------------------------------

    def _loop(self, steps: Sequence[ElementStep], later: Sequence[Step]) -> Iterator[str]:
        """Yield the loop of steps of one shape; only what other steps read is stored."""
        if not steps:
            return
        sizes = self.arrays[steps[0].to].sizes
        made = {step.to for step in steps}
        read = {i for step in later for i in _reads(step)} | {i for _, i in self.handed}
        stored = [i for i in made if i in read]
        self._stored += sorted(stored)
        flat = all(_whole(a, sizes) or set(a) <= {"1"} for step in steps for a in step.aligned)
        axes = [(0, self.arrays[steps[0].to].size)] if flat else [(d, n) for d, n in enumerate(sizes) if n != "1"]
        indent = ""
        place = "e0" if flat else _place(sizes, sizes)
        for d, size in axes:
            yield f"{indent}for e{d} in range({size}):"
            indent += "    "
        for step in steps:
            reads = []
            for i, aligned in zip(step.reads, step.aligned, strict=True):
                at = place if _whole(aligned, sizes) else _place(aligned, sizes)
                reads.append(f"v{i}" if i in made or self.arrays[i].single else f"a{i}[{at}]")
            yield f"{indent}v{step.to} = {self._value(step, reads)}"
            if step.to in stored:
                yield f"{indent}a{step.to}[{place}] = v{step.to}"

    def _refusals(self, step: ElementStep, reads: Sequence[str]) -> Iterator[str]:
        """Yield the statements that end the loop where a number is refused."""
        if step.refused is not None:
            dtype = self.arrays[step.reads[-1]].dtype
            yield f"if {self.texts.text(step.refused, reads, dtype)}:"
            yield "    break"

    def _value(self, step: ElementStep, reads: Sequence[str]) -> str:
        """Return the text of an element in the dtype of the result."""
        dtypes = [self.arrays[i].dtype for i in step.reads]
        return self.texts.value(step.node, self.arrays[step.to].dtype, dtypes, reads)

    def _fold(self, step: FoldStep) -> Iterator[str]:
        """Yield the statements of a fold; sums of floats are added up in float64."""
        array, to = self.arrays[step.of], f"v{step.to}"
        if array.single:
            yield f"{to} = v{step.of}"
            return
        yield from self.texts.fold(step.how, array.dtype, array.size, f"a{step.of}", to)

    def _product(self, step: ProductStep) -> Iterator[str]:
        """Yield the statements of a product of matrices."""
        (rows, inner), columns = self.arrays[step.x].sizes, self.arrays[step.y].sizes[1]
        kind = type_name(self.arrays[step.to].dtype)
        x, y = (f"v{i}" if self.arrays[i].single else f"a{i}" for i in (step.x, step.y))
        x_at = x if x[0] == "v" else f"{x}[i * {inner} + k]"
        y_at = y if y[0] == "v" else f"{y}[k * {columns} + j]"
        if self.arrays[step.to].single:
            yield f"v{step.to} = {kind}(0)"
            yield f"for k in range({inner}):"
            yield f"    v{step.to} += {x_at.replace('i * ', '0 * ')} * {y_at.replace('+ j', '+ 0')}"
            return
        self._stored.append(step.to)
        yield f"for i in range({rows}):"
        yield f"    for j in range({columns}):"
        yield f"        a{step.to}[i * {columns} + j] = {kind}(0)"
        yield f"    for k in range({inner}):"
        yield f"        u{step.to} = {x_at}"
        yield f"        for j in range({columns}):"
        yield f"            a{step.to}[i * {columns} + j] += u{step.to} * {y_at}"


def _reads(step: Step) -> tuple[int, ...]:
    """Return the arrays that a step reads."""
    if isinstance(step, ElementStep):
        return step.reads
    return (step.of,) if isinstance(step, FoldStep) else (step.x, step.y)


def _whole(aligned: Sizes, sizes: Sizes) -> bool:
    """Return whether an array that is aligned to others of these sizes varies along all dimensions."""
    return aligned == sizes


def _place(aligned: Sizes, sizes: Sizes) -> str:
    """Return the index of an element of an array that is aligned to others of these sizes, whose dimensions e0, e1, ... run over."""
    text = ""
    for d, (own, _) in enumerate(zip(aligned, sizes, strict=True)):
        if own != "1":
            text = f"e{d}" if not text else f"({text}) * {own} + e{d}"
    return text or "0"
