"""The syntax tree of a kernel's Python function."""

from __future__ import annotations

import ast
import functools
import os
from collections.abc import Iterable, Iterator, Sequence
from types import CodeType, FunctionType
from typing import Any

from ...core.generated import text_of
from ...core.threads.cached import cached_property
from ..kernel_contents import code_contents
from .errors import Unsupported

__all__ = ["Source", "names_of", "read_first", "source_of"]


class Source:
    """A function's syntax tree and surroundings.

    Attributes:
        tree: the definition.
        globals: the globals that its names refer to.
        parameters: the names of its parameters.
        defaults: the values of the last of them.
    """

    def __init__(self, python: FunctionType) -> None:
        self.python = python
        self.tree = _definition(python)
        arguments = self.tree.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
            raise Unsupported(f"the parameters of {python.__name__}: * or **")
        self.globals: dict[str, Any] = python.__globals__
        self.parameters = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
        self.defaults: tuple[Any, ...] = python.__defaults__ or ()

    def place(self, node: Any) -> str:
        """Return "file:line" of a node of the tree."""
        line = getattr(node, "lineno", self.tree.lineno)
        return f"{os.path.basename(self.python.__code__.co_filename)}:{line}"

    def require_local(self, node: ast.AST) -> None:
        """Raise Unsupported if an array that a loop allocates at `node` may outlive a run of the loop's body."""
        for each in self._nodes:
            if (
                isinstance(each, ast.Assign)
                and each.value is node
                and all(isinstance(t, ast.Name) for t in each.targets)
            ):
                names = {t.id for t in each.targets if isinstance(t, ast.Name)}
                if any(name in names for name in self._renamed):
                    raise Unsupported("an array that is allocated in a loop and gets a second name")

    @cached_property
    def _nodes(self) -> list[ast.AST]:
        """All nodes of the tree."""
        return list(ast.walk(self.tree))

    @cached_property
    def assigned(self) -> set[str]:
        """Names that the function assigns."""
        return {n.id for n in self._nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}

    @cached_property
    def returns(self) -> list[ast.Return]:
        """The return statements."""
        return [n for n in self._nodes if isinstance(n, ast.Return)]

    @cached_property
    def _renamed(self) -> set[str]:
        """Names that are the whole value of an assignment, or one of its items."""
        found: set[str] = set()
        for each in self._nodes:
            if isinstance(each, ast.Assign):
                values = each.value.elts if isinstance(each.value, ast.Tuple) else [each.value]
                for value in values:
                    sides = [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]
                    found |= {side.id for side in sides if isinstance(side, ast.Name)}
        return found


Place = tuple[int, str]  # the line of a function's definition, or of its first decorator, and its name


class _File:
    """The functions of a source file.

    Attributes:
        trees: their definitions.
    """

    def __init__(self, filename: str, text: str) -> None:
        self.filename = filename
        try:
            self.module = ast.parse(text, filename)
        except SystemError:  # of CPython 3.11, where another thread, or code of a signal, parses in between
            self.module = ast.parse(text, filename)
        self.imports: list[ast.stmt] = []
        self.trees: dict[Place, ast.FunctionDef] = {}
        for node in _statements(self.module.body):
            if isinstance(node, ast.FunctionDef):
                line = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                self.trees[line, node.name] = node
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                self.imports.append(node)

    def defines(self, place: Place, code: CodeType) -> bool:
        """Return whether the function at a place has this code."""
        part = ast.Module([*self.imports, self.trees[place]], [])  # much faster to compile than the whole file
        return _same(self._codes(part).get(place), code) or _same(self._all_codes.get(place), code)

    @cached_property
    def _all_codes(self) -> dict[Place, CodeType]:
        return self._codes(self.module)

    def _codes(self, module: ast.Module) -> dict[Place, CodeType]:
        """Return the code of each function of a module."""
        found, pending = {}, [compile(module, self.filename, "exec", dont_inherit=True)]
        while pending:
            code = pending.pop()
            found[code.co_firstlineno, code.co_name] = code
            pending += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        return found


def _same(now: CodeType | None, loaded: CodeType) -> bool:
    """Return whether the code of a file is that which was loaded."""
    return now is not None and list(code_contents(now)) == list(code_contents(loaded))


def _statements(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield statements and those inside of them."""
    for node in nodes:
        yield node
        for part in ("body", "orelse", "handlers", "finalbody", "cases"):
            yield from _statements(getattr(node, part, ()))


@functools.lru_cache(maxsize=256)
def _file(filename: str, text: str) -> _File:
    """Return the functions of a source file."""
    return _File(filename, text)


def _definition(python: FunctionType) -> ast.FunctionDef:
    """Return the definition of a function in its file, if the file is still the one that was loaded."""
    code, name = python.__code__, python.__name__
    text = text_of(code.co_filename)
    place = (code.co_firstlineno, name)
    try:
        file = _file(code.co_filename, text)
    except SyntaxError:
        file = None
    if file is None or place not in file.trees:
        raise Unsupported(f"the source of {name} is not available")
    if not file.defines(place, code):
        raise Unsupported(f"the source of {name} has changed since it was loaded")
    return file.trees[place]


@functools.lru_cache(maxsize=256)
def source_of(python: FunctionType) -> Source:
    """Return the source of a Python function; raise Unsupported if there is none."""
    return Source(python)


# --- which variables a part of a kernel may read before it assigns them -----------------------------------------------------


def names_of(nodes: Iterable[ast.AST | None]) -> set[str]:
    """Return all names in these nodes.

    >>> sorted(names_of([ast.parse("a[i] = b")]))
    ['a', 'b', 'i']
    """
    found: set[str] = set()
    pending = list(nodes)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, list):
            pending += node
        elif isinstance(node, ast.AST):
            pending += [getattr(node, field) for field in node._fields]
    return found


def read_first(statements: Sequence[ast.stmt]) -> set[str]:
    """Return names that statements may read before they assign them; a name is rather in it than not.

    >>> sorted(read_first(ast.parse("a = b; c = a; d += 1").body))
    ['b', 'd']
    >>> sorted(read_first(ast.parse("if t: a = 1\\nb = a").body))
    ['a', 't']
    """
    return _walk(statements)[0]


def _walk(statements: Sequence[ast.stmt]) -> tuple[set[str], set[str]]:
    """Return what `read_first` returns, and the names that are certainly assigned."""
    read: set[str] = set()
    assigned: set[str] = set()
    for each in statements:
        more, sure = _statement(each)
        read |= more - assigned
        assigned |= sure
    return read, assigned


def _statement(node: ast.stmt) -> tuple[set[str], set[str]]:
    if isinstance(node, ast.Assign):
        names = {name.id for target in node.targets for name in _plain(target)}
        others = [target for target in node.targets if not _plain(target)]
        return names_of([node.value, *others]), names
    if isinstance(node, ast.If):
        (yes, yes_sure), (no, no_sure) = _walk(node.body), _walk(node.orelse)
        return names_of([node.test]) | yes | no, yes_sure & no_sure
    if isinstance(node, ast.For):
        (body, _), (after, _) = _walk(node.body), _walk(node.orelse)
        return names_of([node.iter]) | (body - {name.id for name in _plain(node.target)}) | after, set()
    if isinstance(node, ast.While):
        return names_of([node.test]) | _walk(node.body)[0] | _walk(node.orelse)[0], set()
    return names_of([node]), set()


def _plain(target: ast.expr) -> list[ast.Name]:
    """Return the names of an assignment's target that has nothing else, none of another target."""
    items = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    return [item for item in items if isinstance(item, ast.Name)] if all(isinstance(i, ast.Name) for i in items) else []
