"""The block that hooks of a user's classes get in imperative mode: operators run when they are appended to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core import seeds
from ..core.mode import state


class CallingProgram:
    """The program of the block: what hooks read of one."""

    @property
    def random_seed(self) -> int:
        """The seed of random operators without their own; 0 for none."""
        return seeds.current().main

    def global_block(self) -> CallingBlock:
        """Return the block."""
        return block

    current_block = global_block


class CallingBlock:
    """A block whose operators run at once, and whose Variables are those of imperative mode.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     weight = fluid.dygraph.Linear(1, 2).weight
    ...     _ = fluid.initializer.Constant(3.0)(weight, weight.block)
    ...     weight.numpy().tolist(), isinstance(weight.block, fluid.framework.Block)
    ([[3.0, 3.0]], True)
    """

    runs_at_once = True
    idx, parent_idx = 0, -1
    program = CallingProgram()

    def append_op(
        self,
        type: str,
        inputs: Mapping[str, Any] | None = None,
        outputs: Mapping[str, Any] | None = None,
        attrs: Mapping[str, Any] | None = None,
        stop_gradient: bool = False,
    ) -> Any:
        """Run an operator and write its results into the Variables of `outputs`."""
        return state.mode.append_op(type, inputs, outputs, attrs, stop_gradient)

    _prepend_op = append_op

    def create_var(self, name: str | None = None, initializer: Any = None, **attributes: Any) -> Any:
        """Return a new Variable, for an operator to write, or filled by an Initializer."""
        made = state.mode.empty_variable(name, **attributes)
        if initializer is not None:
            state.mode.initialise(made, initializer)
        return made


block = CallingBlock()
"""The one block of imperative mode."""
