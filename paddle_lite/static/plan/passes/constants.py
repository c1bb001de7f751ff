"""Constants: operators that read nothing, or constants only, run once, when the Plan is made."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.errors import EnforceNotMet
from ....ops.framework.emit import kernel_of
from ..graph import Graph, Step, Value

if TYPE_CHECKING:
    from ..source import Source

LARGEST = 1 << 20  # elements of a constant that is kept


class Constant:
    """An operator whose result is known.

    Arguments:
        step: the operator. value: what it makes. array: the result, which nothing may write to.
    """

    kind = "constant"
    note = "computed when the Plan is made"

    def __init__(self, step: Step, value: Value, array: np.ndarray) -> None:
        self.step, self.value, self.array = step, value, array
        self.places = [step.place]

    def __repr__(self) -> str:
        return f"<{self.step.type}: a constant {list(self.array.shape)}>"

    def lines(self, source: Source, place: int) -> list[str]:
        """Nothing; the result is one of the names that the function refers to."""
        source.touched[place], source.measured[place] = [], []
        key = f"constant{place}"
        source.scope[key] = self.array
        source.fixed.add(key)
        source.stands_for(self.step.op, self.value.name, key)
        return []


def fold_constants(graph: Graph) -> None:
    """Enter such operators."""
    known: dict[Value, np.ndarray] = {}
    for step in graph.steps:
        made = step.makes()
        if not step.plain or not graph.free(step.place) or len(made) != 1 or step.op.definition.needs_lod:
            continue
        [value] = made
        small = value.dtype is not None and -1 not in value.shape and prod(value.shape) <= LARGEST
        if value.wanted or value.ragged or not small or any(v not in known for v in step.reads()):
            continue
        array = _computed(step, known)
        if array is not None:
            known[value] = array
            graph.enter(Constant(step, value, array))
            graph.drop(step)


def _computed(step: Step, known: dict[Value, np.ndarray]) -> np.ndarray | None:
    """The result of an operator; None where there is none, which running it will explain."""
    definition = step.op.definition
    arguments: list[Any] = []
    for slot in definition.inputs:
        arrays = [known[v] if v is not None else None for v in step.read.get(slot.name) or []]
        arguments.append((arrays or None) if slot.many else (arrays or [None])[0])
    attrs = dict(step.attrs)
    if definition.wants_need or definition.wants_site:
        return None
    try:
        result = kernel_of(definition, "cpu")(*arguments, **attrs)
    except (EnforceNotMet, ArithmeticError, TypeError, ValueError):
        return None
    if type(result) is not np.ndarray:
        return None
    array = np.array(result)
    array.setflags(write=False)
    return array
