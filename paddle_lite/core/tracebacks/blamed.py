"""Find the argument of a call that an error of Python or NumPy is about: the one whose value occurs in the expression that failed.

The frames of paddle_lite are looked at from the innermost to that of the call. In each, the names and the attributes of `self` in the
expression that failed are those that Python's traceback points at. Where the error names a type, only values of that type count.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import Any, NamedTuple

from . import is_ours

_QUOTED = re.compile(r"'(?:[\w.]*\.)?(\w+)'|^(\w+)\(\) ")
_ARRAYS = re.compile(r"only (length-1|0-dimensional|integer scalar) arrays")
_TRUTH = re.compile(r"truth value of an (empty )?array")
_COMMON = (None, True, False, NotImplemented, Ellipsis)


class Blamed(NamedTuple):
    """function: whose argument it is: that of the call, or the `__init__` of the object whose method it was. argument: its name."""

    function: Callable[..., Any]
    argument: str
    value: Any


def blamed(
    function: Callable[..., Any], given: Mapping[str, Any], error: BaseException, own: bool = True
) -> Blamed | None:
    """Return the one argument that an error is about; None where that is not clear.

    Arguments:
        function: the function that was called. given: its arguments. error: what was raised. own: whether the arguments with
            which the object of a method was made count, too.
    """
    if is_raised(error):
        return None
    frames = [trace for trace in _chain(error.__traceback__) if is_ours(trace.tb_frame.f_code.co_filename)]
    for trace in reversed(frames):
        values = list(_values(trace, str(error)))
        found = {name for value, _ in values for name, each in given.items() if _same(value, each)}
        if len(found) == 1:
            name = found.pop()
            return Blamed(function, name, given[name])
        made_with = {
            (id(each.function), each.argument): each
            for value, self in values
            if own
            for each in _made_with(self, value)
        }
        if len(made_with) == 1:
            return made_with.popitem()[1]
        if found or made_with:
            return None
    return None


def is_raised(error: BaseException) -> bool:
    """Return whether a `raise` of paddle_lite has raised an error, whose text says then what is wrong."""
    last = [*_chain(error.__traceback__)][-1:]
    return (
        bool(last)
        and is_ours(last[0].tb_frame.f_code.co_filename)
        and any(isinstance(n, ast.Raise) for n in _nodes(last[0]))
    )


def mentioned(trace: TracebackType) -> list[str]:
    """Return the names in the expression that failed in a frame, in their order; those of its line before Python 3.11."""
    return list(dict.fromkeys(node.id for node in _nodes(trace) if isinstance(node, ast.Name)))


def _chain(trace: TracebackType | None) -> Iterator[TracebackType]:
    while trace is not None:
        yield trace
        trace = trace.tb_next


def _same(value: Any, given: Any) -> bool:
    """Return whether a value is an argument itself, or one of those in it."""
    return value is given or (isinstance(given, (list, tuple)) and any(value is each for each in given))


def _values(trace: TracebackType, text: str) -> list[tuple[Any, Any]]:
    """Return the values in the expression that failed in a frame, with the `self` of the frame; those of the named types, if any."""
    frame = trace.tb_frame
    self, found = frame.f_locals.get("self"), []
    nodes = list(_nodes(trace))
    if text.endswith("is not callable"):
        nodes = [node.func for node in nodes if isinstance(node, ast.Call)]
    for node in nodes:
        if isinstance(node, ast.Name) and node.id in frame.f_locals:
            found.append(frame.f_locals[node.id])
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            found.append(getattr(self, "__dict__", {}).get(node.attr, self))
    found = [each for each in found if each is not self]
    types = {a or b for a, b in _QUOTED.findall(text)} | ({"ndarray"} if _TRUTH.search(text) else set())
    named = [
        each for each in found
        if types & {kind.__name__ for kind in type(each).__mro__[:-1]} or (isinstance(each, type) and each.__name__ in types)
        or (_ARRAYS.search(text) and hasattr(each, "__array__"))
    ]  # fmt: skip
    return [(each, self) for each in named or found if named or not any(each is common for common in _COMMON)]


def _made_with(self: Any, value: Any) -> Iterator[Blamed]:
    """Yield the arguments of the constructor of an object, kept in attributes of their names, that a value is."""
    init = getattr(type(self), "__init__", None)
    made: Any = inspect.unwrap(init) if callable(init) else None
    code = getattr(made, "__code__", None)
    if code is None or not is_ours(code.co_filename):
        return
    names = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    for attribute, each in getattr(self, "__dict__", {}).items():
        if each is value and attribute.lstrip("_") in names:
            yield Blamed(made, attribute.lstrip("_"), value)


def _nodes(trace: TracebackType) -> Iterator[ast.AST]:
    """Yield the nodes of the expression that failed in a frame; of its whole line before Python 3.11, and where it is a target."""
    lines, columns = (trace.tb_lineno, trace.tb_lineno), None
    code = trace.tb_frame.f_code
    if hasattr(code, "co_positions"):
        first, last, start, end = list(code.co_positions())[trace.tb_lasti // 2]
        if first and last and start is not None and end is not None:
            lines, columns = (first, last), (start, end)
    texts = [linecache.getline(code.co_filename, n).encode() for n in range(lines[0], lines[1] + 1)]
    if texts and columns is not None:
        inner = [*texts[:-1], texts[-1][: columns[1]]]
        inner[0] = inner[0][columns[0] :]
        nodes = _parsed(b"".join(inner))
        if nodes and not texts[-1][columns[1] :].lstrip().startswith(b"= "):  # as of `a, b = c`
            yield from nodes
            return
    yield from _parsed(b"".join(texts))


def _parsed(content: bytes) -> list[ast.AST]:
    """Return the nodes of a piece of source: an expression, a statement, or the beginning of one."""
    source = textwrap.dedent(content.decode(errors="replace")).strip()
    for form in (source, f"{source} pass", f"{source}\n    pass", f"({source})"):
        try:
            return list(ast.walk(ast.parse(form)))
        except SyntaxError:
            continue
    return []
