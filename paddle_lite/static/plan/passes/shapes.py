"""Operators that return views: reshapes, slices with constant bounds, and the rows of an array."""

from __future__ import annotations

from collections.abc import Iterator

from ....ops.framework.traits import Reshape, Slice, Unstack
from ..graph import FunctionGraph
from ..ir import Instruction, Line, Unit, Value, line, listed, with_lods


def take_views(graph: FunctionGraph) -> Iterator[Instruction]:
    """Return the instructions of operators that return views."""
    for step in graph.instructions:
        if step.plain and step.free:
            found = _view(graph, step)
            if found is not None:
                yield found


def _view(graph: FunctionGraph, step: Instruction) -> Instruction | None:
    """Return the instruction of an operator that returns views; None for other operators."""
    if callable(step.op.definition.lod) and (step.lods() or any(v.ragged for v in (*step.reads(), *step.makes()))):
        return None
    if any(not v.sure and (not v.shape or min(v.shape[1:], default=0) < 0) for v in step.whole()):
        return None
    if any(graph.rewritten(v) for v in (*step.whole(), *step.makes())):
        return None
    view = step.op.definition.traits.view
    if isinstance(view, Reshape):
        return _reshape(graph, step, view)
    if isinstance(view, Slice):
        return _slice(graph, step, view)
    return _rows(graph, step, view) if isinstance(view, Unstack) else None


def _expression(step: Instruction, given: Value, made: Value, expression: str) -> Instruction:
    """Return the instruction of a view: `made` = `given` followed by the text of the expression."""
    unit = Unit("view", (step.place,), f"{given.name}{expression}", step.place)
    text, lods = line(f"{{}} = {{}}{expression}", made, given), step.lods()
    if given.sure:
        return step.run_as(unit, [text, *lods], with_lods([given]), with_lods([made]))
    assert step.call is not None
    others = {value for value in step.makes() if value is not made}
    lines = [line("if {}: {}", _as_declared(given), text), line("else: {}", step.call.run), *lods]
    stores = [value for value in step.stores if value not in others]
    return step.run_as(unit, lines, step.loads, stores, measures=step.measures, scope=step.scope)


def _as_declared(given: Value) -> Line:
    """Return the test that a value has the declared shape, whose first size may be unknown."""
    shape = given.shape
    return line(f"{{}}.shape == {shape!r}", given) if shape[0] >= 0 else line(f"{{}}.shape[1:] == {shape[1:]!r}", given)


def _reshape(graph: FunctionGraph, step: Instruction, view: Reshape) -> Instruction | None:
    """Return a reshape with at most one unknown size; None if its other results are used, or for other operators."""
    given, made = step.one(view.given), step.out(view.made)
    if given is None or made is None or made.dtype is None or graph.wanted(made):
        return None
    tensors = [slot.name for slot in step.op.definition.inputs if slot.optional]  # sizes in place of attributes
    if any(graph.used(v) for v in step.makes() if v is not made) or any(step.read.get(name) for name in tensors):
        return None
    if sum(n < 0 for n in made.shape) > 1 or 0 in made.shape or not made.shape:
        return None
    return _expression(step, given, made, f".reshape({made.shape!r})")


def _rows(graph: FunctionGraph, step: Instruction, view: Unstack) -> Instruction | None:
    """Return the unpacking of an array with a known number of rows; None if it is no such operator."""
    given, made = step.one(view.given), step.made[view.made]
    if given is None or not given.sure or given.dtype is None or step.attrs["axis"] not in (0, -len(given.shape)):
        return None
    known = given.shape[:1] == (len(made),) and len(given.shape) > 1
    rows = [value for value in made if value is not None]
    if not known or any(graph.wanted(value) or value.ragged for value in rows):
        return None
    targets = listed("_" if value is None else value for value in made)
    unit = Unit("view", (step.place,), f"rows of {given.name}", step.place)
    return step.run_as(unit, [line("{}= {}", targets, given)], [given], rows)


def _slice(graph: FunctionGraph, step: Instruction, view: Slice) -> Instruction | None:
    """Return a slice with constant bounds of dimensions with known sizes; None for other slices."""
    given, made = step.one(view.given), step.out(view.made)
    if given is None or made is None or given.dtype is None or graph.wanted(made) or len(step.reads()) != 1:
        return None
    bounds, dropped = view.bounds(step.attrs), view.dropped(step.attrs)
    if bounds is None:
        return None
    index = [":"] * len(given.shape)
    for axis, (start, end) in bounds.items():
        size = given.shape[axis]
        if size < 0 or axis < 0:
            return None
        first, last = (min(max(n + size if n < 0 else n, 0), size) for n in (start, end))
        if first >= last or (axis in dropped and last - first != 1):
            return None
        index[axis] = str(first) if axis in dropped else f"{first}:{last}"
    if dropped - set(bounds) or len(dropped) == len(given.shape):
        return None
    return _expression(step, given, made, f"[{', '.join(index)}]")
