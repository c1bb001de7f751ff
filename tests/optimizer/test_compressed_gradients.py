"""DGCMomentumOptimizer, which on one place makes the steps of Momentum."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid


def trained(make: Any) -> list[np.ndarray]:
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
        w = fluid.layers.create_parameter([2], "float32", default_initializer=fluid.initializer.Constant(3.0))
        make().minimize(fluid.layers.mean(fluid.layers.square(w)))
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(fluid.default_startup_program())
        return [exe.run(fetch_list=[w])[0] for _ in range(3)]


@pytest.mark.parametrize("nesterov", [False, True])
def test_steps_are_those_of_momentum(nesterov: bool) -> None:
    clip = fluid.clip.GradientClipByNorm(1.0)
    wanted = trained(lambda: fluid.optimizer.Momentum(0.1, 0.9, use_nesterov=nesterov, grad_clip=clip))
    found = trained(
        lambda: fluid.optimizer.DGCMomentumOptimizer(
            0.1, 0.9, 1, 2, [0.9, 0.99], use_nesterov=nesterov, num_trainers=1, grad_clip=clip
        )
    )
    np.testing.assert_array_equal(found, wanted)


def test_wrong_arguments() -> None:
    optimizer, clip = fluid.optimizer.DGCMomentumOptimizer, fluid.clip
    with pytest.raises(ValueError, match=r"rampup_begin_step got int -1, needs an int, 0 or more"):
        optimizer(0.1, 0.9, -1)
    with pytest.raises(TypeError, match=r"grad_clip got .* needs a GradientClipByNorm"):
        optimizer(0.1, 0.9, 0, grad_clip=clip.GradientClipByValue(1.0), num_trainers=1)
    with pytest.raises(TypeError, match=r"num_trainers got .* needs an int"):
        optimizer(0.1, 0.9, 0, grad_clip=clip.GradientClipByNorm(1.0))
    with (
        fluid.dygraph.guard(),
        pytest.raises(AssertionError, match=r"DGCMomentumOptimizer: imperative mode does not have it"),
    ):
        optimizer(0.1, 0.9, 0)
