"""Persistable Variables that are not parameters: learning rates, counters, accumulators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import program as programs
from .roles import OpRole, role
from .variable import Variable


def persistent_variable(
    name: str, shape: Sequence[int], dtype: Any, initializer: Any, stop_gradient: bool = True
) -> Variable:
    """Return a persistable Variable of the default main Program, which the default startup Program initialises.

    Arguments:
        name: its name; if the main Program has it already, that Variable is returned unchanged.
        shape, dtype: the shape and the dtype of its value.
        initializer: an Initializer.
        stop_gradient: whether gradients stop at it.

    Returns:
        A Variable of the default main Program.
    """
    main = programs.default_main_program().global_block()
    known = main.vars.get(name)
    if known is not None:
        return known
    attributes = {"shape": shape, "dtype": dtype, "persistable": True, "stop_gradient": stop_gradient}
    with role(OpRole.Forward):
        programs.default_startup_program().global_block().declare_var(name=name, initializer=initializer, **attributes)
    return main.declare_var(name=name, **attributes)


def step_counter(name: str, begin: int = 1, step: int = 1) -> Variable:
    """Return a counter [1], int64, which is increased by `step` at the start of each run of the default main Program.

    Arguments:
        name: its name; a second call with it returns the same counter.
        begin: its value in the first run if `step` is 1; before that run it is begin - 1, as in Paddle.
        step: the increment.

    Returns:
        A Variable of the default main Program, shape [1], dtype int64.
    """
    from ...params.initializer import Constant

    block = programs.default_main_program().global_block()
    if name in block.vars:
        return block.vars[name]
    counter = persistent_variable(name, [1], "int64", Constant(float(begin - 1), force_cpu=True))
    block._prepend_op("increment", {"X": counter}, {"Out": counter}, {"step": float(step)})
    return counter
