"""Checks that generated functions call before an operator, or after it has failed."""

from __future__ import annotations

from typing import Any

from ...core.lod import level_of
from ...core.tensor_array import TensorArray
from ...ops.framework.spec import OpDef
from ...ops.support.meta import Meta

PLACES = "__places__"
"""The global of a function that runs operators of a fused kernel one by one: line number -> place of the operator."""


def check_call(op: OpDef, arrays: tuple, lods: tuple, attrs: dict[str, Any]) -> None:
    """Raise inference's error if inference rejects these arrays.

    Inputs that contain arrays of tensors are not checked: `sum` accepts them, too.
    """
    assert op.infer is not None
    metas: list[Any] = []
    for array, lod in zip(arrays, lods, strict=True):
        if isinstance(array, list):
            if any(isinstance(each, TensorArray) for each in array):
                return
            metas.append([_meta(a, one) for a, one in zip(array, lod or [None] * len(array), strict=True)])
        else:
            metas.append(None if array is None else _meta(array, lod))
    op.infer(*metas, **attrs)


def _meta(array: Any, lod: Any) -> Meta:
    return Meta(tuple(array.shape), array.dtype, level_of(lod))
