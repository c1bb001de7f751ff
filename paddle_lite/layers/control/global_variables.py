"""Variables that belong to no layer: global ones with a value, empty ones, and a counter of steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.errors import ModeError
from ...core.mode import in_imperative_mode
from ...params.initializer import Constant
from ...static.program.persistent import step_counter
from ..support.arguments import number
from ..support.helper import LayerHelper

__all__ = ["autoincreased_step_counter", "create_global_var", "create_tensor"]

COUNTER = "@STEP_COUNTER@"


def create_global_var(
    shape: Sequence[int],
    value: Any,
    dtype: Any,
    persistable: bool = False,
    force_cpu: bool = False,
    name: str | None = None,
) -> Any:
    """A Variable of the Program's first block that the startup Program fills with a number.

    Arguments:
        shape: its shape.
        value: the number.
        dtype: its dtype.
        persistable: whether it keeps its value between runs.
        force_cpu: kept for Fluid code.
        name: its name; made up when None.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     fluid.layers.create_global_var([2], 1.5, 'float32', persistable=True, name='state')
    Variable state: shape=[2], dtype=float32, persistable, stop_gradient
    """
    helper = LayerHelper("global_var")
    start = float(value) if isinstance(value, bool) else number("create_global_var", "value", value)
    variable = helper.create_global_variable(
        name=name, persistable=persistable, dtype=dtype, shape=list(shape), stop_gradient=True
    )
    helper.set_variable_initializer(variable, Constant(start, force_cpu))
    return variable


def create_tensor(dtype: Any, name: str | None = None, persistable: bool = False) -> Any:
    """A Variable without a shape, for an `out` argument to fill.

    Arguments:
        dtype: its dtype.
        name: its name; made up when None.
        persistable: whether it keeps its value between runs.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     total = fluid.layers.create_tensor('float32', name='total')
    ...     fluid.layers.sums([fluid.layers.ones([2], 'float32')] * 3, out=total)
    Variable total: shape=[2], dtype=float32
    """
    helper = LayerHelper("create_tensor", name=name)
    return helper.create_variable(name=helper.name, dtype=dtype, persistable=persistable)


def autoincreased_step_counter(counter_name: str | None = None, begin: int = 1, step: int = 1) -> Any:
    """How often the Program has run: an int64 Variable [1] that grows by `step` at the start of each run.

    Arguments:
        counter_name: its name; calls with the same one share a counter.
        begin: its value in the first run, where `step` is 1; before that run it is begin - 1, as in Paddle.
        step: by how much it grows.

    Raises:
        ModeError: in imperative mode, where no Program runs.

    >>> import paddle_lite.fluid as fluid
    >>> main, startup = fluid.Program(), fluid.Program()
    >>> with fluid.program_guard(main, startup), fluid.scope_guard(fluid.Scope()):
    ...     counter = fluid.layers.autoincreased_step_counter(begin=10, step=5)
    ...     exe = fluid.Executor()
    ...     none = exe.run(startup)
    ...     [exe.run(main, fetch_list=[counter])[0].item() for _ in range(3)]
    [14, 19, 24]
    """
    if in_imperative_mode():
        raise ModeError("autoincreased_step_counter: counts the runs of a Program; in imperative mode count in Python.")
    return step_counter(COUNTER if counter_name is None else counter_name, begin, step)
