"""Decoupled weight decay: parameters shrink by a factor of their own at each step, apart from the gradient."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core.errors import ArgumentTypeError, describe, message
from ..core.mode import ByMode, state
from ..imperative.base import no_grad
from ..ops.framework.registry import get as operator
from .optimizer import Optimizer

__all__ = ["DecoupledWeightDecay", "extend_with_decoupled_weight_decay"]


def _decayed(param: Any, coeff: Any) -> Any:
    """Return param - coeff * param."""
    part = param * coeff if state.mode.is_variable(coeff) else operator("scale").call(param, scale=float(coeff))
    return operator("elementwise_sub").call(param, part)


def _append(param: Any, grad: Any, coeff: Any) -> None:
    block = param.block.program.global_block()
    with param.block.program._optimized_guard([param, grad]):
        block.append_op("assign", {"X": _decayed(param, coeff)}, {"Out": param})


def _compute(param: Any, grad: Any, coeff: Any) -> None:
    with no_grad():
        param.set_value(_decayed(param, coeff))


_shrink = ByMode(static=_append, imperative=_compute)


class DecoupledWeightDecay:
    """What `extend_with_decoupled_weight_decay` puts before the class of an optimizer.

    Arguments:
        coeff: the factor, a float or a Variable [1]; 0.0 for none.
        apply_decay_param_fun: `f(name)` returns whether the parameter of this name shrinks; None: all do.
        kwargs: the arguments of the optimizer.

    Raises:
        ArgumentTypeError: `coeff` is no float, or `apply_decay_param_fun` no function.
    """

    def __init__(
        self, coeff: Any = 0.0, apply_decay_param_fun: Callable[[str], bool] | None = None, **kwargs: Any
    ) -> None:
        where = type(self).__name__
        if not isinstance(coeff, float) and not state.mode.is_variable(coeff):
            raise ArgumentTypeError(message(where, "weight_decay", describe(coeff), "a float or a Variable"))
        if apply_decay_param_fun is not None and not callable(apply_decay_param_fun):
            got, needs = describe(apply_decay_param_fun), "a function of the name of a parameter"
            raise ArgumentTypeError(message(where, "apply_decay_param_fun", got, needs))
        self._coeff = coeff
        self._apply_decay_param_fun = apply_decay_param_fun
        super().__init__(**kwargs)

    def apply_optimize(self, loss: Any, startup_program: Any, params_grads: Sequence[tuple[Any, Any]]) -> list[Any]:
        """Shrink the parameters that have a gradient, then update them as the optimizer does."""
        chosen = self._apply_decay_param_fun
        if not (isinstance(self._coeff, float) and self._coeff == 0.0):
            for param, grad in params_grads:
                if grad is not None and (chosen is None or chosen(param.name)):
                    _shrink(param, grad, self._coeff)
        return super().apply_optimize(loss, startup_program, params_grads)  # type: ignore[misc]

    def __str__(self) -> str:
        return f"Weight Decay, coeff: {self._coeff}"


def extend_with_decoupled_weight_decay(base_optimizer: type[Optimizer]) -> type:
    """Return a class of optimizers that shrink the parameters by a factor at each step, and then update them.

    The factor is not that of a penalty, whose gradient the optimizer would scale.

    Source: Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019.

    Arguments:
        base_optimizer: the class of an optimizer, such as `fluid.optimizer.Adam`.

    Returns:
        A class. Its arguments are `weight_decay`, a float or a Variable [1]; `apply_decay_param_fun`, a function that
        returns whether the parameter of a name shrinks; and by keyword those of the optimizer.

    Raises:
        ArgumentTypeError: `base_optimizer` is no class of optimizers.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> AdamW = fluid.contrib.extend_with_decoupled_weight_decay(fluid.optimizer.Adam)
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data('x', [None, 4]), 2))
    ...     _ = AdamW(weight_decay=0.01, learning_rate=0.1).minimize(loss)
    ...     [op.type for op in loss.block.ops if op.attr('op_role') == 2][:3]
    ['scale', 'elementwise_sub', 'assign']
    """
    if not (isinstance(base_optimizer, type) and issubclass(base_optimizer, Optimizer)):
        needs = "a class, such as fluid.optimizer.Adam"
        where = "extend_with_decoupled_weight_decay"
        raise ArgumentTypeError(message(where, "base_optimizer", describe(base_optimizer), needs))

    class OptimizerWithDecoupledWeightDecay(DecoupledWeightDecay, base_optimizer):  # type: ignore[misc, valid-type]
        """An optimizer that shrinks the parameters by a factor at each step."""

        def __init__(
            self, weight_decay: Any, apply_decay_param_fun: Callable[[str], bool] | None = None, **kwargs: Any
        ) -> None:
            super().__init__(weight_decay, apply_decay_param_fun, **kwargs)

    OptimizerWithDecoupledWeightDecay.__name__ = f"{base_optimizer.__name__}WithDecoupledWeightDecay"
    return OptimizerWithDecoupledWeightDecay
