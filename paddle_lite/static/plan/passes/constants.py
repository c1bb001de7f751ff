"""Constant folding: operators that read nothing, or only constants, run once, when the Plan is compiled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import Any

import numpy as np

from ....core.errors import EnforceNotMet
from ....ops.framework.dispatch import kernel_of
from ..graph import FunctionGraph
from ..ir import Instruction, Value

LARGEST = 1 << 20  # limit of the elements of a constant


def fold_constants(graph: FunctionGraph) -> Iterator[Instruction]:
    """Return idle instructions for folded operators, whose results are globals of the function."""
    known: dict[Value, np.ndarray] = {}
    for step in graph.instructions:
        made = step.makes()
        if not step.plain or not step.free or len(made) != 1 or step.op.definition.needs_lod:
            continue
        [value] = made
        small = value.dtype is not None and -1 not in value.shape and prod(value.shape) <= LARGEST
        if graph.wanted(value) or value.ragged or not small or any(v not in known for v in step.reads()):
            continue
        array = _computed(step, known)
        if array is not None:
            known[value] = array
            yield _constant(step, value, array)


def _constant(step: Instruction, value: Value, array: np.ndarray) -> Instruction:
    """Return the idle instruction of an operator with a constant result, whose array is read-only."""
    name = f"constant{step.place}"
    constant = Value(value.name, name, value.place, value.shape, value.dtype, sure=value.sure, constant=True)
    return step.idle("constant", "computed when the Plan is made", {value: constant}, {name: array})


def _computed(step: Instruction, known: Mapping[Value, np.ndarray]) -> np.ndarray | None:
    """Return the result of an operator; None if it raises, so that running the Plan reports the error."""
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
