"""GPU kernel of momentum; the reference takes sparse gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....core.selected_rows import SelectedRows
from ...registry import array_module, kernel
from ..device.kernel import launch
from ..support.shape import MOST_THREADS, alike, blocks_for
from .updates import momentum_update


@kernel("momentum", device="gpu")
def momentum(
    Param: Any, Grad: Any, Velocity: Any, LearningRate: Any, *, mu: float, use_nesterov: bool, reference: Callable
) -> tuple:
    if isinstance(Grad, SelectedRows) or not alike(Param, Grad, Velocity, LearningRate):
        return reference(Param, Grad, Velocity, LearningRate, mu=mu, use_nesterov=use_nesterov)
    xp = array_module("gpu")
    param, grad, velocity = map(xp.ascontiguousarray, (Param, Grad, Velocity))
    out, velocity_out = xp.empty_like(param), xp.empty_like(param)
    given = param, grad, velocity, LearningRate, out, velocity_out, mu, int(use_nesterov), out.size
    launch(momentum_update, blocks_for(out.size), MOST_THREADS, *given)
    return out, velocity_out
