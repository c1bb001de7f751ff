"""Functions that the parts of the high-level API share: lists of lists, values of Variables, arguments of functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..imperative.python_operators import is_variable as is_imperative_variable
from ..static.execution.scope import global_scope
from ..static.program.python_operators import is_variable as is_program_variable

__all__ = ["extract_args", "flatten_list", "restore_flatten_list", "to_list", "to_numpy"]


def to_list(value: Any) -> Any:
    """Return a value as a list: a list or tuple as a new list, None as None, anything else in a list of one."""
    if value is None:
        return None
    return list(value) if isinstance(value, (list, tuple)) else [value]


def to_numpy(var: Any) -> np.ndarray:
    """Return the value of a Variable as an ndarray; that of a Variable of a Program is in the global scope.

    Raises:
        ArgumentTypeError: `var` is not a Variable.
        ArgumentValueError: the Variable of a Program has no value yet.
    """
    if is_imperative_variable(var):
        return var.numpy()
    if not is_program_variable(var):
        raise ArgumentTypeError(message("to_numpy", "var", describe(var), "a Variable"))
    found = global_scope().find_var(var.name)
    if found is None:
        fix = "Run the startup Program first; Model.prepare() does."
        raise ArgumentValueError(message("to_numpy", f"variable {var.name}", "no value", "one in the scope", fix))
    return np.array(found.get_tensor())


def flatten_list(values: Sequence[Any]) -> tuple[list[Any], list[int]]:
    """Return the items of a list of lists in one list, and the length of each list.

    Raises:
        ArgumentTypeError: it is not a list of lists.

    >>> flatten_list([[1, 2], [], [3]])
    ([1, 2, 3], [2, 0, 1])
    """
    if not isinstance(values, list) or not all(isinstance(each, list) for each in values):
        raise ArgumentTypeError(message("flatten_list", "l", describe(values), "a list of lists"))
    return [item for each in values for item in each], [len(each) for each in values]


def restore_flatten_list(values: Sequence[Any], splits: Sequence[int]) -> list[Any]:
    """Return a list cut into lists of the lengths `splits`, as `flatten_list` returns them.

    Raises:
        ArgumentValueError: the list is shorter than the lengths say.

    >>> restore_flatten_list([1, 2, 3], [2, 0, 1])
    [[1, 2], [], [3]]
    """
    if len(values) < sum(splits):
        needs = f"at least {sum(splits)} items for splits {list(splits)}"
        raise ArgumentValueError(message("restore_flatten_list", "l", f"{len(values)} items", needs))
    start, cut = 0, []
    for length in splits:
        cut.append(list(values[start : start + length]))
        start += length
    return cut


def extract_args(function: Callable[..., Any]) -> list[str]:
    """Return the names of the positional arguments of a function, `self` included.

    >>> extract_args(lambda image, label=None: image)
    ['image', 'label']
    """
    return inspect.getfullargspec(function).args
