"""Annotations of functions as text for a stub, and the imports that they need."""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import sys
from collections.abc import Callable, Iterator
from functools import cache
from types import ModuleType
from typing import Any

from paddle_lite.imperative.parameter import Parameter as ImperativeParameter
from paddle_lite.imperative.variable import Variable as ImperativeVariable
from paddle_lite.static.program.variable import Parameter as StaticParameter
from paddle_lite.static.program.variable import Variable as StaticVariable

TYPING = "paddle_lite.core.typing"
ONE_TYPE: dict[type, str] = {
    ImperativeVariable: "Variable",
    StaticVariable: "Variable",
    ImperativeParameter: "Parameter",
    StaticParameter: "Parameter",
}
"""Classes of the two modes, and the static type that stands for them."""


class Imports:
    """The import statements of a stub.

    Arguments:
        module: the module of the stub, which does not import from itself.
    """

    def __init__(self, module: str) -> None:
        self.module = module
        self.lines: set[str] = set()
        self.renamed: set[str] = set()

    def module_as(self, name: str, as_name: str) -> None:
        """Import a module."""
        self.lines.add(f"import {name}" if name == as_name else f"import {name} as {as_name}")

    def take(self, module: str, name: str, as_name: str, public: bool = False) -> None:
        """Import a name; a public one is exported, which `as` with the same name says, or an assignment of another."""
        if public and name != as_name:
            self.lines.add(f"from {module} import {name} as _of_{as_name}")
            self.renamed.add(f"{as_name} = _of_{as_name}")
        elif module != self.module or public:
            renamed = f" as {as_name}" if public or name != as_name else ""
            self.lines.add(f"from {module} import {name}{renamed}")


def signature(function: Callable[..., Any], imports: Imports, result: str | None = None) -> str:
    """Return what follows the name of a function in a stub: its arguments and the type of its result.

    Arguments:
        function: a function of Python.
        imports: takes what the annotations need.
        result: the type of the result, in place of the annotation.
    """
    found = inspect.signature(function)
    parameters = []
    for parameter in found.parameters.values():
        note = "" if parameter.name == "self" else annotation(parameter.annotation, function, imports)
        kept = inspect.Parameter(parameter.name, parameter.kind)
        text = str(kept) + (f": {note}" if note else "")
        if parameter.default is not inspect.Parameter.empty:
            text += f" = {_default(parameter.default)}"
        parameters.append((parameter.kind, text))
    returns = result or annotation(found.return_annotation, function, imports)
    return f"({', '.join(_with_separators(parameters))}) -> {returns}"


def _with_separators(parameters: list[tuple[Any, str]]) -> Iterator[str]:
    """Yield arguments with the `/` and `*` that their kinds need."""
    kinds = [kind for kind, _ in parameters]
    for i, (kind, text) in enumerate(parameters):
        if kind is inspect.Parameter.KEYWORD_ONLY and not {kind, inspect.Parameter.VAR_POSITIONAL} & {*kinds[:i]}:
            yield "*"
        yield text
        if kind is inspect.Parameter.POSITIONAL_ONLY and kinds[i + 1 : i + 2] != [kind]:
            yield "/"


def _default(value: Any) -> str:
    """A default value as text; `...` where it is no literal."""
    return repr(value) if value is None or isinstance(value, (bool, int, str, float)) else "..."


def annotation(note: Any, function: Callable[..., Any], imports: Imports) -> str:
    """Return an annotation as text, `Any` where it is missing or not understood; `imports` takes what it needs."""
    text = note if isinstance(note, str) else ""
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError:
        text = ""
    else:
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and not hasattr(builtins, node.id) and not _home(node.id, function, imports):
                text = ""
                break
    if not text:
        imports.take("typing", "Any", "Any")
        return "Any"
    return text


def _home(name: str, function: Callable[..., Any], imports: Imports) -> bool:
    """Import a name of an annotation; return whether it is known where it comes from."""
    value = getattr(inspect.unwrap(function), "__globals__", {}).get(name)
    if isinstance(value, type) and value in ONE_TYPE:
        imports.take(TYPING, ONE_TYPE[value], name)
        return True
    if isinstance(value, ModuleType):
        imports.module_as(value.__name__, name)
        return True
    if value is not None and getattr(value, "__module__", None) and getattr(value, "__name__", None):
        imports.take(value.__module__, value.__name__, name)
        return True
    imported = imported_names(function.__module__).get(name)
    if imported is None:
        return False
    found = getattr(importlib.import_module(imported[0]), imported[1], None)
    imports.take(*((TYPING, ONE_TYPE[found]) if isinstance(found, type) and found in ONE_TYPE else imported), name)
    return True


@cache
def imported_names(module: str) -> dict[str, tuple[str, str]]:
    """Return name -> (module, name there) of all imports in a file, those for type checkers, too."""
    file = getattr(sys.modules[module], "__file__", None)
    if not file:
        return {}
    package = module if file.endswith("__init__.py") else module.rpartition(".")[0]
    found = {}
    with open(file, encoding="utf8") as source:
        tree = ast.parse(source.read())
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            above = package.rsplit(".", node.level - 1)[0] if node.level > 1 else package
            origin = ".".join(part for part in (above if node.level else "", node.module or "") if part)
            found.update({alias.asname or alias.name: (origin, alias.name) for alias in node.names})
    return found
