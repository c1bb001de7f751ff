"""The stubs of all namespaces: where each is, and its text."""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType

import paddle_lite
from paddle_lite.core.lazy import PACKAGE, Namespace
from paddle_lite.core.missing import public_name

from .annotations import ONE_TYPE, TYPING, Imports, signature
from .modules import public_modules
from .variable import docstring
from .variable import stub as variable_stub

ROOT = Path(paddle_lite.__file__).parents[1]
MADE = f"{PACKAGE}.core.made"
WIDTH = 120


def write() -> int:
    """Write every stub and remove those that nobody needs any more; return how many files have changed."""
    wanted, here = stubs(), existing()
    for path in here - wanted.keys():
        path.unlink()
    for folder in sorted({parent for path in here - wanted.keys() for parent in path.parents}, reverse=True):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
    changed = [path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf8") != text]
    for path in changed:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(wanted[path], encoding="utf8")
    return len(changed) + len(here - wanted.keys())


def outdated() -> list[str]:
    """Return the stubs that are missing, out of date, or not needed any more."""
    wanted, here = stubs(), existing()
    wrong = {path for path, text in wanted.items() if path not in here or path.read_text(encoding="utf8") != text}
    return sorted(path.relative_to(ROOT).as_posix() for path in wrong | (here - wanted.keys()))


def existing() -> set[Path]:
    """The stubs that are there."""
    return set((ROOT / PACKAGE).rglob("*.pyi"))


def stubs() -> dict[Path, str]:
    """Return path -> text of every stub."""
    made: dict[str, FunctionType] = {}
    texts = {}
    for name, module in public_modules().items():
        if module.table is None and module.real == name:
            continue  # its file says all
        texts[_path(name)] = _stub(name, module.real, made)
    texts[ROOT / PACKAGE / "core" / "typing.pyi"] = variable_stub()
    texts[ROOT / PACKAGE / "core" / "made.pyi"] = _made_stub(made)
    return texts


def _path(name: str) -> Path:
    """Return where the stub of a module is: in a folder, which pyright takes for the source that a stub should have."""
    return ROOT.joinpath(*name.split("."), "__init__.pyi")


# --- one stub ----------------------------------------------------------------------------------------------------------


def _stub(name: str, real: str, made: dict[str, FunctionType]) -> str:
    """Return the text of the stub of a module; `made` takes the functions without a definition that it needs."""
    module = sys.modules[real]
    text = f'"""`{public_name(name)}`. Made by `python -m stubs`."""\n\n'
    table = Namespace.tables.get(real)
    if name != real:
        return text + _second_name(module, table)
    assert table is not None
    imports = Imports(name)
    names = _names_of_table(table)
    values = [line for child in sorted(names) for line in _entry(table, child, imports, made)]
    for child in _children(name):
        if child not in names:
            imports.take(name, child, child, public=True)
    if name == PACKAGE:
        values.append("__version__: str")
    return text + _lines(imports) + "".join(f"{line}\n" for line in [*sorted(imports.renamed), *values])


def _names_of_table(table: Namespace) -> set[str]:
    """Return the names of a table, and those that 1.8.5 imports there from its own files and that are here."""
    found = sys.modules[table.module]
    own = (name for name, home in table.imported.items() if home.startswith("paddle"))
    return {*table.homes, *(name for name in own if hasattr(found, name))}


def _children(name: str) -> list[str]:
    """The modules directly below a module."""
    return sorted({path.removeprefix(f"{name}.") for path in public_modules() if path.rpartition(".")[0] == name})


def _second_name(module: ModuleType, table: Namespace | None) -> str:
    """Return the lines of a module that is another one: all its names."""
    names = (
        {*_names_of_table(table), *_children(module.__name__)} if table is not None else _names_of_file(module.__name__)
    )
    hidden = sorted(name for name in names if name.startswith("_"))
    lines = [f"from {module.__name__} import *\n"]
    if table is None and getattr(module, "__all__", None):
        hidden = sorted(_own_names(module.__name__) - {*module.__all__})
    lines += [f"from {module.__name__} import {name} as {name}\n" for name in hidden]
    return "".join(lines)


def _entry(table: Namespace, name: str, imports: Imports, made: dict[str, FunctionType]) -> list[str]:
    """Import a name of a table into its stub; return the lines that declare one that cannot be imported."""
    home = _home_of(table, name)
    value = getattr(sys.modules[table.module], name)
    if isinstance(value, ModuleType):
        if value.__name__.startswith(PACKAGE) and value.__name__ not in public_modules():
            return []
        parent, _, child = value.__name__.rpartition(".")
        imports.take(parent, child, name, public=True) if parent else imports.module_as(value.__name__, name)
        return []
    if isinstance(value, type) and value in ONE_TYPE:
        imports.take(TYPING, ONE_TYPE[value], name, public=True)
        return []
    module, attribute = _final(home)
    if isinstance(value, FunctionType) and attribute not in _definitions(module):
        short = attribute if made.get(attribute, value) is value else f"{attribute}_of_{module.rpartition('.')[2]}"
        assert made.setdefault(short, value) is value, f"two functions that factories make are called {short}"
        imports.take(MADE, short, name, public=True)
    elif attribute in _names_of_file(module):
        imports.take(module, attribute, name, public=True)
    else:  # made by code, or a name to come
        imports.take("typing", "Any", "Any")
        return [f"{name}: Any"]
    return []


def _home_of(table: Namespace, name: str) -> str:
    """Return "module:name" below paddle_lite of a name of a table, or of one that 1.8.5 imports there."""
    return table.homes[name] if name in table.homes else table.imported[name].removeprefix("paddle").removeprefix(".")


def _final(home: str) -> tuple[str, str]:
    """Return the module with a file that defines a name, and the name there."""
    module, _, attribute = home.partition(":")
    full = f"{PACKAGE}.{module}".rstrip(".")
    while full in Namespace.tables and attribute in _names_of_table(Namespace.tables[full]):
        module, _, attribute = _home_of(Namespace.tables[full], attribute).partition(":")
        full = f"{PACKAGE}.{module}".rstrip(".")
    return full, attribute


@cache
def _tree(module: str) -> ast.Module:
    """The syntax tree of a module; an empty one of a module without a file."""
    found = importlib.import_module(module) if module != f"{PACKAGE}.to come" else None
    file = getattr(found, "__file__", None)
    return ast.parse(Path(file).read_text(encoding="utf8")) if file else ast.parse("")


@cache
def _definitions(module: str) -> frozenset[str]:
    """The functions and classes that a file defines, and those that it imports."""
    nodes = _tree(module).body
    names = {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    imported = (node.names for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom)))
    return frozenset(names | {alias.asname or alias.name for aliases in imported for alias in aliases})


@cache
def _names_of_file(module: str) -> frozenset[str]:
    """All names that a file defines."""
    return _definitions(module) | {name.id for name in _assigned(module) if isinstance(name.ctx, ast.Store)}


def _own_names(module: str) -> set[str]:
    """The names that a file defines and does not import, without those that Python gives a meaning."""
    nodes = _tree(module).body
    defined = {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    return {name for name in defined | {each.id for each in _assigned(module)} if not name.startswith("__")}


@cache
def _assigned(module: str) -> frozenset[ast.Name]:
    """The names that statements of a file assign to, outside of functions and classes."""
    nodes = [node for node in _tree(module).body if isinstance(node, (ast.Assign, ast.AnnAssign))]
    targets = [target for node in nodes for target in (node.targets if isinstance(node, ast.Assign) else [node.target])]
    return frozenset(name for target in targets for name in ast.walk(target) if isinstance(name, ast.Name))


# --- text --------------------------------------------------------------------------------------------------------------


def _lines(imports: Imports) -> str:
    """Return the import statements, sorted."""
    return "".join(f"{line}\n" for line in sorted(imports.lines, key=lambda line: (line.split()[1], line)))


def _made_stub(made: dict[str, FunctionType]) -> str:
    """Return the stub with the functions that factories make."""
    imports = Imports(MADE)
    functions = []
    for name in sorted(made):
        text = docstring(inspect.getdoc(made[name]) or "", 4)
        functions.append(f"def {name}{signature(made[name], imports)}:\n    {text}\n    ...\n")
    return (
        '"""Functions that factories make. Made by `python -m stubs`."""\n\n'
        + _lines(imports)
        + "\n"
        + "\n".join(functions)
    )
