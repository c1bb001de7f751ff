"""Checks that generated functions call before an operator, or when one has failed."""

from __future__ import annotations

from typing import Any

from ...core.lod import level_of
from ...core.tensor_array import TensorArray
from ...ops.framework.spec import OpDef
from ...ops.support.meta import Meta

PLACES = "__places__"
"""The global of a function that runs a kernel's operators by themselves: line number -> place of the operator."""


def check_call(op: OpDef, arrays: tuple, lods: tuple, attrs: dict[str, Any]) -> None:
    """Raise what inference of an operator says of these arrays, if it refuses them.

    It does not judge arrays of tensors, the sum of which is one too.
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
