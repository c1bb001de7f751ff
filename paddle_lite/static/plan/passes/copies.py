"""Operators that need not run: what gives back what it was given, and what has been computed before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ....ops.framework.traits import Identity
from ..graph import Graph, Step, Value, register

if TYPE_CHECKING:
    from ..source import Source


class Same:
    """An operator whose results are values that exist already.

    Arguments:
        step: the operator. same: for each value that it makes, the one that it is equal to. why: why it is.
    """

    kind = "alias"

    def __init__(self, step: Step, same: dict[Value, Value], why: str) -> None:
        self.step, self.same, self.why = step, same, why
        self.places = [step.place]

    @property
    def note(self) -> str:
        """What is equal to what."""
        return f"{self.why}: {', '.join(f'{value.name} is {same.name}' for value, same in self.same.items())}"

    def __repr__(self) -> str:
        return f"<{self.step.type}: nothing to do>"

    def lines(self, source: Source, place: int) -> list[str]:
        """Nothing; the results are known under the names of what they are equal to."""
        source.touched[place], source.measured[place] = [], []
        for value, same in self.same.items():
            source.stands_for(self.step.op, value.name, register(source, same))
        return []


def drop_copies(graph: Graph) -> None:
    """Enter the operators that need not run."""
    known: dict[Any, Step] = {}
    for step in graph.steps:
        out = step.makes()
        if not step.plain or not graph.free(step.place) or any(v.dtype is None for v in out):
            continue
        if graph.block.idx == 0 and any(v.wanted for v in out):  # what is fetched or kept is an array of its own
            continue
        if callable(step.op.definition.lod) and any(v.ragged for v in (*step.reads(), *out)):
            continue
        if step.op.definition.lod == "made":
            continue
        source = _same_as(step)
        if source in graph.old:  # an update may write into it
            continue
        read = [v for v in out if v.used]
        if source is not None and read in ([], [step.out("Out")]):
            drop(graph, step, dict.fromkeys(read, source), "gives back what it is given")
            continue
        key = _key(step)
        before = known.setdefault((key, graph.part(step.place)), step) if key is not None else step
        if before is not step and not any(v in graph.old for v in before.makes()):
            drop(graph, step, dict(zip(out, before.makes(), strict=True)), "computed before")


def drop(graph: Graph, step: Step, same: dict[Value, Value], why: str) -> None:
    """Let an operator not run, since what it makes exists already."""
    graph.enter(Same(step, same, why))
    graph.drop(step)
    for value, equal in same.items():
        graph.replace(value, equal)


def _same_as(step: Step) -> Value | None:
    """Return what an operator gives back as it is; None where it computes something."""
    view, x, out = step.op.definition.traits.view, step.one("X"), step.out("Out")
    if not isinstance(view, Identity) or x is None or x.dtype is None or out is None or out.dtype != x.dtype:
        return None
    return x if view.when is None or view.when(step) else None


def _key(step: Step) -> Any:
    """What an operator computes of what; None where that cannot be said."""
    if not step.makes() or any(v.dtype is None for v in step.reads()):
        return None
    if any(None in values for values in step.made.values()):
        return None
    reads = tuple((slot, *map(id, values)) for slot, values in step.read.items())
    attrs = tuple((name, _frozen(value)) for name, value in step.attrs.items())
    return (step.type, reads, attrs, tuple((slot, len(values)) for slot, values in step.made.items()))


def _frozen(value: Any) -> Any:
    """A hashable form of an attribute; what is equal in Python but not in type stays apart."""
    if isinstance(value, (list, tuple)):
        return (type(value).__name__, *map(_frozen, value))
    if isinstance(value, np.ndarray):
        return (value.dtype.str, value.shape, value.tobytes())
    return (type(value).__name__, repr(value) if isinstance(value, float) else value)
