"""GPU kernel of sgd; the reference takes sparse gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....core.selected_rows import SelectedRows
from ...registry import array_module, kernel
from ..device.kernel import launch
from ..support.shape import MOST_THREADS, alike, blocks_for
from .updates import sgd_update


@kernel("sgd", device="gpu")
def sgd(Param: Any, LearningRate: Any, Grad: Any, *, reference: Callable) -> Any:
    if isinstance(Grad, SelectedRows) or not alike(Param, LearningRate, Grad):
        return reference(Param, LearningRate, Grad)
    xp = array_module("gpu")
    param, grad = xp.ascontiguousarray(Param), xp.ascontiguousarray(Grad)
    out = xp.empty_like(param)
    launch(sgd_update, blocks_for(out.size), MOST_THREADS, param, grad, LearningRate, out, out.size)
    return out
