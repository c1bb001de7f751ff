"""Links to the source for what viewcode does not find by itself: functions that factories make, and second names."""

from __future__ import annotations

import ast
import inspect
from typing import Any

import api_pages
from sphinx.errors import PycodeError
from sphinx.pycode import ModuleAnalyzer

Tags = dict[str, tuple[str, int, int]]


def assigned(source: str) -> Tags:
    """Return name -> ("def", first line, last line) of the names that a module assigns to, such as `acos = unary("acos")`."""
    found: Tags = {}
    for node in ast.parse(source).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            if isinstance(target, ast.Name):
                found[target.id] = ("def", node.lineno, node.end_lineno or node.lineno)
    return found


def second_names() -> dict[str, dict[str, str]]:
    """Return module -> other name -> the name in the module, for classes and functions that are public under another name."""
    found: dict[str, dict[str, str]] = {}
    for entries in api_pages.entries().values():
        for entry in entries:
            own = getattr(entry.value, "__name__", entry.name)
            if own != entry.name and (inspect.isclass(entry.value) or inspect.isfunction(entry.value)):
                found.setdefault(entry.value.__module__, {})[entry.name] = own
    return found


def setup(app: Any) -> dict[str, bool]:
    """Tell viewcode where names are."""
    others: dict[str, dict[str, str]] = {}

    def find(app: Any, module: str) -> tuple[str, Tags] | None:
        others.update(others or second_names())
        try:
            analyzer = ModuleAnalyzer.for_module(module)
            tags: Tags = {**assigned(analyzer.code), **analyzer.find_tags()}
        except PycodeError:
            return None
        tags |= {name: tags[own] for name, own in others.get(module, {}).items() if own in tags}
        return analyzer.code, tags

    app.connect("viewcode-find-source", find)
    return {"parallel_read_safe": True}
