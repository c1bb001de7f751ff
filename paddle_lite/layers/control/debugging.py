"""Inspection of a running Program: Print and Assert."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core import result_names, unique_name
from ...core.dtype import to_numpy
from ...core.errors import ArgumentTypeError, DtypeError, describe
from ...core.errors import message as _needs
from ...core.typing import Variable
from ...ops.control.printing import print_
from ...ops.paddle2.manipulation import assert_
from ..support.arguments import check_int, check_variable, flag

__all__ = ["Assert", "Print"]

PRINTED = ("float32", "float64", "int32", "int64", "bool")


def Print(
    input: Variable,
    first_n: int = -1,
    message: str | None = None,
    summarize: int = 20,
    print_tensor_name: bool = True,
    print_tensor_type: bool = True,
    print_tensor_shape: bool = True,
    print_tensor_lod: bool = True,
    print_phase: str = "both",
) -> Variable:
    """Print the values of a Variable each time the Program runs, and its gradient.

    The output has the time (seconds since 1970), `message` and the device, then name, shape, dtype (f, d, i, l, b for
    float32, float64, int32, int64, bool), LoD and values. The operator runs even if nothing reads its result; the
    gradient is printed only if the loss depends on the result.

    Arguments:
        input: a Variable of any shape; float32, float64, int32, int64 or bool.
        first_n: how many times to print; negative: always. In imperative mode each call is counted by itself.
        message: text that is printed first.
        summarize: the largest number of values to print; negative: all.
        print_tensor_name, print_tensor_type, print_tensor_shape, print_tensor_lod: which lines to print.
        print_phase: "forward" for the values, "backward" for the gradient, or "both".

    Returns:
        A Variable with the values of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, message or print_phase is not a string, or first_n or summarize is
            not an int.
        DtypeError: input has another dtype.
        ArgumentValueError: print_phase is none of the three.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     x = fluid.data('x', [None, 2], 'float32')
    ...     y = fluid.layers.Print(x, message='here is x:', print_phase='forward')
    ...     exe = fluid.Executor(fluid.CPUPlace())
    ...     exe.run(feed={'x': np.array([[1, 2.5]], 'float32')}, fetch_list=[y])
    1...    here is x:      The place is:CPUPlace
    Tensor[x]
            shape: [1,2,]
            dtype: f
            data: 1,2.5,
    [array([[1. , 2.5]], dtype=float32)]
    """
    where = "Print"
    check_variable(where, "input", input)
    if to_numpy(input.dtype).name not in PRINTED:
        raise DtypeError(_needs(where, "input", f"dtype {to_numpy(input.dtype).name}", f"one of {PRINTED}"))
    for name, text in (("message", message or ""), ("print_phase", print_phase)):
        if not isinstance(text, str):
            raise ArgumentTypeError(_needs(where, name, describe(text), "a string"))
    attrs = {
        "first_n": check_int(where, "first_n", first_n), "message": message or "", "summarize": check_int(where, "summarize", summarize),
        "print_tensor_name": flag(where, "print_tensor_name", print_tensor_name), "print_tensor_type": flag(where, "print_tensor_type", print_tensor_type),
        "print_tensor_shape": flag(where, "print_tensor_shape", print_tensor_shape), "print_tensor_lod": flag(where, "print_tensor_lod", print_tensor_lod),
        "print_phase": print_phase.upper(),
    }  # fmt: skip
    with result_names.layer(unique_name.generate(f"print_{input.name}")):
        return print_.call(input, **attrs)


def Assert(cond: Any, data: Sequence[Any] | None = None, summarize: int = 20, name: str | None = None) -> None:
    """Raise an error if a condition is false when the Program runs (PaddlePaddle 2.0).

    Arguments:
        cond: a bool Variable of one element.
        data: a list of Variables to print before the error, in the format of Print.
        summarize: the largest number of values to print of each; negative: all.
        name: accepted for Paddle code, ignored.

    Returns:
        None.

    Raises:
        ArgumentTypeError: cond is not a Variable, or data is not a list of Variables.
        DtypeError: cond is not bool.
        ArgumentValueError: the condition is false; raised by `Executor.run`, in imperative mode by this call.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     x = fluid.data('x', [None], 'float32')
    ...     fluid.layers.Assert(fluid.layers.reduce_max(x) < 10.0, [x])
    ...     exe = fluid.Executor(fluid.CPUPlace())
    ...     exe.run(feed={'x': np.array([1, 2], 'float32')}, fetch_list=[])
    []
    """
    where = "Assert"
    check_variable(where, "cond", cond)
    if to_numpy(cond.dtype).name != "bool":
        raise DtypeError(_needs(where, "cond", f"dtype {to_numpy(cond.dtype).name}", "bool"))
    if data is not None and not isinstance(data, (list, tuple)):
        raise ArgumentTypeError(_needs(where, "data", describe(data), "a list of Variables, or None"))
    shown = [check_variable(where, f"data[{i}]", each) for i, each in enumerate(data or ())]
    assert_.call(cond, shown or None, summarize=check_int(where, "summarize", summarize))
