"""Operators that only look at an array otherwise: reshapes, slices with fixed numbers, and the arrays along the first dimension."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....ops.framework.traits import Reshape, Slice, Unstack
from ..graph import Graph, Step, Value, register

if TYPE_CHECKING:
    from ..source import Source


class View:
    """An operator as one expression.

    Arguments:
        step: the operator. given, made: what it reads and makes. expression: the text behind the name of what it reads.
    """

    kind = "view"

    def __init__(self, step: Step, given: Value, made: Value, expression: str) -> None:
        self.step, self.given, self.made, self.expression = step, given, made, expression
        self.places = [step.place]

    @property
    def note(self) -> str:
        """The expression."""
        return f"{self.given.name}{self.expression}"

    def __repr__(self) -> str:
        return f"<{self.step.type}: x{self.expression}>"

    def lines(self, source: Source, place: int) -> list[str]:
        """The expression."""
        given, made = register(source, self.given), register(source, self.made)
        lods = source.lod_lines.get(place, [])
        used = [source.lod[name] for name in (given, made) if name in source.lod]
        line = f"{made} = {given}{self.expression}"
        if not self.given.sure:
            others = {register(source, v) for v in self.step.makes() if v is not self.made}
            source.touched[place] = [name for name in source.touched[place] if name not in others]
            return [f"if {self._as_expected(given)}: {line}", f"else: {source.calls[place][0]}", *lods]
        source.touched[place], source.measured[place] = list(dict.fromkeys([given, made, *used])), []
        return [line, *lods]

    def _as_expected(self, given: str) -> str:
        """The test whether what is read has the shape that the Program says, of which the first size may be unknown."""
        shape = self.given.shape
        return f"{given}.shape == {shape!r}" if shape[0] >= 0 else f"{given}.shape[1:] == {shape[1:]!r}"


class Apart:
    """An operator that takes an array apart along its first dimension, by an assignment to several names.

    Arguments:
        step: the operator. given: what it reads. made: the parts, None for those that nobody wants.
    """

    kind = "view"

    def __init__(self, step: Step, given: Value, made: list[Value | None]) -> None:
        self.step, self.given, self.made = step, given, made
        self.places = [step.place]

    @property
    def note(self) -> str:
        """What is taken apart."""
        return f"rows of {self.given.name}"

    def __repr__(self) -> str:
        return f"<{self.step.type}: {self.note}>"

    def lines(self, source: Source, place: int) -> list[str]:
        """The assignment."""
        given = register(source, self.given)
        parts = [register(source, value) if value is not None else "_" for value in self.made]
        source.touched[place] = [given, *(part for part in parts if part != "_")]
        source.measured[place] = []
        return [f"{''.join(f'{part}, ' for part in parts)}= {given}"]


def take_views(graph: Graph) -> None:
    """Enter such operators."""
    for step in graph.steps:
        if not step.plain or not graph.free(step.place):
            continue
        if callable(step.op.definition.lod) and any(v.ragged for v in (*step.reads(), *step.makes())):
            continue
        if any(not v.sure and (not v.shape or min(v.shape[1:], default=0) < 0) for v in step.whole()):
            continue
        if any(graph.rewritten(v) for v in (*step.whole(), *step.makes())):
            continue
        view = step.op.definition.traits.view
        if isinstance(view, Reshape):
            _enter_reshape(graph, step, view)
        elif isinstance(view, Slice):
            _enter_slice(graph, step, view)
        elif isinstance(view, Unstack):
            _enter_apart(graph, step, view)


def _enter_reshape(graph: Graph, step: Step, view: Reshape) -> None:
    """Enter a reshape to a shape of which at most one size is unknown, if nobody needs its other results."""
    given, made = step.one(view.given), step.out(view.made)
    if given is None or made is None or made.dtype is None or made.wanted:
        return
    tensors = [slot.name for slot in step.op.definition.inputs if slot.optional]  # of sizes, in the place of attributes
    if any(v.used for v in step.makes() if v is not made) or any(step.read.get(name) for name in tensors):
        return
    if sum(n < 0 for n in made.shape) > 1 or 0 in made.shape or not made.shape:
        return
    graph.enter(View(step, given, made, f".reshape({made.shape!r})"))


def _enter_apart(graph: Graph, step: Step, view: Unstack) -> None:
    """Enter an operator that takes an array of a known number of rows apart."""
    given, made = step.one(view.given), step.made[view.made]
    if given is None or not given.sure or given.dtype is None or step.attrs["axis"] not in (0, -len(given.shape)):
        return
    known = given.shape[:1] == (len(made),) and len(given.shape) > 1
    if known and not any(value is not None and (value.wanted or value.ragged) for value in made):
        graph.enter(Apart(step, given, made))


def _enter_slice(graph: Graph, step: Step, view: Slice) -> None:
    """Enter a slice with fixed bounds of dimensions whose sizes are known."""
    given, made = step.one(view.given), step.out(view.made)
    if given is None or made is None or given.dtype is None or made.wanted or len(step.reads()) != 1:
        return
    bounds, dropped = view.bounds(step.attrs), view.dropped(step.attrs)
    if bounds is None:
        return
    index = [":"] * len(given.shape)
    for axis, (start, end) in bounds.items():
        size = given.shape[axis]
        if size < 0 or axis < 0:
            return
        first, last = (min(max(n + size if n < 0 else n, 0), size) for n in (start, end))
        if first >= last or (axis in dropped and last - first != 1):
            return
        index[axis] = str(first) if axis in dropped else f"{first}:{last}"
    if dropped - set(bounds) or len(dropped) == len(given.shape):
        return
    graph.enter(View(step, given, made, f"[{', '.join(index)}]"))
