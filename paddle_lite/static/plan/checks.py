"""Checks that generated functions call before an operator, or after it has failed."""

from __future__ import annotations

from typing import Any

from numpy import ndarray

from ...core.lod import level_of
from ...core.tensor_array import TensorArray
from ...ops.framework.spec import OpDef
from ...ops.support.meta import Meta

PLACES = "__places__"
"""The global of a function that runs operators of a fused kernel one by one: line number -> place of the operator."""


MOST_CALLS = 1024  # the largest number of calls that ShapeChecks remembers


def check_call(op: OpDef, arrays: tuple, lods: tuple, attrs: dict[str, Any]) -> Any:
    """Return the inferred results; raise inference's error if inference rejects these arrays.

    Inputs that contain arrays of tensors are not checked: what they hold has no one shape.
    """
    assert op.infer is not None
    metas: list[Any] = []
    for array, lod in zip(arrays, lods, strict=True):
        if isinstance(array, list):
            if any(isinstance(each, TensorArray) for each in array):
                return None
            metas.append([_meta(a, one) for a, one in zip(array, lod or [None] * len(array), strict=True)])
        else:
            if isinstance(array, TensorArray):
                return None
            metas.append(None if array is None else _meta(array, lod))
    return op.infer(*metas, **attrs)


class ShapeChecks:
    """The checks of one Plan, if shapes depend on values, and not only on the shapes of the Plan's inputs.

    A checked function calls `check`, which records the operators whose results have sizes that inference does not
    know. In the other functions, the operators that read such results call `recheck`.

    Attributes:
        unknown: the ids of the attributes of these operators.
    """

    def __init__(self) -> None:
        self.unknown: set[int] = set()
        self._valid: set[Any] = set()

    def check(self, op: OpDef, arrays: tuple, lods: tuple, attrs: dict[str, Any]) -> None:
        """Raise inference's error if inference rejects these arrays; record whether the results have unknown sizes."""
        if _has_unknown(check_call(op, arrays, lods, attrs)):
            self.unknown.add(id(attrs))

    def recheck(self, op: OpDef, arrays: tuple, lods: tuple, attrs: dict[str, Any]) -> None:
        """Do as `check_call`, unless the operator was called with these shapes, dtypes and numbers of LoD levels before."""
        key = (
            id(attrs),
            *[
                (a.shape, a.dtype, lod and len(lod)) if type(a) is ndarray else _key(a, lod)
                for a, lod in zip(arrays, lods)
            ],
        )
        if key not in self._valid:
            check_call(op, arrays, lods, attrs)
            if len(self._valid) >= MOST_CALLS:
                self._valid.clear()
            self._valid.add(key)


def _key(array: Any, lod: Any) -> Any:
    if isinstance(array, list):
        return tuple([_key(*each) for each in zip(array, lod or [None] * len(array), strict=True)])
    return getattr(array, "shape", None), getattr(array, "dtype", None), level_of(lod)


def _has_unknown(inferred: Any) -> bool:
    if isinstance(inferred, Meta):
        return -1 in inferred.shape
    return isinstance(inferred, (list, tuple)) and any(map(_has_unknown, inferred))


def _meta(array: Any, lod: Any) -> Meta:
    return Meta(tuple(array.shape), array.dtype, level_of(lod))
