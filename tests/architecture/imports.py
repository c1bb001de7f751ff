"""What a Python file imports, by its syntax tree: at module level, in functions, and by `import_module("...")`; and its functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Import:
    """One imported module, by its full name, and where the import stands.

    at_top: whether the import runs when the file is imported.
    for_types: whether only type checkers see it.
    """

    module: str
    file: str
    line: int
    at_top: bool
    for_types: bool

    def __str__(self) -> str:
        return f"{self.file}:{self.line} imports {self.module}"


@dataclass(frozen=True)
class Function:
    """A function of a file.

    length: its lines from `def` on, without its docstring.
    first_word: of its docstring; "" if there is none, or for a property, which is a noun.
    """

    name: str
    line: int
    length: int
    first_word: str


def module_name(file: Path, root: Path) -> str:
    """The dotted name of the module in a file below `root`."""
    parts = file.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(file: Path, root: Path) -> list[Import]:
    """The imports of a file. `from package import name` counts as an import of package.name if that is a file."""
    return _read(file, root, file.stat().st_mtime_ns)[0]


def functions_of(file: Path, root: Path) -> list[Function]:
    """The functions of a file, those in classes and functions, too."""
    return _read(file, root, file.stat().st_mtime_ns)[1]


@cache
def _read(file: Path, root: Path, changed: int) -> tuple[list[Import], list[Function]]:
    """Return what several checks ask for, as of a file's last change: to parse it takes most of their time."""
    text = file.read_text(encoding="utf8")
    tree = ast.parse(text, str(file))
    functions = [Function(node.name, node.lineno, _length(node), _first_word(node)) for node in _functions(tree)]
    return _imports(tree, text, file, root), functions


def _functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions of a tree: they are statements, so no expression is entered."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node
        if isinstance(node, (ast.stmt, ast.excepthandler, ast.match_case)):
            yield from _functions(node)


def _first_word(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """The first word of a function's docstring; "" if there is none, or for a property, which is a noun."""
    words = (ast.get_docstring(node, clean=False) or "").split()
    noun = any(ast.unparse(each).endswith("property") for each in node.decorator_list)
    return words[0] if words and not noun else ""


def _length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of a function from `def` on, without its docstring."""
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    first = node.body[0]
    if ast.get_docstring(node, clean=False) is not None:
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines


def _imports(tree: ast.Module, text: str, file: Path, root: Path) -> list[Import]:
    """Return the imports of a file."""
    name = module_name(file, root)
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    whole = "import_module" in text or "__import__" in text
    top, types = set(_at_top(tree, whole)), set(_for_types(tree) if "TYPE_CHECKING" in text else ())
    shown = file.relative_to(root).as_posix()
    return [
        Import(module, shown, node.lineno, node in top, node in types)
        for node in _nodes(tree, whole)
        for module in _modules(node, package, root)
    ]


def _children(node: ast.AST, whole: bool) -> Iterator[ast.AST]:
    """The nodes right below a node; unless `whole`, without expressions, which are most of a file and import by calls only."""
    for child in ast.iter_child_nodes(node):
        if whole or isinstance(child, (ast.stmt, ast.excepthandler, ast.match_case)):
            yield child


def _nodes(tree: ast.Module, whole: bool) -> Iterator[ast.AST]:
    """The nodes of a file, breadth first."""
    waiting: list[ast.AST] = [tree]
    for node in waiting:
        yield node
        waiting.extend(_children(node, whole))


def _at_top(tree: ast.Module, whole: bool) -> Iterator[ast.AST]:
    """The nodes that run when the module is imported, without those for type checkers only."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting.extend(node.orelse)
        else:
            waiting.extend(_children(node, whole))


def _for_types(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the nodes below `if TYPE_CHECKING:`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            for child in node.body:
                yield from ast.walk(child)


def _modules(node: ast.AST, package: str, root: Path) -> list[str]:
    """The modules that one node imports."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        base = absolute("." * node.level + (node.module or ""), package)
        return [_file_or_base(f"{base}.{alias.name}", base, root) for alias in node.names]
    if isinstance(node, ast.Call) and node.args and _called(node) in ("import_module", "__import__"):
        first = node.args[0]
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            return [absolute(first.value, package)]
    return []


def _called(node: ast.Call) -> str:
    """The last part of the name of the function that is called; "" for one without a name."""
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def absolute(name: str, package: str) -> str:
    """A name with leading dots, seen from inside `package`, in full."""
    tail = name.lstrip(".")
    up = len(name) - len(tail)
    if up == 0:
        return tail
    base = package.split(".")[: len(package.split(".")) - (up - 1)]
    return ".".join([*base, tail] if tail else base)


def _file_or_base(name: str, base: str, root: Path) -> str:
    path = root.joinpath(*name.split("."))
    return name if path.is_dir() or path.with_suffix(".py").is_file() else base
