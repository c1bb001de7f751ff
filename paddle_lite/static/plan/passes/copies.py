"""Elimination of identities and of common subexpressions: their results become aliases of existing values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ....ops.framework.traits import Identity
from ...program.roles import OpRole
from ..graph import FunctionGraph
from ..ir import Instruction, Value


def alias(step: Instruction, same: Mapping[Value, Value], why: str) -> Instruction:
    """Return the idle instruction of an operator whose results are aliases of the existing values in `same`."""
    said = ", ".join(f"{value.name} is {other.name}" for value, other in same.items())
    return step.idle("alias", f"{why}: {said}", same)


def drop_copies(graph: FunctionGraph) -> Iterator[Instruction]:
    """Return idle instructions for identities and for operators that compute an existing value again."""
    known: dict[Any, Instruction] = {}
    same: dict[Value, Value] = {}
    for step in graph.instructions:
        out = step.makes()
        if not step.plain or not step.free or any(v.dtype is None for v in out):
            continue
        if graph.block.idx == 0 and any(map(graph.wanted, out)):  # a fetched or kept value must be an array of its own
            continue
        if callable(step.op.definition.lod) and any(v.ragged for v in (*step.reads(), *out)):
            continue
        if step.op.definition.lod == "made":
            continue
        step = step.substituted(same)
        source = _same_as(step)
        if source is not None and graph.overwritten(source) is not None:  # an update may write into it
            continue
        equal: dict[Value, Value] = {}
        read = [value for value in out if graph.used(value)]
        if source is not None and read in ([], [step.out("Out")]):
            equal, why = dict.fromkeys(read, source), "gives back what it is given"
        else:
            key = _key(step)
            where = graph.part(step.place), _of_backward(step)
            before = known.setdefault((key, where), step) if key is not None else step
            if before is step or any(graph.overwritten(v) is not None for v in before.makes()):
                continue
            equal, why = dict(zip(out, before.makes(), strict=True)), "computed before"
        same.update(equal)
        yield alias(step, equal, why)


def _same_as(step: Instruction) -> Value | None:
    """Return the input that an identity operator returns unchanged; None for other operators."""
    view, x, out = step.op.definition.traits.view, step.one("X"), step.out("Out")
    if not isinstance(view, Identity) or x is None or x.dtype is None or out is None or out.dtype != x.dtype:
        return None
    return x if view.when is None or view.when(step) else None


def _of_backward(step: Instruction) -> bool:
    """Return whether an operator belongs to the backward pass, which computes values of the forward pass again to save memory."""
    return bool(int(step.op.attrs.get("op_role", 0)) & OpRole.Backward)


def _key(step: Instruction) -> Any:
    """Return a key that is equal for operators with equal results; None if the operator has no such key."""
    if not step.makes() or any(v.dtype is None for v in step.reads()):
        return None
    if any(None in values for values in step.made.values()):
        return None
    reads = tuple((slot, *map(id, values)) for slot, values in step.read.items())
    attrs = tuple((name, _frozen(value)) for name, value in step.attrs.items())
    return (step.type, reads, attrs, tuple((slot, len(values)) for slot, values in step.made.items()))


def _frozen(value: Any) -> Any:
    """Return a hashable form of an attribute, which differs for values of different types, such as 1 and True."""
    if isinstance(value, (list, tuple)):
        return (type(value).__name__, *map(_frozen, value))
    if isinstance(value, np.ndarray):
        return (value.dtype.str, value.shape, value.tobytes())
    return (type(value).__name__, repr(value) if isinstance(value, float) else value)
