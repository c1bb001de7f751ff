"""Values and Variables by name: `fluid.executor._fetch_var`, `fluid.framework._get_var` and others."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.dtype import to_numpy
from ...core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    LoDError,
    MissingVariableError,
    ShapeError,
    describe,
    message,
)
from ...core.tensor import LoDTensor
from ...static.execution.scope import Scope, global_scope
from ...static.program.operator import Operator
from ...static.program.program import Program, default_main_program
from ...static.program.python_operators import is_variable
from ...static.program.variable import Variable

__all__ = [
    "EMPTY_VAR_NAME",
    "GRAD_VAR_SUFFIX",
    "TEMP_VAR_NAME",
    "ZERO_VAR_SUFFIX",
    "as_numpy",
    "check_feed_shape_type",
    "dimension_is_compatible_with",
    "dtype_is_compatible_with",
    "grad_var_name",
]

EMPTY_VAR_NAME = "@EMPTY@"
TEMP_VAR_NAME = "@TEMP@"
GRAD_VAR_SUFFIX = "@GRAD"
ZERO_VAR_SUFFIX = "@ZERO"
CONTROL_DEP_VAR_PREFIX = "__control_var"


def grad_var_name(var_name: str) -> str:
    """Return the name of the gradient of a Variable.

    >>> from paddle_lite.fluid.framework import grad_var_name
    >>> grad_var_name('fc_0.w_0')
    'fc_0.w_0@GRAD'
    """
    return var_name + GRAD_VAR_SUFFIX


def generate_control_dev_var_name() -> str:
    """Return a name for a Variable that stands for the order of two operators only."""
    return f"{CONTROL_DEP_VAR_PREFIX}@{random.random()}"


def getitem(var: Any, item: Any) -> Any:
    """Return a part of a Variable, as `var[item]` does."""
    return var[item]


def _get_var(name: str, program: Program | None = None) -> Variable:
    """Return a Variable of the first block of a Program by its name.

    Arguments:
        name: the name.
        program: the Program; the default main Program where it is None.

    Raises:
        MissingVariableError: there is no such Variable.
        ArgumentTypeError: `name` is no string, or `program` no Program.
    """
    program = default_main_program() if program is None else program
    if not isinstance(program, Program):
        raise ArgumentTypeError(message("_get_var", "program", describe(program), "a Program"))
    return program.global_block().var(name)


def _fetch_var(name: str, scope: Scope | None = None, return_numpy: bool = True) -> Any:
    """Return the value that a Variable has in a Scope.

    Arguments:
        name: the name of the Variable.
        scope: the Scope; the global one where it is None.
        return_numpy: return a NumPy array rather than a LoDTensor.

    Raises:
        ArgumentTypeError: `name` is no string.
        MissingVariableError: the Scope has no value of this name.
        LoDError: the value has a LoD, which a NumPy array cannot hold.
    """
    if not isinstance(name, str):
        raise ArgumentTypeError(message("_fetch_var", "name", describe(name), "a name"))
    found = (global_scope() if scope is None else scope).find_var(name)
    if found is None:
        fix = "Only persistable Variables keep their values: set var.persistable = True before the Program runs."
        raise MissingVariableError(message("_fetch_var", "name", repr(name), "a name that the Scope has", fix))
    tensor = found.get_tensor()
    return as_numpy(tensor) if return_numpy else tensor


def as_numpy(tensor: Any) -> Any:
    """Return the values of a LoDTensor as a NumPy array, those of a list of them as a list.

    Raises:
        LoDError: a LoDTensor has a LoD, which an array cannot hold.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> fluid.executor.as_numpy(fluid.create_lod_tensor(np.ones([2], 'float32'), [], fluid.CPUPlace()))
    array([1., 1.], dtype=float32)
    """
    if isinstance(tensor, (list, tuple)):
        return [as_numpy(each) for each in tensor]
    if isinstance(tensor, LoDTensor) and tensor.lod():
        fix = "Fetch it with return_numpy=False."
        raise LoDError(message("as_numpy", "tensor", f"a LoD {tensor.lod()}", "a tensor without LoD", fix))
    return np.array(tensor)


def _as_lodtensor(data: Any, place: Any, dtype: Any = None) -> LoDTensor:
    """Return the LoDTensor of a NumPy array or a number.

    Arguments:
        data: an array or a number.
        place: the place of the tensor.
        dtype: the dtype, which a number needs.

    Raises:
        ArgumentTypeError: `data` is a list, or a number without a dtype.
    """
    if isinstance(data, (list, tuple)):
        fix = "Make it an array by np.array, or a ragged one by fluid.create_lod_tensor."
        raise ArgumentTypeError(message("_as_lodtensor", "data", describe(data), "an array", fix))
    if not isinstance(data, np.ndarray):
        if dtype is None:
            raise ArgumentTypeError(message("_as_lodtensor", "dtype", "None", f"one, as data is {describe(data)}"))
        data = np.array([data], to_numpy(dtype))
    tensor = LoDTensor()
    tensor.set(data, place)
    return tensor


def _to_name_str(var: Any) -> str:
    """Return the name of a Variable, an Operator's unique text, or the string itself.

    Raises:
        ArgumentTypeError: `var` is none of these.
    """
    if is_variable(var):
        return var.name
    if isinstance(var, str):
        return var
    if isinstance(var, Operator):
        return str(id(var))
    raise ArgumentTypeError(message("_to_name_str", "var", describe(var), "a Variable, an Operator or a name"))


def dimension_is_compatible_with(first: Sequence[int], second: Sequence[int]) -> bool:
    """Return whether two shapes have the same rank and the same sizes, where both are known.

    >>> from paddle_lite.fluid.executor import dimension_is_compatible_with
    >>> dimension_is_compatible_with([2, -1], [2, 3]), dimension_is_compatible_with([2], [2, 3])
    (True, False)
    """
    return len(first) == len(second) and all(
        a == b or a is None or b is None or min(a, b) < 0 for a, b in zip(first, second, strict=True)
    )


def dtype_is_compatible_with(first: Any, second: Any) -> bool:
    """Return whether two spellings mean the same dtype.

    >>> from paddle_lite.fluid.executor import dtype_is_compatible_with
    >>> dtype_is_compatible_with('float32', np.float32)
    True
    """
    return to_numpy(first) == to_numpy(second)


def check_feed_shape_type(var: Variable, feed: LoDTensor, num_places: int = 1) -> bool:
    """Raise unless a tensor can be fed to a data Variable.

    Arguments:
        var: the Variable.
        feed: the tensor.
        num_places: the number of places that share the tensor's rows.

    Returns:
        True.

    Raises:
        ShapeError: its shape does not fit.
        ArgumentValueError: its dtype is another one.
    """
    if not var.need_check_feed:
        return True
    array = np.asarray(feed)
    rows = array.shape[0] / num_places if array.ndim else 0
    shape = [int(rows) if rows == int(rows) else rows, *array.shape[1:]]
    if not dimension_is_compatible_with(shape, var.shape):
        got = f"shape {shape} on each place"
        raise ShapeError(message("feed", var.name, got, f"shape {list(var.shape)}"))
    if not dtype_is_compatible_with(array.dtype, var.dtype):
        raise ArgumentValueError(message("feed", var.name, f"dtype {array.dtype}", to_numpy(var.dtype).name))
    return True
