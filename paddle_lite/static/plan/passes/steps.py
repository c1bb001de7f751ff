"""Products of the steps of an array with one weight, as in an unrolled loop: one product before the first step."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ....kernels.cpu.math.gemm import times
from ....ops.framework.traits import Reshape, Slice, Unstack
from ..graph import FunctionGraph
from ..ir import Instruction, Unit, Value, line
from .products import is_matrix, product_of

LEAST = 4
"""The least number of steps for which one product pays."""


class Place(NamedTuple):
    """A step of an array [steps, rows, columns] or [rows, steps, columns]: its number along the axis of the steps."""

    array: Value
    axis: int
    number: int


def batch_steps(graph: FunctionGraph) -> Iterator[Instruction]:
    """Return the instructions of products that are computed for all steps at once."""
    found: dict[tuple[Value, Value, int], list[tuple[Instruction, Place]]] = defaultdict(list)
    for step in graph.instructions:
        product = product_of(step)
        if product is None:
            continue
        x, y, out = product
        if len(y.shape) != 2 or any(not is_matrix(v) or graph.wanted(v) for v in (x, out)):
            continue
        at = place_of(graph, x)
        if at is not None and y.dtype == at.array.dtype:
            found[y, at.array, at.axis].append((step, at))
    for (weight, array, _), members in found.items():
        last = members[-1][0].place
        unchanged = graph.unchanged(weight, last) and graph.unchanged(array, last)
        if len({at.number for _, at in members}) >= LEAST and unchanged:
            yield from _at_once(members, weight)


def _at_once(members: list[tuple[Instruction, Place]], weight: Value) -> Iterator[Instruction]:
    """Return the product of all steps in the place of the first operator, and its parts in the places of the others."""
    first, at = members[0]
    note = f"{len(members)} steps of {at.array.name} times {weight.name} at once"
    unit = Unit("products", tuple(step.place for step, _ in members), note, first.place)
    name = f"s{first.place}"
    whole = Value(name, name, first.place)
    for step, place in members:
        [made] = step.makes()
        part = line(f"{{}} = {{}}[{place.number}]", made, whole)
        if step is not first:
            yield step.run_as(unit, [part], [whole], [made], read={})
            continue
        text = line(f"{{}} = product_of_steps({{}}, {{}}, {at.axis})", whole, at.array, weight)
        scope = {"product_of_steps": product_of_steps}
        read = {"": [weight, at.array]}
        yield step.run_as(unit, [text, part], [at.array, weight], [whole, made], scope=scope, read=read)


def place_of(graph: FunctionGraph, value: Value) -> Place | None:
    """Return the step of a three-dimensional array that a matrix is a view of; None if it is no such view."""
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
    """Return the products of all steps with the weight: [steps, rows, N] from [steps, rows, K] or [rows, steps, K]."""
    if axis == 1:
        array = np.ascontiguousarray(array.swapaxes(0, 1))
    steps, rows, width = array.shape
    return times(array.reshape(steps * rows, width), weight).reshape(steps, rows, weight.shape[1])
