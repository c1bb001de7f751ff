"""py_func: an operator that calls a Python function; Programs refer to such functions by number."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...core.errors import ArgumentTypeError, ArgumentValueError, EnforceNotMet, MissingKeyError, message
from ...core.host import to_host
from ...core.selected_rows import SelectedRows
from ...core.tensor import LoDTensor
from ...core.tracebacks import is_from_us
from ...kernels.registry import array_module
from ...ops.framework.spec import Strings
from ..autodiff.gradient_ops import GradientBuilder
from ..program.operator import Operator
from ..program.roles import OpRole
from ..program.variable import Variable
from .structural import EMPTY, ControlGrad, structural

_numbers = itertools.count()
_in_files: dict[int, FunctionNumber] = {}  # functions whose bare numbers somebody has


class FunctionNumber(int):
    """The number of a function of this process, with the function, which lives as long as operators have its number.

    A file holds the bare number, `int(number)`. Who has that may refer to the function as long as the process lives.
    """

    function: Callable

    def __int__(self) -> int:
        _in_files[self] = self
        return super().__int__()

    def __deepcopy__(self, known: Any) -> FunctionNumber:
        return self

    def __reduce__(self) -> tuple[type[int], tuple[int]]:
        return int, (int(self),)


def register(function: Callable) -> FunctionNumber:
    """Return a number by which operators of this process refer to a function."""
    number = FunctionNumber(next(_numbers))
    number.function = function
    return number


def register_for_good(function: Callable) -> int:
    """Return the bare number of a function, which lives as long as the process."""
    return int(register(function))


def known_functions() -> dict[int, Callable]:
    """Return the functions whose bare numbers somebody has, by these numbers."""
    return {super(FunctionNumber, number).__int__(): number.function for number in _in_files.values()}


def function_name(function: Callable) -> str:
    """Return the name of a function and the line of its definition, for error texts."""
    name = f"{getattr(function, '__module__', '')}.{getattr(function, '__qualname__', repr(function))}".lstrip(".")
    code = getattr(function, "__code__", None)
    return name if code is None else f"{name} (line {code.co_firstlineno} of {code.co_filename})"


def call(number: int, device: str, wanted: Sequence[bool], arrays: Sequence[Any], lods: Sequence[Any]) -> tuple:
    """Call a registered function.

    Arguments:
        number: the number of the function.
        device: "cpu" or "gpu"; arguments and results of functions are on the host.
        wanted: for each result, whether it is read; None is allowed for the others.
        arrays, lods: the arguments, which are passed as LoDTensors.

    Returns:
        (arrays, LoDs) of the results.

    Raises:
        MissingKeyError: this process has no function with this number, since the Program came from a file.
        ArgumentTypeError: the function does not take these arguments.
        ArgumentValueError: its results do not fit. An error of the function itself stays as it is.
    """
    found = number if isinstance(number, FunctionNumber) else _in_files.get(number)
    if found is None:
        needs = "one that fluid.layers.py_func made in this process"
        raise MissingKeyError(message("py_func", "callable", f"number {number}", needs, "Build the Program again."))
    function = found.function
    try:
        results = function(*(_given(array, lod) for array, lod in zip(arrays, lods, strict=True)))
    except Exception as error:
        if isinstance(error, EnforceNotMet) or not is_from_us(error):  # the program's own: its except clauses catch it
            error.of_a_function = True  # type: ignore[attr-defined]  # the Plan leaves it as it is
            if hasattr(error, "add_note"):  # Python 3.11
                error.add_note(f"py_func called {function_name(function)}.")
            raise
        text = f"py_func: {function_name(function)} raised {type(error).__name__}: {error}"
        raise ArgumentTypeError(text) from error
    if not isinstance(results, (list, tuple)):
        results = [] if results is None and not wanted else [results]
    if len(results) != len(wanted):
        needs = f"{len(wanted)}, one for each output"
        raise ArgumentValueError(
            message("py_func", f"number of results of {function_name(function)}", len(results), needs)
        )
    made = [_taken(function, i, each, device) for i, each in enumerate(results)]
    for i, (value, need) in enumerate(zip(made, wanted, strict=True)):
        if need and value[0] is None:
            raise ArgumentValueError(message("py_func", f"result {i} of {function_name(function)}", "None", "an array"))
    return tuple(array for array, _ in made), tuple(lod for _, lod in made)


def _given(array: Any, lod: Any) -> Any:
    """Return the argument of a function for an array."""
    if isinstance(array, SelectedRows):
        return array
    tensor = LoDTensor()
    tensor.array = to_host(array)
    tensor.levels = lod
    return tensor


def _taken(function: Callable, index: int, value: Any, device: str) -> tuple[Any, Any]:
    """Return (array, LoD) of a result of a function."""
    if value is None or isinstance(value, SelectedRows):
        return value, None
    lod = None
    if isinstance(value, LoDTensor):
        value, lod = value.array, value.levels
    array = np.array(value)
    if array.dtype.kind not in "fiub":
        needs = "an array of numbers, or a LoDTensor"
        raise ArgumentValueError(message("py_func", f"result {index} of {function_name(function)}", repr(value), needs))
    return array if device == "cpu" else array_module(device).asarray(array), lod


def _gradient(builder: GradientBuilder, op: Operator, arrived: Mapping[str, Mapping[str, Variable | None]]) -> None:
    """Append a py_func that calls the backward function; without one, no gradient flows."""
    number = op.attr("backward_callable_id")
    if number < 0:
        return
    skipped, outputs = set(op.attr("backward_skip_vars")), op.output("Out")
    reads = [builder.read_as.get(n, n) for n in (*op.input("X"), *outputs) if n not in skipped]
    for name in outputs:
        gradient = arrived["Out"][name]
        reads.append(gradient.name if gradient is not None else builder._zeros(name).name)
    attrs = {"forward_callable_id": number, "op_role": int(OpRole.Backward)}
    made = Operator(builder.block, "py_func", {"X": reads}, {}, attrs, op.line, py_func)
    made.forward = op
    made.outputs["Out"] = [builder._piece(made, n) if n in builder.flows else EMPTY for n in op.input("X")]
    builder.block.place(made)


py_func = structural(
    "py_func", "X*", "Out*", {"forward_callable_id": 0, "backward_callable_id": -1, "backward_skip_vars": Strings([])},
    infer=lambda X: [], grad=ControlGrad("X", "Out", _gradient), doc="Out = what a function of the user's makes of X.",
)  # fmt: skip
py_func.effects = "io"
