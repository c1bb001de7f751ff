"""Parsing a function's source to a syntax tree that keeps the lines and columns of its file."""

from __future__ import annotations

import ast
import inspect
from types import FunctionType
from typing import Any

from ...core.errors import ArgumentValueError


def no_source(function: Any) -> ArgumentValueError:
    """Return the error for a function whose source cannot be read."""
    name = getattr(function, "__qualname__", repr(function))
    return ArgumentValueError(
        f"declarative: the source of {name} cannot be read, for it was typed in an interactive session or made by exec. "
        "Put the function into a file."
    )


def tree_of(function: FunctionType) -> ast.FunctionDef | ast.Lambda:
    """Return the tree of a function or lambda; its nodes have the line numbers of the file.

    Raises:
        ArgumentValueError: there is no source, or a line holds several lambdas that look alike.
    """
    try:
        lines, start = inspect.getsourcelines(function.__code__)
    except (OSError, TypeError, IndentationError):
        raise no_source(function) from None
    module = _parsed(lines, max(start, 1))
    if module is None:
        raise no_source(function)
    if function.__name__ == "<lambda>":
        return _lambda_of(function, module)
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef) and node.name == function.__code__.co_name:
            return node
    raise no_source(function)


def _parsed(lines: list[str], start: int) -> ast.Module | None:
    """Parse lines of a file; leave out the last ones where they belong to another statement."""
    indented = bool(lines) and lines[0][:1] in " \t"
    head = "if 1:\n" if indented else ""
    for count in range(len(lines), 0, -1):
        text = "".join(lines[:count])
        for source in (head + text, "(" + text.strip().rstrip(",") + ")"):
            try:
                module = ast.parse(source)
            except SyntaxError:
                continue
            ast.increment_lineno(module, start - 1 - bool(head and source.startswith(head)))
            return module
        if count < len(lines) - 3:
            break
    return _fragment(lines, start)


def _fragment(lines: list[str], start: int) -> ast.Module | None:
    """Parse a lambda in the middle of an expression that spans several lines."""
    text = "".join(lines)
    begin = text.find("lambda")
    while begin >= 0:
        for end in range(len(text), begin, -1):
            try:
                module = ast.parse("(" + text[begin:end] + ")")
            except SyntaxError:
                continue
            ast.increment_lineno(module, start - 1)
            return module
        begin = text.find("lambda", begin + 1)
    return None


def _lambda_of(function: FunctionType, module: ast.Module) -> ast.Lambda:
    """Return the lambda of a function: the one in its line with the same arguments and the same bytecode."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    found = []
    for node in ast.walk(module):
        if isinstance(node, ast.Lambda):
            arguments = [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
            if tuple(arguments) == names and _instructions(node) == code.co_code:
                found.append(node)
    if len({ast.dump(node) for node in found}) == 1:
        return found[0]
    near = [n for n in ast.walk(module) if isinstance(n, ast.Lambda)]
    if len(near) == 1:
        return near[0]
    raise ArgumentValueError(
        f"declarative: {code.co_filename}, line {code.co_firstlineno} holds several lambdas; put each on a line of its own."
    )


def _instructions(node: ast.Lambda) -> bytes:
    """Return the bytecode of a lambda compiled by itself. A lambda with free variables compiles to other bytecode."""
    tree = ast.fix_missing_locations(ast.Expression(node))
    code = compile(tree, "<lambda>", "eval")
    inner = [c for c in code.co_consts if hasattr(c, "co_code")]
    return inner[0].co_code if inner else b""
