"""Blocks of a parameter that are received straight into their rows of the whole, so that nothing concatenates them.

They are written over the parameter's values of the step before, unless somebody else holds these.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from ....ops.framework.traits import Concat
from ..graph import FunctionGraph
from ..ir import Instruction, Unit, Value, joined, line
from .changes import algebra_of


def land_blocks(graph: FunctionGraph) -> Iterator[Instruction]:
    """Return the instructions of operators that write their results into parts of an array, and of what joined these."""
    for step in graph.instructions:
        maker = _maker(graph, step)
        if maker is not None:
            yield from _together(graph, maker, step)


def _maker(graph: FunctionGraph, step: Instruction) -> Instruction | None:
    """Return the operator that makes the parts of a concatenation, which nobody else reads; None if there is none."""
    whole = step.out("Out")
    if whole is None or not (step.plain and step.free) or not isinstance(algebra_of(step.op), Concat):
        return None
    parts = [part for part in step.read["X"] if part is not None]
    maker = graph.maker(parts[0])
    if maker is None or not maker.free or maker.op.definition.traits.lands is None or maker.makes() != parts:
        return None
    if (
        step.attrs["axis"] != 0
        or step.one("AxisTensor") is not None
        or graph.part(maker.place) != graph.part(step.place)
    ):
        return None
    for part in parts:
        variable = maker.op.block.find(part.name)
        if variable is None or variable.persistable or graph.wanted(part) or graph.shaped(part):
            return None
        if [*graph.readers(part)] != [step.place] or not _like(part, whole):
            return None
    return maker if sum(part.shape[0] for part in parts) == whole.shape[0] else None


def _like(part: Value, whole: Value) -> bool:
    """Return whether a value is some rows of another, of known shapes."""
    known = bool(whole.shape) and -1 not in (*part.shape, *whole.shape) and not part.ragged
    return known and part.shape[1:] == whole.shape[1:] and part.dtype == whole.dtype is not None


def _together(graph: FunctionGraph, maker: Instruction, step: Instruction) -> Iterator[Instruction]:
    """Return the call in the place of the operator that makes the parts, and nothing in the place of the concatenation."""
    [joint] = step.makes()
    unit = Unit("landing", (maker.place, step.place), f"in rows of {joint.name}", maker.place)
    name = f"l{maker.place}"
    whole = Value(joint.name, f"w{maker.place}", maker.place, joint.shape, joint.dtype, sure=joint.sure)
    before = graph.history.before.get(joint)
    if before is not None and not _over(graph, before, maker.place):
        before = None
    lands = maker.op.definition.traits.lands
    assert lands is not None
    landing = Landing(
        partial(lands, **_keywords(maker)), [part.shape[0] for part in maker.makes()], joint.shape, joint.dtype
    )
    slots = [line("[{}]", joined(v for v in values if v is not None)) for values in maker.read.values()]
    given = joined([*slots, "None" if before is None else before])
    donated = () if before is None else (before,)
    loads = [*maker.reads(), *donated]
    yield maker.run_as(
        unit, [line(f"{{}} = {name}({{}})", whole, given)], loads, [whole], scope={name: landing}, donated=donated
    )
    yield step.run_as(unit, read={}, same={joint: whole})


def _over(graph: FunctionGraph, before: Value, place: int) -> bool:
    """Return whether nothing needs a value from a place on."""
    return not graph.wanted(before) and all(each < place for each in (*graph.readers(before), *graph.shaped(before)))


def _keywords(maker: Instruction) -> dict[str, Any]:
    """Return the arguments of an operator's kernel beside its inputs."""
    attrs = {name: tuple(value) if isinstance(value, list) else value for name, value in maker.attrs.items()}
    return {**attrs, "site": maker.op.site()} if maker.op.definition.wants_site else attrs


class Landing:
    """A call of a kernel that writes its results into the rows of one array.

    Arguments:
        run: writes the results, called with the arrays for them and the inputs.
        rows: how many rows each result has.
        shape, dtype: of the array.
    """

    def __init__(self, run: Callable[..., Any], rows: Sequence[int], shape: Sequence[int], dtype: Any) -> None:
        self._run, self._shape, self._dtype = run, tuple(shape), dtype
        self._spans = list(pairwise(accumulate(rows, initial=0)))

    def __call__(self, *given: Any) -> Any:
        """Return the array; the last of `given`, what was in its place before, if it may be written over."""
        *inputs, whole = given
        del given
        if whole is None or not self._fits(whole) or self._is_held(sys.getrefcount(whole)):
            whole = np.empty(self._shape, self._dtype)
        self._run([whole[first:last] for first, last in self._spans], *inputs)
        return whole

    def _fits(self, whole: Any) -> bool:
        if type(whole) is not np.ndarray or whole.base is not None or not whole.flags.carray:
            return False
        return whole.shape == self._shape and whole.dtype == self._dtype

    def _is_held(self, references: int) -> bool:
        """Return whether an array with so many references, as `__call__` counts them, is in use elsewhere."""
        return references > ALONE


def _alone() -> int:
    """Return the reference count that a Landing sees of an array that only its LoDTensor and a Plan hold."""
    seen = []

    class Probe(Landing):
        def _is_held(self, references: int) -> bool:
            seen.append(references)
            return True

    def plan(inputs: list, land: Landing) -> None:
        (v1,) = inputs
        del inputs
        land(v1)

    tensor = {"array": np.zeros(1)}
    values = [tensor["array"]]
    plan(values, Probe(lambda results: None, [1], (1,), np.dtype("float64")))
    return seen[0]


ALONE = _alone()
