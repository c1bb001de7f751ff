"""Products with one weight at every step of an unrolled loop over the steps of one array: one product before the first."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ....kernels.cpu.math.gemm import times
from ....ops.framework.traits import Reshape, Slice, Unstack
from ..graph import Graph, Step, Value, register
from .products import is_matrix, product_of

if TYPE_CHECKING:
    from ..source import Source

LEAST = 4
"""Steps from which on one product pays."""


class Place(NamedTuple):
    """A step of an array: its number along an axis of [steps, rows, columns] or [rows, steps, columns]."""

    array: Value
    axis: int
    number: int


class StepProducts:
    """The products of all steps.

    Arguments:
        steps: the products, in order. at: which step of the array each of them takes.
    """

    kind = "products"

    def __init__(self, steps: list[Step], at: list[Place]) -> None:
        self.steps, self.at = steps, at
        self.places = [step.place for step in steps]
        self.weight = steps[0].one("Y")

    @property
    def note(self) -> str:
        """What is multiplied."""
        assert self.weight is not None
        return f"{len(self.steps)} steps of {self.at[0].array.name} times {self.weight.name} at once"

    def __repr__(self) -> str:
        return f"<{self.note}>"

    def lines(self, source: Source, place: int) -> list[str]:
        """The product in the place of the first operator, a part of it in that of each."""
        number = self.places.index(place)
        made = register(source, self.steps[number].makes()[0])
        whole = f"s{self.places[0]}"
        lines, used = [], [whole, made]
        if number == 0:
            assert self.weight is not None
            array, weight = register(source, self.at[0].array), register(source, self.weight)
            source.scope["product_of_steps"] = product_of_steps
            lines.append(f"{whole} = product_of_steps({array}, {weight}, {self.at[0].axis})")
            used += [array, weight]
        source.touched[place], source.measured[place] = used, []
        return [*lines, f"{made} = {whole}[{self.at[number].number}]"]


def batch_steps(graph: Graph) -> None:
    """Enter such products."""
    found: dict[tuple[Value, Value, int], list[tuple[Step, Place]]] = defaultdict(list)
    for step in graph.steps:
        product = product_of(graph, step)
        if product is None:
            continue
        x, y, out = product
        if len(y.shape) != 2 or any(not is_matrix(v) or v.wanted for v in (x, out)):
            continue
        at = place_of(graph, x)
        if at is not None and y.dtype == at.array.dtype:
            found[y, at.array, at.axis].append((step, at))
    for (weight, _, _), members in found.items():
        steps, places = zip(*members, strict=True)
        last = steps[-1].place
        unchanged = all(graph.old.get(value, last) >= last for value in (weight, places[0].array))
        if len({place.number for place in places}) >= LEAST and unchanged:
            graph.enter(StepProducts(list(steps), list(places)))
            for step in steps:
                graph.drop(step)
            for value in (weight, places[0].array):
                value.readers = sorted([*value.readers, steps[0].place])


def place_of(graph: Graph, value: Value) -> Place | None:
    """Which step of which array of three dimensions a matrix is; None where it is none."""
    maker = graph.maker(value)
    if maker is None or not maker.plain:
        return None
    view = maker.op.definition.traits.view
    if isinstance(view, Unstack):
        number = next(i for i, each in enumerate(maker.made[view.made]) if each is value)
        return _place(maker.one(view.given), maker.attrs["axis"], number)
    if isinstance(view, Reshape):
        inner = maker.one(view.given)
        maker = graph.maker(inner) if inner is not None and len(maker.reads()) == 1 else None
        if maker is None or not maker.plain or inner is None or len(inner.shape) != 3:
            return None
        view = maker.op.definition.traits.view
    if not isinstance(view, Slice) or len(maker.reads()) != 1:
        return None
    bounds = view.bounds(maker.attrs)
    if bounds is None or len(bounds) != 1:
        return None
    [(axis, (start, end))] = bounds.items()
    place = _place(maker.one(view.given), axis, start) if end == start + 1 else None
    return place if place is not None and value.shape[-1] == place.array.shape[-1] else None


def _place(array: Value | None, axis: int, number: int) -> Place | None:
    if array is None or len(array.shape) != 3 or not array.sure or array.dtype is None or array.ragged:
        return None
    return Place(array, axis, number) if axis in (0, 1) and number >= 0 and array.shape[2] > 0 else None


def product_of_steps(array: Any, weight: Any, axis: int) -> Any:
    """The product of every step with the weight: [steps, rows, N] from [steps, rows, K], or from [rows, steps, K]."""
    if axis == 1:
        array = np.ascontiguousarray(array.swapaxes(0, 1))
    steps, rows, width = array.shape
    return times(array.reshape(steps * rows, width), weight).reshape(steps, rows, weight.shape[1])
