"""PipelineOptimizer: Programs that were cut into sections for several devices, trained on one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.errors import ArgumentTypeError, describe, message
from .averaging import need_static
from .optimizer import Optimizer


class PipelineOptimizer:
    """Trains a Program that its user cut into sections, each for a device: here all of them run on one place.

    The numbers are those of the optimizer without a pipeline, for each batch passes through all sections before the next
    one does.

    Arguments:
        optimizer: the Optimizer that makes the steps.
        cut_list: the lists of Variables at which the Program is cut; no cut is made.
        place_list, concurrency_list: the place of each section, and how many threads run it; not used.
        queue_size, sync_steps, start_cpu_core_id: of the queues and threads between sections; not used.

    Raises:
        ArgumentTypeError: `optimizer` is not an Optimizer.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
    ...     w = fluid.layers.create_parameter([1], 'float32', default_initializer=fluid.initializer.Constant(2.))
    ...     hidden = w * 3.0
    ...     loss = fluid.layers.mean(hidden)
    ...     fluid.optimizer.PipelineOptimizer(fluid.optimizer.SGD(0.5), cut_list=[[hidden], [loss]]).minimize(loss)
    ...     exe = fluid.Executor(fluid.CPUPlace())
    ...     _ = exe.run(fluid.default_startup_program())
    ...     [float(exe.run(fetch_list=[w])[0][0]) for _ in range(2)]
    [0.5, -1.0]
    """

    def __init__(
        self, optimizer: Any, cut_list: Sequence[Any] | None = None, place_list: Sequence[Any] | None = None,
        concurrency_list: Sequence[int] | None = None, queue_size: int = 30, sync_steps: int = 1,
        start_cpu_core_id: int = 0,
    ) -> None:  # fmt: skip
        if not isinstance(optimizer, Optimizer):
            needs = "an optimizer, e.g. fluid.optimizer.SGD(0.1)"
            raise ArgumentTypeError(message("PipelineOptimizer", "optimizer", describe(optimizer), needs))
        self._optimizer = optimizer

    def minimize(
        self, loss: Any, startup_program: Any = None, parameter_list: Any = None, no_grad_set: Any = None
    ) -> None:
        """Append the gradients and the step of the optimizer.

        Arguments:
            loss: the Variable to differentiate, of shape [1].
            startup_program: the Program for initialisation; the default one where it is None.
            parameter_list: the parameters to train; None for all.
            no_grad_set: Variables, or their names, through which no gradient flows.

        Raises:
            ModeError: in imperative mode.
        """
        need_static("PipelineOptimizer.minimize")
        self._optimizer.minimize(loss, startup_program, parameter_list, no_grad_set)
