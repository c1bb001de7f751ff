"""Gradient clips that are attributes of a Program's parameters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...core.errors import ArgumentTypeError, describe, message
from ...core.mode import require_program
from ...params.clip import GradientClipBase
from ..program.program import check_program, default_main_program
from ..program.python_operators import is_variable


def set_gradient_clip(clip: Any, param_list: Any = None, program: Any = None) -> None:
    """Clip the gradients of parameters of a static Program for any optimizer; must be called before `minimize`.

    An optimizer's own `grad_clip` takes precedence. Parameters with a GradientClipByGlobalNorm of the same `group_name` share
    a norm.

    Arguments:
        clip: a gradient clip.
        param_list: the parameters, or their names; None means all of the Program. (PaddlePaddle 1.8 clips nothing unless
            every trained parameter has a clip.)
        program: the Program; None means that of the parameters, or the default main Program.

    Raises:
        ModeError: in imperative mode, as in PaddlePaddle 1.8, since its optimizers take `grad_clip`.
        ArgumentTypeError: clip is not a gradient clip.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     w = fluid.layers.create_parameter([2, 1], 'float32', name='w')
    ...     fluid.clip.set_gradient_clip(fluid.clip.GradientClipByValue(0.5), ['w'])
    ...     w.gradient_clip_attr
    GradientClipByValue(max=0.5, min=-0.5)
    """
    fix = "Pass the clip to the optimizer instead: Adam(..., grad_clip=clip)."
    require_program(f"set_gradient_clip: it is for static Programs, imperative mode has no Program. {fix}")
    if not isinstance(clip, GradientClipBase):
        needs = "a gradient clip, e.g. GradientClipByGlobalNorm(1.0)"
        raise ArgumentTypeError(message("set_gradient_clip", "clip", describe(clip), needs))
    if program is None:
        program = default_main_program()
    block = check_program("set_gradient_clip", program).global_block()
    chosen = program.all_parameters() if param_list is None else param_list
    if not isinstance(chosen, Iterable) or not all(isinstance(p, str) or is_variable(p) for p in chosen):
        needs = "a list of parameters or their names, or None"
        raise ArgumentTypeError(message("set_gradient_clip", "param_list", describe(param_list), needs))
    params: list[Any] = [block.var(p) if isinstance(p, str) else p for p in chosen]
    for param in params:
        param.gradient_clip_attr = clip
