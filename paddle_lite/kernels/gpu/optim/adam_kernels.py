"""GPU kernel of adam; the reference takes sparse gradients and betas in tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....core.selected_rows import SelectedRows
from ...registry import array_module, kernel
from ..device.kernel import launch
from ..support.shape import MOST_THREADS, alike, blocks_for
from .updates import adam_update


@kernel("adam", device="gpu")
def adam(
    Param: Any, Grad: Any, LearningRate: Any, Moment1: Any, Moment2: Any, Beta1Pow: Any, Beta2Pow: Any,
    Beta1Tensor: Any = None, Beta2Tensor: Any = None,
    *, beta1: float, beta2: float, epsilon: float, lazy_mode: bool, reference: Callable,
) -> tuple:  # fmt: skip
    given = Param, Grad, LearningRate, Moment1, Moment2, Beta1Pow, Beta2Pow
    tensors = Beta1Tensor is not None or Beta2Tensor is not None
    if tensors or isinstance(Grad, SelectedRows) or not alike(*given):
        attrs = {"beta1": beta1, "beta2": beta2, "epsilon": epsilon, "lazy_mode": lazy_mode}
        return reference(*given, Beta1Tensor, Beta2Tensor, **attrs)
    xp = array_module("gpu")
    arrays = [xp.ascontiguousarray(each) for each in given]
    outs = [xp.empty_like(each) for each in (Param, Moment1, Moment2, Beta1Pow, Beta2Pow)]
    launch(adam_update, blocks_for(Param.size), MOST_THREADS, *arrays, *outs, beta1, beta2, epsilon, Param.size)
    return tuple(outs)
