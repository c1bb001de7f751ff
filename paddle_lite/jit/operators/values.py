"""Values of translated code: which are Variables of the Program, and which stand for none."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from ...core.dtype import VarType, to_numpy, to_vartype
from ...core.errors import ArgumentValueError
from ...core.mode import state
from ...imperative.variable import Variable as ImperativeVariable
from ...ops.math import arithmetic as ops_math
from ...ops.shape import fill
from ...static.program.user_line import shown, user_line
from ...static.program.variable import Variable

Number = (bool, int, float, np.bool_, np.integer, np.floating)


def is_variable(value: Any) -> bool:
    """Whether a value is known only when the Program runs."""
    return isinstance(value, Variable)


def is_array(value: Any) -> bool:
    """Whether a value is an array of the Program, what a list becomes in a loop."""
    return isinstance(value, Variable) and value.type == VarType.LOD_TENSOR_ARRAY


class Stack:
    """A list that grows and shrinks in the Program: an array, of which the first `length` elements count."""

    __slots__ = ("array", "length")

    def __init__(self, array: Any, length: Any) -> None:
        self.array, self.length = array, length


class Undefined:
    """What a name holds that has no value: using it is an error that says why.

    Arguments:
        name: the variable of the user.
        why: the reason, a sentence; where it is None, nothing has set the variable.
    """

    __slots__ = ("name", "why")

    def __init__(self, name: str, why: str | None = None) -> None:
        self.name = name
        self.why = why

    def error(self) -> ArgumentValueError:
        """The error for using it."""
        if self.why is not None:
            return ArgumentValueError(self.why)
        return ArgumentValueError(
            f"declarative: {told(self.name)} is used before anything has set it.\n  at {shown(user_line())}"
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
    """What a variable is called in a text: those that the translator makes hold what is returned."""
    return "the returned value" if name.startswith(("_result_", "_value_")) else repr(name)


class NotReturned(Undefined):
    """The value of a `return` in a loop that has not been reached."""

    __slots__ = ()


def not_returned() -> NotReturned:
    """The value of a `return` before it is reached."""
    return NotReturned("the returned value")


def checked(value: Any) -> Any:
    """A value, if it is one."""
    if isinstance(value, Undefined):
        raise value.error()
    return value


def constant(value: Any, dtype: Any = None) -> Any:
    """A number of Python, or a Variable of imperative mode, in the Program."""
    if isinstance(value, (Variable, ImperativeVariable)):
        building = getattr(state.recorder, "stand_in", None)
        return value if building is None else building(value)
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
    """A value that is never read, of the form of another."""
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
    """A Variable as a condition: of dtype bool."""
    if value.dtype == VarType.BOOL:
        return value
    return ops_math.cast.call(value, in_dtype=int(value.dtype), out_dtype=int(VarType.BOOL))


def here() -> str:
    """The user's line that is being built."""
    return shown(user_line())
