"""Errors about arguments that a function of paddle_lite did not check itself: they name the call and the argument.

Functions check their arguments where a wrong one would give a wrong result. Where it makes Python or NumPy raise an error further
down, `explained` turns that into an error about the call: it names the argument whose value does not have the type of the
signature, or else the arguments that stand in the expression that failed. The first error stays its cause.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import struct
import textwrap
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import CodeType, FrameType, TracebackType, UnionType
from typing import Any

import numpy as np

from ..errors import ArgumentTypeError, ArgumentValueError, EnforceNotMet, IndexRangeError, describe, message
from . import is_ours

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


class _TooMuch(ArgumentValueError, MemoryError):
    pass


class _TooDeep(ArgumentValueError, RecursionError):
    pass


_KINDS: dict[type[Exception], type[ArgumentValueError] | type[IndexRangeError]] = {
    IndexError: IndexRangeError, AttributeError: _NoAttribute, KeyError: _NoKey, NameError: _NoName, ZeroDivisionError: _NoDivision,
    OverflowError: _TooLarge, MemoryError: _TooMuch, RecursionError: _TooDeep,
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
    wrong = next(_of_another_type(function, given), None)
    if wrong is not None:
        argument, needs = wrong
        better: Exception = ArgumentTypeError(message(name, argument, describe(given[argument]), needs))
    else:
        kind = next((_KINDS[base] for base in type(error).__mro__ if base in _KINDS), ArgumentValueError)
        text = " ".join(str(error).split()) or "no text"
        why = f"{type(error).__name__}: {text if len(text) <= 300 else text[:297] + '...'}"
        blamed = [n for n in _mentioned(trace) if n in given] or list(given)
        shown = ", ".join(f"{n} = {describe(given[n])}" for n in blamed[:6])
        better = kind(f"{name}: {shown or 'called without arguments'}: it does not work with that ({why}).")
    better.__cause__ = error
    return better


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


# --- the types of a signature --------------------------------------------------------------------------------------------


def _of_another_type(function: Callable[..., Any], given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the arguments whose values do not have the types of the signature, and the texts of these types."""
    scope = getattr(function, "__globals__", {})
    parameters = inspect.signature(function).parameters
    for name, value in given.items():
        stated = parameters[name].annotation if name in parameters else inspect.Parameter.empty
        if stated is inspect.Parameter.empty or parameters[name].kind in (
            inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD
        ):  # fmt: skip
            continue
        try:
            kind = eval(stated, scope, dict(vars(typing))) if isinstance(stated, str) else stated
        except Exception:  # a name that only type checkers import
            continue
        if not _fits(value, kind):
            yield name, f"{stated if isinstance(stated, str) else inspect.formatannotation(stated)}"


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
        return isinstance(value, numbers) or hasattr(value, "__array__")
    if kind is bool:
        return isinstance(value, (bool, np.bool_, int))
    if origin in (list, tuple, Sequence, set, frozenset) and isinstance(value, (str, bytes)):
        return False
    if origin in (list, Sequence) and inside and isinstance(value, (list, tuple)):
        return all(_fits(each, inside[0]) for each in value)
    if origin is tuple and inside and isinstance(value, tuple) and Ellipsis not in inside:
        return len(value) == len(inside) and all(map(_fits, value, inside))
    kind = origin or kind
    if not isinstance(kind, type) or kind.__module__ == "typing" or getattr(kind, "_is_protocol", False):
        return True
    return isinstance(value, (list, tuple)) if kind in (list, tuple) else isinstance(value, kind)


# --- the expression that failed ------------------------------------------------------------------------------------------


def _mentioned(trace: TracebackType) -> list[str]:
    """Return the names in the expression that failed in a frame, in their order; those of its line before Python 3.11."""
    frame: FrameType = trace.tb_frame
    lines, columns = (trace.tb_lineno, trace.tb_lineno), None
    if hasattr(frame.f_code, "co_positions"):
        first, last, start, end = list(frame.f_code.co_positions())[trace.tb_lasti // 2]
        if first and last and start is not None and end is not None:
            lines, columns = (first, last), (start, end)
    text = [linecache.getline(frame.f_code.co_filename, n).encode() for n in range(lines[0], lines[1] + 1)]
    if text and columns is not None:
        text[-1] = text[-1][: columns[1]]
        text[0] = text[0][columns[0] :]
    return list(dict.fromkeys(_names_in(b"".join(text).decode(errors="replace"))))


def _names_in(text: str) -> Iterator[str]:
    source = textwrap.dedent(text).strip()
    for form in (source, f"{source} pass", f"{source}\n    pass"):
        try:
            yield from (node.id for node in ast.walk(ast.parse(form)) if isinstance(node, ast.Name))
            return
        except SyntaxError:
            continue
