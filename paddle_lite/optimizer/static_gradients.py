"""What is appended to the gradients of a static Program before the updates: clips of parameters, and penalties."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import result_names
from ..core.dtype import VarType
from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..params.regularizer import WeightDecayRegularizer
from ..static.program.naming import name_scope
from ..static.program.program import program_guard

Pairs = list[tuple[Any, Any]]


def append_gradient_clip_ops(param_grads: Sequence[tuple[Any, Any]]) -> Pairs:
    """Append the clips that `set_gradient_clip` gave to parameters.

    Arguments:
        param_grads: (parameter, gradient Variable) pairs.

    Returns:
        The pairs with clipped gradients.

    Raises:
        ArgumentValueError: the parameters of one group have clips with different norms.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     w = fluid.layers.create_parameter([2], 'float32', name='w')
    ...     pairs = fluid.backward.append_backward(fluid.layers.mean(w))
    ...     fluid.clip.set_gradient_clip(fluid.clip.GradientClipByValue(0.1))
    ...     [(p.name, g.op.type) for p, g in fluid.clip.append_gradient_clip_ops(pairs)]
    [('w', 'clip')]
    """
    groups: dict[Any, tuple[Any, Pairs]] = {}
    for param, grad in param_grads:
        clip = None if grad is None else param.gradient_clip_attr
        if clip is not None:
            key = getattr(clip, "group_name", id(clip))
            known = groups.setdefault(key, (clip, []))
            if getattr(known[0], "clip_norm", None) != getattr(clip, "clip_norm", None):
                needs = f"{known[0].clip_norm}, as for the others of {key!r}"
                raise ArgumentValueError(message("set_gradient_clip", "clip_norm", clip.clip_norm, needs))
            known[1].append((param, grad))
    clipped: dict[str, Any] = {}
    for clip, members in groups.values():
        with name_scope("gradient_clip"):
            clipped.update({param.name: grad for param, grad in clip(members)})
    return [(param, clipped.get(param.name, grad)) for param, grad in param_grads]


def append_regularization_ops(parameters_and_grads: Sequence[tuple[Any, Any]], regularization: Any = None) -> Pairs:
    """Append the gradients of penalties to those of the loss.

    Arguments:
        parameters_and_grads: (parameter, gradient Variable) pairs.
        regularization: the regularizer of parameters without their own, or None.

    Returns:
        The pairs with the sums.

    Raises:
        ArgumentTypeError: a regularizer is none.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     w = fluid.layers.create_parameter([2], 'float32', name='w')
    ...     pairs = fluid.backward.append_backward(fluid.layers.mean(w))
    ...     penalty = fluid.regularizer.L2Decay(0.1)
    ...     [(p.name, g.op.type) for p, g in fluid.regularizer.append_regularization_ops(pairs, penalty)]
    [('w', 'sum')]
    """
    with name_scope("regularization"):
        return [(param, penalised(param, grad, regularization)) for param, grad in parameters_and_grads]


def penalised(param: Any, grad: Any, regularization: Any = None) -> Any:
    """Append the sum of a gradient and the gradient of the penalty; return it.

    Arguments:
        param: the parameter.
        grad: its gradient, or None, which is returned.
        regularization: the regularizer if the parameter has none of its own, or None.
    """
    regularizer = regularization if param.regularizer is None else param.regularizer
    if regularizer is None or grad is None:
        return grad
    if not isinstance(regularizer, WeightDecayRegularizer):
        needs = "a regularizer, e.g. L2Decay(1e-4)"
        raise ArgumentTypeError(message(f"parameter {param.name}", "regularizer", describe(regularizer), needs))
    block = grad.block
    with block.program._optimized_guard([param, grad]):
        with program_guard(block.program), result_names.results("_generated_var"):
            penalty = regularizer(param, grad, block)
        total = grad
        if grad.type == VarType.SELECTED_ROWS:  # a penalty changes every row
            total = block.create_var(name=f"{grad.name}@NEWGRAD@", shape=param.shape, dtype=param.dtype)
        block.append_op("sum", {"X": [grad, penalty]}, {"Out": total})
    return total
