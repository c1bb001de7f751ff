"""Errors about arguments that a function of paddle_lite did not check itself: they name the call and the argument.

Functions check their arguments where a wrong one would give a wrong result. Where it makes Python or NumPy raise an error further
down, `explained` turns that into an error about the call: it names the argument whose value does not have the type of the
signature, or the one whose value stands in the expression that failed, with what the docstring says about it. Where neither is
clear it quotes the first error, and shows the arguments in that expression. The first error stays its cause.
"""

from __future__ import annotations

import inspect
import re
import struct
import sys
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import CodeType, TracebackType, UnionType
from typing import Any

import numpy as np

from ..errors import (
    ArgumentTypeError,
    ArgumentValueError,
    EnforceNotMet,
    IndexRangeError,
    TooLargeError,
    describe,
    message,
)
from ..typing import Variable
from . import is_ours
from .blamed import Blamed, blamed, is_raised, mentioned
from .documented import documentation, owner_of

RAW = (
    TypeError, ValueError, LookupError, AttributeError, NameError, ArithmeticError, AssertionError, RecursionError, MemoryError,
    BufferError, SyntaxError, struct.error,
)  # fmt: skip
"""Errors of Python and NumPy that say nothing about a call of paddle_lite."""


class _NoAttribute(ArgumentValueError, AttributeError):
    pass


class _NoKey(ArgumentValueError, KeyError):
    def __str__(self) -> str:  # KeyError shows the repr of its argument
        return str(self.args[0])


class _NoName(ArgumentValueError, UnboundLocalError):
    pass


class _NoDivision(ArgumentValueError, ZeroDivisionError):
    pass


class _TooLarge(ArgumentValueError, OverflowError):
    pass


class _TooDeep(ArgumentValueError, RecursionError):
    pass


_NEEDED = (
    (re.compile("unhashable type"), "a value that can be the key of a dict, such as a text or a number"),
    (re.compile("truth value of an (empty )?array"), "one value, not an array"),
    (re.compile("surrogates not allowed"), "a text that can be written as UTF-8"),
    (re.compile("not supported between instances of"), "a value that can be compared with what it stands beside"),
    (re.compile("indices must be integers"), "a whole number"),
    (re.compile("is not iterable"), "a list, or something else to iterate over"),
)
"""Texts of Python's and NumPy's errors about one value, and what was needed in its place."""

_KINDS: dict[type[Exception], type[ArgumentValueError] | type[IndexRangeError]] = {
    IndexError: IndexRangeError, AttributeError: _NoAttribute, KeyError: _NoKey, NameError: _NoName, ZeroDivisionError: _NoDivision,
    OverflowError: _TooLarge, MemoryError: TooLargeError, RecursionError: _TooDeep,
}  # fmt: skip
"""An error of Python -> the class that is raised in its place, which the same `except` clauses catch."""


def is_raw(error: Exception) -> bool:
    """Return whether an error is one of Python's or NumPy's that says nothing about a call of paddle_lite.

    One that paddle_lite raises by `raise ... from ...` is there on purpose.
    """
    if not isinstance(error, RAW) or isinstance(error, EnforceNotMet) or getattr(error, "about_a_call", False):
        return False
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return not error.__suppress_context__ or trace is None or not is_ours(trace.tb_frame.f_code.co_filename)


def explained(
    function: Callable[..., Any], arguments: Sequence[Any], keywords: Mapping[str, Any], error: Exception
) -> Exception:
    """Return the error to raise for a call of a function that failed.

    Arguments:
        function: the function as it is defined. arguments, keywords: those of the call. error: what it has raised, in code
            of paddle_lite or of a library that this called.
    """
    code = getattr(function, "__code__", None)
    trace = (
        _of(error.__traceback__, code) or error.__traceback__
    )  # a Layer may fail before `forward`, where it makes its parameters
    if trace is None:
        return error  # Python's own about the signature
    given = _given(function, arguments, keywords)
    name = _name(function)
    if isinstance(error, RecursionError):
        return _caused(_TooDeep(_too_deep(name)), error)
    wrong = next(_of_another_type(function, given), None)
    if wrong is not None:
        argument, needs = wrong
        better: Exception = ArgumentTypeError(message(name, argument, describe(given[argument]), needs))
    else:
        kind = next((_KINDS[base] for base in type(error).__mro__ if base in _KINDS), ArgumentValueError)
        better = kind(_about_one(function, given, error, trace) or _about_all(name, trace, given, error))
    return _caused(better, error)


def _caused(better: Exception, error: BaseException | None) -> Exception:
    """Return an error that explains another one, its cause."""
    better.__cause__ = error
    better.explained = True  # type: ignore[attr-defined]
    return better


def _too_deep(name: str) -> str:
    """Return the text of the error of a call in which functions call each other too deeply."""
    fix = "Nest Layers, blocks, lists and functions less, or raise the limit with sys.setrecursionlimit()."
    return message(name, "the call", f"more than {sys.getrecursionlimit()} nested calls", "fewer: Python's limit", fix)


def explained_further(
    function: Callable[..., Any], arguments: Sequence[Any], keywords: Mapping[str, Any], error: Exception
) -> Exception:
    """Return the error to raise for a call that has called another one, whose failure was explained.

    It is about an argument of the outer call if that is what the inner one failed with, else the same error.
    """
    first, given = error.__cause__, _given(function, arguments, keywords)
    text = "" if first is None or isinstance(first, RecursionError) else _about_one(function, given, first)
    if not text:
        return error
    better = next(kind for kind in type(error).__mro__ if issubclass(kind, EnforceNotMet))(text)
    return _caused(better, first)


def _about_one(
    function: Callable[..., Any], given: Mapping[str, Any], error: BaseException, trace: TracebackType | None = None
) -> str:
    """Return a text about the one argument that an error is about, with what the docstring says of it; "" if that is not clear.

    trace: where the call itself failed; None for one that has called that.
    """
    found = blamed(function, given, error, own=trace is not None)
    if found is None and trace is not None and not is_raised(error):
        named = [n for n in mentioned(trace) if n in given]
        found = Blamed(function, named[0], given[named[0]]) if len(named) == 1 else None
    if found is None:
        return ""
    says = documentation(found.function, found.argument)
    needs = f"what its description says: {says}" if says else _needed(error)
    if not needs:
        return ""
    owner = owner_of(found.function)
    name = owner.__name__ if owner is not None else _name(found.function)
    return message(name, found.argument, describe(found.value), needs)


def _needed(error: BaseException) -> str:
    """Return what the text of an error says that was needed; "" where it does not say."""
    return next((needs for text, needs in _NEEDED if text.search(str(error))), "")


def _about_all(name: str, trace: TracebackType, given: Mapping[str, Any], error: Exception) -> str:
    """Return a text that quotes an error, with the arguments in the expression that failed."""
    text = " ".join(str(error).split()) or "no text"
    why = f"{type(error).__name__}: {text if len(text) <= 300 else text[:297] + '...'}"
    named = [n for n in mentioned(trace) if n in given] or list(given)
    shown = ", ".join(f"{n} = {describe(given[n])}" for n in named[:6])
    return f"{name}: {shown or 'called without arguments'}: it does not work with that ({why})."


def _name(function: Callable[..., Any]) -> str:
    """Return the name of a function for users; that of the class for its `__init__`."""
    owner = getattr(function, "__self__", None)
    if owner is not None and not isinstance(owner, type):
        return type(owner).__name__  # of a Layer, whose `forward` failed
    name: str = getattr(function, "__qualname__", "") or type(function).__name__
    return name.partition(".<locals>")[0].removesuffix(".__init__").removesuffix(".__call__").removesuffix(".forward")


def _of(trace: TracebackType | None, code: CodeType | None) -> TracebackType | None:
    """Return the entry of a traceback for a function's code; None if it is not there."""
    while trace is not None and trace.tb_frame.f_code is not code:
        trace = trace.tb_next
    return trace


def _given(function: Callable[..., Any], arguments: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call by name, less `self`; of a reader without arguments what it was made with."""
    try:
        bound = inspect.signature(function).bind(*arguments, **keywords).arguments
    except (TypeError, ValueError):
        return dict(keywords)
    if not bound and getattr(function, "__closure__", None):
        bound = dict(inspect.getclosurevars(function).nonlocals)
    return {name: value for name, value in bound.items() if name not in ("self", "cls")}


def _is_one_number(value: Any) -> bool:
    """Return whether a value is an array, or a Variable, of one number; so is a Variable of a Program, whose number is not known."""
    array = getattr(value, "array", value)
    if not hasattr(array, "dtype") or not hasattr(array, "shape") or isinstance(value, type):
        return False
    return getattr(array, "size", 1) == 1 and getattr(array.dtype, "kind", "f") in "biuf"


# --- the types of a signature --------------------------------------------------------------------------------------------


def _of_another_type(function: Callable[..., Any], given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the arguments whose values do not have the types of the signature, and the texts of these types."""
    scope = getattr(function, "__globals__", {})
    for name, value in given.items():
        text = _stated(function, name)
        try:
            kind = eval(text, scope, dict(vars(typing))) if text else Any
        except Exception:  # a name that only type checkers import
            continue
        if not _fits(value, kind):
            yield name, text.replace("VariableType", "Variable").replace("ParameterType", "Parameter")


def _stated(function: Callable[..., Any], argument: str) -> str:
    """Return the text of the type that a signature gives an argument; "" for none, for Any, and for *args and **keywords."""
    parameter = inspect.signature(function).parameters.get(argument)
    if parameter is None or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        return ""
    stated = parameter.annotation
    text = "" if stated is parameter.empty else stated if isinstance(stated, str) else inspect.formatannotation(stated)
    return "" if text in ("Any", "typing.Any", "object") else text


def _fits(value: Any, kind: Any) -> bool:
    """Return whether a value may have a type; True where that is not known."""
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if kind is None:
        return value is None
    if origin in (typing.Union, UnionType):
        return any(_fits(value, each) for each in inside)
    if origin is typing.Literal:
        return value in inside
    if kind in (int, float):
        numbers = (int, np.integer) if kind is int else (int, float, np.integer, np.floating)
        return isinstance(value, numbers) or _is_one_number(value)
    if kind is bool:
        return isinstance(value, (bool, np.bool_, int))
    if origin in (list, tuple, Sequence, set, frozenset) and isinstance(value, (str, bytes)):
        return False
    if origin in (list, Sequence) and inside and isinstance(value, (list, tuple)):
        return all(_fits(each, inside[0]) for each in value)
    if origin is tuple and inside and isinstance(value, tuple) and Ellipsis not in inside:
        return len(value) == len(inside) and all(map(_fits, value, inside))
    kind = origin or kind
    if isinstance(kind, type) and issubclass(kind, Variable):
        return hasattr(value, "stop_gradient")  # the classes of both modes are not derived from it
    if not isinstance(kind, type) or kind.__module__ == "typing" or getattr(kind, "_is_protocol", False):
        return True
    return isinstance(value, (list, tuple)) if kind in (list, tuple) else isinstance(value, kind)
