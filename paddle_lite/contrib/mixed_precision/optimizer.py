"""An optimizer that trains in float16 with a scaled loss and keeps the parameters in float32."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...core import unique_name
from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...layers.control.control_flow import Switch
from ...layers.control.global_variables import create_global_var
from ...layers.math.arithmetic import assign
from ...layers.math.compare import isfinite
from ...layers.math.reduce import reduce_sum
from ...layers.shape.fill import fill_constant, zeros_like
from ...layers.shape.shape import concat
from ...optimizer.averaging import need_static
from ...optimizer.optimizer import Optimizer
from ...static.program.program import default_main_program
from ...static.program.python_operators import is_variable
from .loss_scaling import update_loss_scaling
from .op_lists import AutoMixedPrecisionLists
from .rewriting import rewrite_program, update_role_var_grad

_CALL = "mixed_precision.decorate"


class OptimizerWithMixedPrecision:
    """What `decorate` returns: an optimizer that rewrites the Program for float16 and scales the loss.

    Arguments:
        optimizer: the optimizer that updates the parameters.
        amp_lists: the lists of operators.
        init_loss_scaling: the first factor of the loss.
        use_dynamic_loss_scaling: whether the factor changes.
        incr_every_n_steps, decr_every_n_nan_or_inf, incr_ratio, decr_ratio: how it changes; see `decorate`.

    Raises:
        ModeError: in imperative mode.
        ArgumentTypeError: optimizer is not an Optimizer, or amp_lists is not an AutoMixedPrecisionLists.
        ArgumentValueError: init_loss_scaling is not a positive number.
    """

    def __init__(
        self,
        optimizer: Any,
        amp_lists: AutoMixedPrecisionLists,
        init_loss_scaling: float,
        use_dynamic_loss_scaling: bool,
        incr_every_n_steps: int,
        decr_every_n_nan_or_inf: int,
        incr_ratio: float,
        decr_ratio: float,
    ) -> None:
        need_static(_CALL)
        _check(optimizer, amp_lists, init_loss_scaling)
        self._optimizer = optimizer
        self._amp_lists = amp_lists
        self._train_program = default_main_program()
        self._scaled_loss: Any = None
        self._loss_scaling = _counter("loss_scaling", init_loss_scaling, "float32")
        self._use_dynamic_loss_scaling = use_dynamic_loss_scaling
        if use_dynamic_loss_scaling:
            self._incr_every_n_steps = fill_constant(shape=[1], dtype="int32", value=incr_every_n_steps)
            self._decr_every_n_nan_or_inf = fill_constant(shape=[1], dtype="int32", value=decr_every_n_nan_or_inf)
            self._incr_ratio = incr_ratio
            self._decr_ratio = decr_ratio
            self._num_good_steps = _counter("num_good_steps", 0, "int32")
            self._num_bad_steps = _counter("num_bad_steps", 0, "int32")
        if isinstance(optimizer._learning_rate, float):
            optimizer._create_global_learning_rate()

    def get_loss_scaling(self) -> Any:
        """Return the factor of the loss, a Variable [1], float32."""
        return self._loss_scaling

    def get_scaled_loss(self) -> Any:
        """Return the loss times the factor; None before `backward`."""
        return self._scaled_loss

    def backward(
        self,
        loss: Any,
        startup_program: Any = None,
        parameter_list: Sequence[Any] | None = None,
        no_grad_set: Iterable[Any] | None = None,
        callbacks: Any = None,
    ) -> list[tuple[Any, Any]]:
        """Insert the casts, scale the loss and append the gradients.

        Arguments: those of `Optimizer.backward`.

        Returns:
            [(parameter, gradient), ...]; the gradients are those of the loss, not scaled, in float32.

        Raises:
            ArgumentTypeError: loss is no Variable of a Program.
        """
        if not is_variable(loss):
            raise ArgumentTypeError(message(f"{_CALL}: minimize", "loss", describe(loss), "a Variable of a Program"))
        rewrite_program(self._train_program, self._amp_lists)
        self._scaled_loss = loss * self._loss_scaling
        pairs = self._optimizer.backward(self._scaled_loss, startup_program, parameter_list, no_grad_set, callbacks)
        update_role_var_grad(self._train_program, pairs)
        scaled = []
        for param, grad in pairs:
            with self._train_program._optimized_guard([param, grad]):
                scaled.append((param, grad / self._loss_scaling))
        return scaled

    def apply_gradients(self, scaled_params_grads: Sequence[tuple[Any, Any]]) -> list[Any]:
        """Append the updates of the parameters, and of the factor if it changes; gradients that are not finite become zeros then.

        Arguments:
            scaled_params_grads: what `backward` returned.

        Returns:
            The update operators.
        """
        if self._use_dynamic_loss_scaling:
            finite = self._all_finite([grad for _, grad in scaled_params_grads])
            update_loss_scaling(
                finite, self._loss_scaling, self._num_good_steps, self._num_bad_steps, self._incr_every_n_steps,
                self._decr_every_n_nan_or_inf, self._incr_ratio, self._decr_ratio,
            )  # fmt: skip
            with Switch() as switch:
                with switch.case(finite):
                    pass
                with switch.default():
                    for _, grad in scaled_params_grads:
                        assign(zeros_like(grad), grad)
        return self._optimizer.apply_gradients(scaled_params_grads)

    @staticmethod
    def _all_finite(grads: Sequence[Any]) -> Any:
        """Return whether the sum of all gradients is finite, a Variable [1]."""
        return isfinite(reduce_sum(concat([reduce_sum(grad) for grad in grads])))

    def minimize(
        self,
        loss: Any,
        startup_program: Any = None,
        parameter_list: Sequence[Any] | None = None,
        no_grad_set: Iterable[Any] | None = None,
    ) -> tuple[list[Any], list[tuple[Any, Any]]]:
        """Rewrite the Program for float16, and append the gradients and the updates.

        Arguments: those of `Optimizer.minimize`.

        Returns:
            (the update operators, [(parameter, gradient)]).
        """
        pairs = self.backward(loss, startup_program, parameter_list, no_grad_set)
        return self.apply_gradients(pairs), pairs


def decorate(
    optimizer: Any,
    amp_lists: AutoMixedPrecisionLists | None = None,
    init_loss_scaling: float = 2**15,
    incr_every_n_steps: int = 1000,
    decr_every_n_nan_or_inf: int = 2,
    incr_ratio: float = 2.0,
    decr_ratio: float = 0.8,
    use_dynamic_loss_scaling: bool = True,
) -> OptimizerWithMixedPrecision:
    """Return an optimizer that trains in float16 and keeps the parameters in float32.

    The loss is multiplied by a factor before gradients are computed, and gradients are divided by it, since small gradients are zero
    in float16. With dynamic loss scaling the factor grows as long as gradients are finite; a step whose gradients are not updates
    with zeros, and a row of such steps makes the factor smaller.

    Source: Micikevicius et al., "Mixed precision training", 2018.

    Arguments:
        optimizer: the optimizer that updates the parameters.
        amp_lists: which operators run in float16; `AutoMixedPrecisionLists()` where it is None.
        init_loss_scaling: the first factor of the loss.
        incr_every_n_steps: the factor is multiplied by incr_ratio behind this many steps with finite gradients.
        decr_every_n_nan_or_inf: it is multiplied by decr_ratio behind this many steps with others.
        incr_ratio, decr_ratio: how much it grows and shrinks.
        use_dynamic_loss_scaling: whether it changes at all.

    Returns:
        An OptimizerWithMixedPrecision.

    Raises:
        ModeError: in imperative mode.
        ArgumentTypeError, ArgumentValueError: an argument is wrong.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     x = fluid.data('x', [None, 2])
    ...     loss = fluid.layers.mean(fluid.layers.fc(x, 1, param_attr=fluid.initializer.Constant(1.)))
    ...     optimizer = fluid.contrib.mixed_precision.decorate(fluid.optimizer.SGD(0.1), init_loss_scaling=8.)
    ...     _ = optimizer.minimize(loss)
    ...     exe = fluid.Executor(fluid.CPUPlace())
    ...     _ = exe.run(fluid.default_startup_program())
    ...     feed = {'x': np.ones([3, 2], 'float32')}
    ...     [value.item() for value in exe.run(feed=feed, fetch_list=[loss, optimizer.get_scaled_loss()])]
    [2.0, 16.0]
    """
    return OptimizerWithMixedPrecision(
        optimizer, AutoMixedPrecisionLists() if amp_lists is None else amp_lists, init_loss_scaling, use_dynamic_loss_scaling,
        incr_every_n_steps, decr_every_n_nan_or_inf, incr_ratio, decr_ratio,
    )  # fmt: skip


def _counter(name: str, value: float, dtype: str) -> Any:
    """Create a persistable Variable [1] of the Program that is being built."""
    return create_global_var([1], value, dtype, persistable=True, name=unique_name.generate(name))


def _check(optimizer: Any, amp_lists: Any, init_loss_scaling: Any) -> None:
    """Raise unless the arguments of `decorate` are of the right kind.

    Raises:
        ArgumentTypeError, ArgumentValueError: they are not.
    """
    if not isinstance(optimizer, Optimizer):
        needs = "an optimizer, e.g. fluid.optimizer.SGD(0.1)"
        raise ArgumentTypeError(message(_CALL, "optimizer", describe(optimizer), needs))
    if not isinstance(amp_lists, AutoMixedPrecisionLists):
        raise ArgumentTypeError(message(_CALL, "amp_lists", describe(amp_lists), "an AutoMixedPrecisionLists, or None"))
    if not isinstance(init_loss_scaling, (int, float)) or not init_loss_scaling > 0:
        needs = "a number greater than 0, e.g. 32768.0"
        raise ArgumentValueError(message(_CALL, "init_loss_scaling", describe(init_loss_scaling), needs))
