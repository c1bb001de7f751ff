"""Values of translated code: Variables of the Program, constants, and placeholders for variables without a value."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from ...core.dtype import VarType, to_numpy, to_vartype
from ...core.errors import UnknownNameError
from ...core.mode import state
from ...imperative.variable import Variable as ImperativeVariable
from ...ops.math import arithmetic as ops_math
from ...ops.shape import fill
from ...static.program import python_operators
from ...static.program.user_line import format_line, user_line
from ...static.program.variable import Variable

Number = (bool, int, float, np.bool_, np.integer, np.floating)


def is_variable(value: Any) -> bool:
    """Tell whether a value is a Variable of the Program, known only when it runs."""
    return python_operators.is_variable(value)


def is_array(value: Any) -> bool:
    """Tell whether a value is a tensor array of the Program, which a list becomes in a loop."""
    return is_variable(value) and value.type == VarType.LOD_TENSOR_ARRAY


class Stack:
    """A list that grows and shrinks in the Program: the first `length` elements of a tensor array."""

    __slots__ = ("array", "length")

    def __init__(self, array: Any, length: Any) -> None:
        self.array, self.length = array, length


class Undefined:
    """The value of a variable that has none: using it raises an error with the reason.

    Arguments:
        name: the variable of the user.
        why: the reason, a sentence; where it is None, nothing has set the variable.
    """

    __slots__ = ("name", "why")

    def __init__(self, name: str, why: str | None = None) -> None:
        self.name = name
        self.why = why

    def error(self) -> UnknownNameError:
        """Return the error for using this variable."""
        if self.why is not None:
            return UnknownNameError(self.why)
        return UnknownNameError(
            f"declarative: {told(self.name)} is used before anything has set it.\n  at {format_line(user_line())}"
        )

    def _used(self, *_: Any, **__: Any) -> NoReturn:
        raise self.error()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        raise self.error()


for _name in [
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "pow",
    "matmul",
    "radd",
    "rsub",
    "rmul",
    "rtruediv",
    "rfloordiv",
    "rmod",
    "rpow",
    "rmatmul",
    "lt",
    "le",
    "gt",
    "ge",
    "neg",
    "getitem",
    "setitem",
    "len",
    "iter",
    "bool",
    "call",
    "int",
    "float",
    "index",
    "contains",
    "abs",
    "enter",
]:
    setattr(Undefined, f"__{_name}__", Undefined._used)


def told(name: str) -> str:
    """Return the name of a variable for an error text; generated ones hold the returned value."""
    return "the returned value" if name.startswith(("_result_", "_value_")) else repr(name)


class NotReturned(Undefined):
    """The type of `not_returned`."""

    __slots__ = ()


def not_returned() -> NotReturned:
    """Return the placeholder for the result of a `return` in a loop that has not been reached."""
    return NotReturned("the returned value")


def checked(value: Any) -> Any:
    """Return a value; raise the error of an Undefined one."""
    if isinstance(value, Undefined):
        raise value.error()
    return value


def constant(value: Any, dtype: Any = None) -> Any:
    """Return a Python number or an imperative Variable as a Variable of the Program."""
    if isinstance(value, (Variable, ImperativeVariable)):
        return state.mode.operand(value)
    array = np.asarray(value)
    if dtype is None:
        kind = array.dtype.kind
        dtype = (
            {"b": "bool", "i": "int64", "f": "float32"}[kind] if isinstance(value, (bool, int, float)) else array.dtype
        )
    kind = to_numpy(to_vartype(dtype)).kind
    return fill.fill_constant.call(
        shape=[1], dtype=int(to_vartype(dtype)), value=float(value), str_value=repr(int(value)) if kind == "i" else ""
    )


def blank(like: Any) -> Any:
    """Return a placeholder with the structure, shapes and dtypes of a value; it is never read."""
    if isinstance(like, (list, tuple)):
        return type(like)(blank(item) for item in like)
    if isinstance(like, dict):
        return {key: blank(item) for key, item in like.items()}
    if not is_variable(like):
        return constant(like) if isinstance(like, (Number, ImperativeVariable)) else like
    shape = [1 if n < 0 else n for n in like.shape]
    made = fill.fill_constant.call(shape=shape, dtype=int(like.dtype), value=0.0)
    made.set_meta(like.meta)
    return made


def condition(value: Any) -> Any:
    """Return a Variable cast to bool."""
    if value.dtype == VarType.BOOL:
        return value
    return ops_math.cast.call(value, in_dtype=int(value.dtype), out_dtype=int(VarType.BOOL))


def here() -> str:
    """Return the file and line of the user's statement that is being built."""
    return format_line(user_line())


def equal(a: Any, b: Any) -> bool:
    """Tell whether two Python values are equal; Variables and arrays never are."""
    return not hasattr(a, "shape") and not hasattr(b, "shape") and bool(a == b)
