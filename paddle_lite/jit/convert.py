"""Translating a function: the converters rewrite its source, which is compiled under the lines of its own file."""

from __future__ import annotations

import ast
import copy
import inspect
import os
import re
import sysconfig
import types
import weakref
from typing import Any

from . import operators
from .converters import ORDER, Context
from .pyct.names import contains
from .pyct.parse import tree_of
from .pyct.templates import RUNTIME

_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_LIBRARIES = tuple(
    {os.path.abspath(p) + os.sep for key in ("stdlib", "platstdlib", "purelib", "platlib") if (p := sysconfig.get_path(key))}
)  # fmt: skip
INTERACTIVE = ("<ipython-input", "<python-input", "<doctest ", "<stdin>", "<console>")
"""File names of interactive input; other names in angle brackets are generated code."""
_GENERATED = re.compile(r"_(then|otherwise|round|get|set)_\d+")
_GENERATORS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


class Translated:
    """The translation of one function's code.

    code: the compiled code; tree: the rewritten syntax tree.
    """

    def __init__(self, code: types.CodeType, tree: ast.FunctionDef) -> None:
        self.code, self.tree = code, tree

    def bound_to(self, function: types.FunctionType) -> types.FunctionType:
        """Return the translated function with the globals, cells and defaults of the original."""
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        cells[RUNTIME] = types.CellType(operators)
        closure = tuple(cells[name] for name in self.code.co_freevars)
        made = types.FunctionType(self.code, function.__globals__, function.__name__, function.__defaults__, closure)
        made.__kwdefaults__ = function.__kwdefaults__
        made.__dict__.update(function.__dict__)
        made.__qualname__, made.__doc__, made.__module__ = function.__qualname__, function.__doc__, function.__module__
        return made


_known: weakref.WeakKeyDictionary[types.CodeType, Translated] = weakref.WeakKeyDictionary()
_ours: weakref.WeakValueDictionary[int, types.CodeType] = weakref.WeakValueDictionary()  # translated code by id


def is_translated(code: types.CodeType) -> bool:
    """Tell whether code was made by a translation."""
    return id(code) in _ours


def belongs_to_library(function: types.FunctionType) -> bool:
    """Tell whether a function is not translated: one of this package, the standard library or an installed one, or a generator."""
    code = function.__code__
    generated = code.co_filename.startswith("<") and not code.co_filename.startswith(INTERACTIVE)
    if code.co_flags & _GENERATORS or generated:
        return True
    path = os.path.abspath(code.co_filename)
    return path.startswith(_HERE) or path.startswith(_LIBRARIES)


def translation(function: types.FunctionType) -> Translated:
    """Return the translation of a function, made once for its code.

    Raises:
        ArgumentValueError: its source cannot be read.
    """
    code = function.__code__
    found = _known.get(code)
    if found is None:
        found = _known[code] = _translate(function)
    return found


def is_known(function: types.FunctionType) -> bool:
    """Tell whether a function has been translated."""
    return function.__code__ in _known


def converted(function: types.FunctionType) -> types.FunctionType:
    """Return the translated function."""
    return function if is_translated(function.__code__) else translation(function).bound_to(function)


def _translate(function: types.FunctionType) -> Translated:
    node = copy.deepcopy(tree_of(function))
    if isinstance(node, ast.Lambda):
        body = ast.copy_location(ast.Return(node.body), node.body)
        made = ast.FunctionDef(name="_lambda", args=node.args, body=[body], decorator_list=[], returns=None)
        if "type_params" in ast.FunctionDef._fields:
            made.type_params = []  # type: ignore[attr-defined]
        node = ast.copy_location(made, node)
    node.decorator_list, node.returns = [], None
    for argument in ast.walk(node.args):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    args, none = node.args, ast.copy_location(ast.Constant(None), node)  # the original's defaults are taken
    args.defaults = [none for _ in args.defaults]
    args.kw_defaults = [d and none for d in args.kw_defaults]
    if not contains(node.body, (ast.Yield, ast.YieldFrom, ast.Await)):
        context = Context(_class_of(function))
        for converter in ORDER:
            node = converter.transform(node, context)
    return _compiled(function, node)


def _class_of(function: types.FunctionType) -> str | None:
    parts = function.__qualname__.split(".")
    return parts[-2] if len(parts) > 1 and parts[-2] != "<locals>" else None


def _compiled(function: types.FunctionType, node: ast.FunctionDef) -> Translated:
    """Compile the tree inside of a factory function whose local variables are the free variables."""
    cells = [*function.__code__.co_freevars, RUNTIME]
    factory = ast.parse(f"def _factory({', '.join(cells)}):\n    pass")
    outer = factory.body[0]
    assert isinstance(outer, ast.FunctionDef)
    outer.body = [node] if node.name in cells else [ast.Global([node.name]), node]
    ast.fix_missing_locations(factory)
    code = compile(factory, function.__code__.co_filename, "exec")
    for name in ("_factory", node.name):
        code = next(c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == name)
    code = _named(code, function.__code__)
    _remember(code)
    return Translated(code, node)


def _named(code: types.CodeType, user: types.CodeType) -> types.CodeType:
    """Return code whose generated functions carry the name of the user's function, which tracebacks show."""
    more: dict[str, Any] = {"co_qualname": user.co_qualname} if hasattr(user, "co_qualname") else {}
    inner = []
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            made = _GENERATED.fullmatch(each.co_name)
            each = _named(each, user if made else each)
        inner.append(each)
    return code.replace(co_consts=tuple(inner), co_name=user.co_name, **more)


def _remember(code: types.CodeType) -> None:
    _ours[id(code)] = code
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            _remember(inner)


def source_of(function: Any) -> str:
    """Return the translated code as text."""
    return ast.unparse(translation(function).tree) + "\n"
