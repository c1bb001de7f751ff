"""RecomputeOptimizer: gradient checkpointing, which saves memory by computing activations twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..core.errors import ArgumentTypeError, ModeError, describe, message
from .averaging import need_static
from .optimizer import Optimizer


class RecomputeOptimizer(Optimizer):
    """Wraps an optimizer; in the backward pass, activations between checkpoints are computed a second time.

    Only the checkpoints are stored until the backward pass. Dropout uses the same mask both times.

    Source: Chen et al., "Training deep nets with sublinear memory cost", 2016.

    Arguments:
        optimizer: the Optimizer that updates the parameters.

    Raises:
        ModeError: in imperative mode.
        ArgumentTypeError: optimizer is not an Optimizer.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     x = fluid.data('x', [None, 4], 'float32')
    ...     w = fluid.layers.create_parameter([4, 4], 'float32', name='w')
    ...     hidden = fluid.layers.tanh(fluid.layers.mul(fluid.layers.tanh(fluid.layers.mul(x, w)), w))
    ...     optimizer = fluid.optimizer.RecomputeOptimizer(fluid.optimizer.SGD(0.1))
    ...     optimizer._set_checkpoints([hidden])
    ...     _ = optimizer.minimize(fluid.layers.mean(hidden))
    ...     [op.type for op in fluid.default_main_program().global_block().ops].count('mul')
    3
    """

    def __init__(self, optimizer: Any) -> None:
        need_static("RecomputeOptimizer")
        if not isinstance(optimizer, Optimizer):
            needs = "an optimizer, e.g. fluid.optimizer.SGD(0.1)"
            raise ArgumentTypeError(message("RecomputeOptimizer", "optimizer", describe(optimizer), needs))
        self._optimizer = optimizer
        self._checkpoints: list[Any] | None = None

    @property
    def _grad_clip(self) -> Any:
        return self._optimizer._grad_clip

    @_grad_clip.setter
    def _grad_clip(self, clip: Any) -> None:
        self._optimizer._grad_clip = clip

    @property
    def type(self) -> str:
        """The type of the operator of the wrapped optimizer."""
        return self._optimizer.type

    @type.setter
    def type(self, value: str) -> None:
        self._optimizer.type = value

    def _step(self) -> Any:
        return self._optimizer._step()

    def _set_checkpoints(self, checkpoints: Sequence[Any]) -> None:
        """Set the Variables to store until the backward pass; call it before `minimize`.

        Arguments:
            checkpoints: Variables of the Program, or their names.
        """
        if isinstance(checkpoints, str) or not isinstance(checkpoints, Iterable):
            needs = "a list of Variables or of their names"
            where = "RecomputeOptimizer._set_checkpoints"
            raise ArgumentTypeError(message(where, "checkpoints", describe(checkpoints), needs))
        self._checkpoints = list(checkpoints)

    def load(self, stat_dict: Any) -> None:
        """Raise a NotImplementedError, as PaddlePaddle 1.8 does.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError(
            "RecomputeOptimizer.load: it keeps nothing to load. Load parameters and accumulators with fluid.load."
        )

    def backward(
        self,
        loss: Any,
        startup_program: Any = None,
        parameter_list: Sequence[Any] | None = None,
        no_grad_set: Iterable[Any] | None = None,
        callbacks: Any = None,
    ) -> list[tuple[Any, Any]]:
        """Append the gradient operators, like `Optimizer.backward`.

        Returns:
            [(parameter, gradient Variable), ...].

        Raises:
            ModeError: no checkpoints were set.
        """
        if self._checkpoints is None:
            raise ModeError("RecomputeOptimizer.minimize: there are no checkpoints. Call _set_checkpoints before.")
        step = self._optimizer._step()
        where = (startup_program, parameter_list, no_grad_set, callbacks)
        return step.backward(loss, *where, checkpoints=self._checkpoints)

    def apply_gradients(self, params_grads: Sequence[tuple[Any, Any]]) -> list:
        """Call `apply_gradients` of the wrapped optimizer."""
        return self._optimizer.apply_gradients(params_grads)

    def apply_optimize(self, loss: Any, startup_program: Any, params_grads: Sequence[tuple[Any, Any]]) -> list:
        """Call `apply_optimize` of the wrapped optimizer."""
        return self._optimizer.apply_optimize(loss, startup_program, params_grads)

    def get_opti_var_name_list(self) -> list[str]:
        """Return the names of the accumulators of the wrapped optimizer."""
        return self._optimizer.get_opti_var_name_list()

    def _global_learning_rate(self, program: Any = None) -> Any:
        return self._optimizer._global_learning_rate(program)
