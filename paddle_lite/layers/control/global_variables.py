"""Variables without a layer: global Variables with an initial value, empty ones, and a counter of steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.errors import ArgumentTypeError, describe, message
from ...core.mode import require_program
from ...core.typing import Variable
from ...params.initializer import Constant
from ...static.program.persistent import step_counter
from ..support.arguments import parsed_number
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
) -> Variable:
    """Create a Variable in the global block that the startup Program fills with a constant.

    Arguments:
        shape: a list of ints.
        value: the constant, a number or bool.
        dtype: a dtype: its name, a NumPy dtype or a VarType.
        persistable: whether its value is kept from one run to the next.
        force_cpu: accepted for Fluid code, ignored.
        name: its name; generated where it is None.

    Returns:
        The Variable.

    Raises:
        ArgumentTypeError: value is not a number, or shape is not a list of ints.
        DtypeError: there is no such dtype.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     fluid.layers.create_global_var([2], 1.5, 'float32', persistable=True, name='state')
    Variable state: shape=[2], dtype=float32, persistable, stop_gradient
    """
    where = "create_global_var"
    if not isinstance(shape, (list, tuple, np.ndarray)):
        raise ArgumentTypeError(message(where, "shape", describe(shape), "a list of sizes"))
    for i, size in enumerate(shape):
        if not isinstance(size, (int, np.integer)):
            raise ArgumentTypeError(message(where, f"shape[{i}]", describe(size), "an int"))
    helper = LayerHelper("global_var")
    start = float(value) if isinstance(value, bool) else parsed_number(where, "value", value)
    variable = helper.create_global_variable(
        name=name, persistable=persistable, dtype=dtype, shape=list(shape), stop_gradient=True
    )
    helper.set_variable_initializer(variable, Constant(start, force_cpu))
    return variable


def create_tensor(dtype: Any, name: str | None = None, persistable: bool = False) -> Variable:
    """Create a Variable without a shape, to pass as the `out` argument of a function.

    Arguments:
        dtype: a dtype: its name, a NumPy dtype or a VarType.
        name: its name; generated where it is None.
        persistable: whether its value is kept from one run to the next.

    Returns:
        The Variable.

    Raises:
        DtypeError: there is no such dtype.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     total = fluid.layers.create_tensor('float32', name='total')
    ...     fluid.layers.sums([fluid.layers.ones([2], 'float32')] * 3, out=total)
    Variable total: shape=[2], dtype=float32
    """
    helper = LayerHelper("create_tensor", name=name)
    return helper.create_variable(name=helper.name, dtype=dtype, persistable=persistable)


def autoincreased_step_counter(counter_name: str | None = None, begin: int = 1, step: int = 1) -> Variable:
    """Return a counter of the runs of a Program: an int64 Variable [1] that each run increases by `step` at its start.

    Arguments:
        counter_name: its name; calls with the same name share one counter.
        begin: its value in the first run if `step` is 1: the counter starts at begin - 1, as in Paddle.
        step: the increase in each run.

    Returns:
        The counter, an int64 Variable [1].

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
    require_program("autoincreased_step_counter: counts the runs of a Program; in imperative mode count in Python.")
    counter: Any = step_counter(COUNTER if counter_name is None else counter_name, begin, step)
    return counter
