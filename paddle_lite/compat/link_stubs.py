"""The type stubs of the package `paddle` that `link` writes: each module has the names of the module of paddle_lite."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
_SUBMODULE = re.compile(r"^from ([\w.]+) import (\w+) as \2$", re.MULTILINE)


def stubs() -> dict[str, str]:
    """Return path below the folder for packages -> text, for each module that programs import.

    A stub of a namespace imports all names by full names, so its text is that of the stub in paddle_lite. A module with a
    file of its own gets a stub that imports what the file defines.

    >>> files = stubs()
    >>> 'from paddle_lite.nn.linear import Linear as Linear' in files['paddle/fluid/dygraph/nn/__init__.pyi'].splitlines()
    False
    >>> 'from paddle_lite.fluid.dygraph import *' in files['paddle/fluid/dygraph/nn/__init__.pyi'].splitlines()
    True
    """
    found = {"paddle/py.typed": ""}
    for path in sorted(PACKAGE.rglob("__init__.pyi")):
        text = path.read_text(encoding="utf8")
        folder = path.parent.relative_to(PACKAGE).parts
        found["/".join(["paddle", *folder, "__init__.pyi"])] = text
        for name, file in _files(".".join([PACKAGE.name, *folder]), path.parent, text):
            found["/".join(["paddle", *folder, name, "__init__.pyi"])] = _imports(file)
    return found


def _files(module: str, folder: Path, text: str) -> Iterator[tuple[str, Path]]:
    """Yield the modules with a file that the stub of their package offers: name and file."""
    for parent, name in _SUBMODULE.findall(text):
        if parent == module and not (folder / name / "__init__.pyi").exists():
            for file in (folder / f"{name}.py", folder / name / "__init__.py"):
                if file.exists():
                    yield name, file


def _imports(file: Path) -> str:
    """Return the text of a stub that imports what a file defines at its top level, and what an `__init__.py` imports."""
    full = ".".join([PACKAGE.name, *file.relative_to(PACKAGE).parts]).removesuffix(".py").removesuffix(".__init__")
    names: set[str] = set()
    for node in ast.parse(file.read_text(encoding="utf8")).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}
        elif isinstance(node, ast.ImportFrom) and node.level and file.name == "__init__.py":
            names |= {alias.asname or alias.name for alias in node.names}
    public = sorted(name for name in names if not name.startswith("__"))
    return "".join(f"from {full} import {name} as {name}\n" for name in public)
