"""Python functions of the user as operators of a Program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.mode import require_program, state
from ...static.operators.py_func import register
from ...static.program.program import default_main_program
from ...static.program.variable import Variable

__all__ = ["py_func"]


def py_func(
    func: Callable,
    x: Any,
    out: Any,
    backward_func: Callable | None = None,
    skip_vars_in_backward_input: Any = None,
) -> Any:
    """Append an operator that calls a Python function when the Program runs.

    The function gets a LoDTensor for each Variable of `x`: `np.array(tensor)` gives its values, `tensor.lod()` its LoD.
    It returns an array, a LoDTensor, or a list of them, one for each Variable of `out`. It is called in every run, even
    if nothing reads its results. A saved Program stores only a number for the function; another process cannot run it.

    Arguments:
        func: the function.
        x: a Variable, a list of Variables, or None: the arguments of the function.
        out: the Variable or Variables to write the results into, made by
            `fluid.default_main_program().current_block().create_var(name, dtype, shape)`; None for a function without
            results.
        backward_func: the function that computes the gradients. Its arguments are `x`, `out` and the gradients of `out`
            (zeros where there is none); it returns a gradient for each Variable of `x`, or None for one that needs
            none. Without it no gradient flows.
        skip_vars_in_backward_input: Variables among `x` and `out` that are not passed to backward_func.

    Returns:
        `out`.

    Raises:
        ArgumentTypeError: `func` or `backward_func` is not callable; `x`, `out` or `skip_vars_in_backward_input` holds
            something other than Variables of a Program.
        ArgumentValueError: a Variable of `out` has no shape; a Variable to skip is neither in `x` nor in `out`.
        ModeError: in imperative mode; call the function directly there.
        EnforceNotMet: from `Executor.run`: the function raised an error or returned something else.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     x = fluid.data('x', [None, 2], 'float32')
    ...     y = fluid.default_main_program().current_block().create_var(name='y', dtype='float32', shape=[-1, 2])
    ...     y = fluid.layers.py_func(lambda a: np.sort(np.array(a)), x, y)
    ...     fluid.Executor(fluid.CPUPlace()).run(feed={'x': np.array([[2, 1]], 'float32')}, fetch_list=[y])
    [array([[1., 2.]], dtype=float32)]
    """
    where = "py_func"
    require_program("py_func: an operator of Programs only. In imperative mode call the function itself.")
    for name, function in (("func", func), ("backward_func", backward_func)):
        if not callable(function) and not (function is None and name == "backward_func"):
            raise ArgumentTypeError(message(where, name, describe(function), "a function"))
    inputs, outputs = _variables(where, "x", x), _variables(where, "out", out)
    for each in outputs:
        if not each.shape:
            fix = "Make it with create_var(name, dtype, shape)."
            raise ArgumentValueError(message(where, f"out {each.name}", "no shape", "a shape", fix))
    known = {v.name for v in (*inputs, *outputs)}
    skipped = [v.name for v in _variables(where, "skip_vars_in_backward_input", skip_vars_in_backward_input)]
    for name in skipped:
        if name not in known:
            needs = f"one of {sorted(known)}, the Variables of x and out"
            raise ArgumentValueError(message(where, "skip_vars_in_backward_input", repr(name), needs))
    attrs = {
        "forward_callable_id": register(func),
        "backward_callable_id": -1 if backward_func is None else register(backward_func),
        "backward_skip_vars": skipped,
    }
    default_main_program().current_block().append_op("py_func", {"X": inputs}, {"Out": outputs}, attrs)
    return out


def _variables(where: str, name: str, value: Any) -> list[Variable]:
    """Return the Variables of a Program in an argument as a list."""
    each = value if isinstance(value, (list, tuple)) else [] if value is None else [value]
    for one in each:
        if not state.mode.is_variable(one):
            raise ArgumentTypeError(message(where, name, describe(one), "a Variable of a Program, or a list of them"))
    return list(each)
