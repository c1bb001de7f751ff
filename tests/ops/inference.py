"""Inferred shape, dtype and LoD level against what comes out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from paddle_lite.core.errors import ShapeError
from paddle_lite.core.lod import level_of
from paddle_lite.imperative.variable import Variable
from paddle_lite.ops.framework.dispatch import meta_of
from paddle_lite.ops.framework.spec import OpDef
from paddle_lite.ops.support.meta import Meta
from tests.ops.case import Case, device, slot_of
from tests.ops.checks import each
from tests.ops.row import Row


def inference_equals_results(op: OpDef, row: Row) -> None:
    """`infer` says what comes out, and is never wrong where dimensions of the inputs are unknown."""
    with device("cpu"):
        each(op, row, _inference_equals_results, wide=None)


def _inference_equals_results(case: Case) -> None:
    variables = case.variables([])
    outputs = case.call(variables)
    left_open = False
    for what, metas, known in _questions(variables):
        try:
            answer = infer(case, metas)
        except ShapeError:
            if known or not case.sample.dynamic:
                raise
            left_open = True  # as many results as an axis is long: one of unknown length may be refused
            continue
        extra = [n for n in answer if n not in outputs and slot_of(n) not in _optional(case.op)]
        if extra:
            raise AssertionError(f"infer tells of {', '.join(extra)}, which do not come out")
        for name, variable in outputs.items():
            if name not in answer:
                raise AssertionError(f"infer says nothing of {name}")
            meta, shape = answer[name], tuple(variable.array.shape)
            left_open |= len(meta.shape) != len(shape) or (known and -1 in meta.shape)
            if case.sample.marker and shape == (1, 1):
                continue
            if not _fits(meta.shape, shape, known, case.sample.dynamic):
                hint = "" if case.sample.dynamic else " (where that depends on values, the sample says dynamic=True)"
                says = f"infer says shape {list(meta.shape)} for {name}{what}"
                raise AssertionError(f"{says}, {list(shape)} comes out{hint}")
            if meta.dtype != variable.array.dtype:
                raise AssertionError(
                    f"infer says dtype {meta.dtype} for {name}{what}, {variable.array.dtype} comes out"
                )
            level = level_of(variable.levels)
            if known and meta.lod_level != level and slot_of(name) not in _optional(case.op):
                raise AssertionError(f"infer says {meta.lod_level} LoD levels for {name}, {level} come out")
    if case.sample.dynamic and not left_open:
        raise AssertionError("`dynamic` is not needed, inference leaves nothing open")


def _fits(told: tuple[int, ...], shape: tuple[int, ...], known: bool, dynamic: bool) -> bool:
    """Whether what was told is right, or open where it may be: dimensions that depend on unknown ones or on values."""
    if len(told) != len(shape):
        return dynamic and not known
    return all(m == n or (m == -1 and (dynamic or not known)) for m, n in zip(told, shape, strict=True))


def _optional(op: OpDef) -> set[str]:
    return {s.name for s in op.outputs if s.optional or s.intermediate}


def infer(case: Case, metas: list) -> dict[str, Meta]:
    """What `infer` says, by flat name."""
    assert case.op.infer is not None
    answer = case.op.infer(*metas, **case.attrs)
    several = len(case.op.outputs) != 1 or (
        case.op.outputs[0].many and isinstance(answer, tuple) and not isinstance(answer, Meta)
    )
    named = flat_metas(case, answer if several else (answer,))
    for name, meta in named.items():
        if not isinstance(meta, Meta):
            raise AssertionError(f"infer gives {meta!r} for {name}, needs a Meta")
    return named


def flat_metas(case: Case, values: tuple) -> dict[str, Meta]:
    """Metas by flat name (a Meta is itself a tuple, which `flat` would take apart)."""
    named: dict[str, Meta] = {}
    for slot, value in zip(case.op.outputs, values, strict=True):
        if isinstance(value, Meta):
            named[slot.name] = value
        elif value is not None:
            named.update({f"{slot.name}.{i}": v for i, v in enumerate(value)})
    return named


def _questions(variables: list) -> Iterator[tuple[str, list, bool]]:
    """Metas of the inputs: as they are, then with dimensions unknown: all, the first of each, every single one."""
    yield "", _metas(variables, lambda i, d: False), True
    yield " with no dimension known", _metas(variables, lambda i, d: True), False
    yield " with first dimensions unknown", _metas(variables, lambda i, d: d == 0), False
    for i, variable in enumerate(variables):
        if isinstance(variable, Variable):
            for d in range(len(variable.shape)):
                yield (
                    f" with dimension {d} of input {i} unknown",
                    _metas(variables, lambda j, e, i=i, d=d: (i, d) == (j, e)),
                    False,
                )


def _metas(variables: list, unknown: Callable[[int, int], bool]) -> list:
    def meta(i: int, variable: Any) -> Meta:
        m = meta_of(variable)
        return m._replace(shape=tuple(-1 if unknown(i, d) else n for d, n in enumerate(m.shape)))

    return [
        None if v is None else [meta(i, x) for x in v] if isinstance(v, list) else meta(i, v)
        for i, v in enumerate(variables)
    ]
