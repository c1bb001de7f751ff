"""The checks: each takes a folder that holds paddle_lite/ and returns its complaints, one a line."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from .imports import Import, imports_of, module_name
from .layers import APART, LATE, LEVEL, ONLY_IN_KERNELS, ORDER, PACKAGE

FILE_LINES = 600
FUNCTION_LINES = 60
FOLDER_FILES = 25


def package_files(root: Path) -> list[Path]:
    """The Python files of paddle_lite."""
    return sorted((root / PACKAGE).rglob("*.py"))


def member(module: str) -> str:
    """Return the member of paddle_lite that a module is in: `__init__` for paddle_lite itself."""
    _, *inside = [*module.split("."), "__init__"]
    nested = ".".join(inside[:2])
    return nested if nested in LEVEL else inside[0]


def layer_complaints(root: Path) -> list[str]:
    """Members of paddle_lite without a layer, and imports that do not go down."""
    complaints, late = [], set()
    for file in package_files(root):
        name = module_name(file, root)
        if member(name) not in LEVEL:
            shown = file.relative_to(root).as_posix()
            complaints.append(f"{shown}: {member(name)!r} has no layer in tests/architecture/layers.py")
            continue
        for found in imports_of(file, root):
            if found.module.split(".")[0] != PACKAGE or _goes_down(member(name), member(found.module)):
                continue
            if (name, found.module) in LATE:
                late.add((name, found.module))
            else:
                complaints.append(f"{found}: {_placed(member(name))}, {_placed(member(found.module))}")
    unneeded = [
        pair for pair in LATE if pair not in late and root.joinpath(*pair[0].split(".")).with_suffix(".py").exists()
    ]
    return complaints + [f"LATE in tests/architecture/layers.py has {pair}, which nobody needs" for pair in unneeded]


def _goes_down(here: str, there: str) -> bool:
    """Whether a file of the member `here` may import the member `there`."""
    if here == there:
        return True
    return there in LEVEL and ORDER.index(there) < ORDER.index(here) and frozenset({here, there}) not in APART


def _placed(name: str) -> str:
    return f"{name} is in layer {LEVEL.get(name, 'none')}"


def kernel_library_complaints(root: Path) -> list[str]:
    """Imports of Numba and CuPy outside of kernels/."""
    return [
        f"{found}, which only kernels/ may"
        for file in package_files(root)
        if member(module_name(file, root)) != "kernels"
        for found in imports_of(file, root)
        if found.module.split(".")[0] in ONLY_IN_KERNELS
    ]


def cycle_complaints(root: Path) -> list[str]:
    """Modules that import each other when they are loaded, in a circle."""
    edges = {module_name(file, root): _loaded_by(file, root) for file in package_files(root)}
    complaints, finished = [], set()

    def visit(module: str, trail: list[str]) -> None:
        if module in trail:
            complaints.append(" -> ".join([*trail[trail.index(module) :], module]))
        elif module in edges and module not in finished:
            for found in edges[module]:
                visit(found.module, [*trail, module])
            finished.add(module)

    for module in edges:
        visit(module, [])
    return complaints


def _loaded_by(file: Path, root: Path) -> list[Import]:
    return [found for found in imports_of(file, root) if found.at_top]


def length_complaints(files: Iterable[Path], root: Path) -> list[str]:
    """Files and functions that are too long; a docstring does not count towards its function."""
    complaints = []
    for file in files:
        text = file.read_text(encoding="utf8")
        shown = file.relative_to(root).as_posix()
        if (lines := len(text.splitlines())) > FILE_LINES:
            complaints.append(f"{shown}: {lines} lines, more than {FILE_LINES}")
        for node in ast.walk(ast.parse(text, str(file))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and (lines := _length(node)) > FUNCTION_LINES:
                complaints.append(f"{shown}:{node.lineno} {node.name}: {lines} lines, more than {FUNCTION_LINES}")
    return complaints


def folder_complaints(root: Path) -> list[str]:
    """Return the folders of paddle_lite that hold too many Python files to be found at a glance."""
    counts = Counter(file.parent for file in package_files(root))
    return [
        f"{folder.relative_to(root).as_posix()}: {count} files, more than {FOLDER_FILES}"
        for folder, count in counts.items()
        if count > FOLDER_FILES
    ]


def _length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of a function from `def` on, without its docstring."""
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    first = node.body[0]
    if ast.get_docstring(node, clean=False) is not None:
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines


def _joined(*parts: str) -> str:
    """A forbidden text, written so that this file does not contain it."""
    return re.escape("".join(parts))


STRAY = {
    "a path of one machine": re.compile(
        "|".join(
            [
                rf"(?<![\w.]){_joined('/', 'work', '/')}\w",
                rf"(?<![\w.]){_joined('/', 'root', '/')}",
                rf"(?<![\w.]){_joined('/', 'home', '/')}\w",
                rf"{_joined('/', 'Users', '/')}\w",
                _joined("/tmp/", "oracle"),
            ]
        )
    ),
    "the host of a package registry": re.compile(
        "|".join(
            [
                _joined("pypi", ".org"),
                _joined("python", "hosted.org"),
                _joined("npm", "js.org"),
                _joined("deb", ".debian.org"),
                _joined("ana", "conda.org"),
                rf"{_joined('--', 'index-url')}\b",
            ]
        ),
        re.IGNORECASE,
    ),
}


def stray_complaints(files: Iterable[Path], root: Path) -> list[str]:
    """Texts in files that belong to one machine or to a network, not to the project."""
    complaints = []
    for file in files:
        try:
            lines = file.read_text(encoding="utf8").splitlines()
        except (UnicodeDecodeError, FileNotFoundError, IsADirectoryError):
            continue  # data, or deleted and not yet committed
        for number, line in enumerate(lines, 1):
            for what, pattern in STRAY.items():
                if found := pattern.search(line):
                    complaints.append(f"{file.relative_to(root).as_posix()}:{number}: {found.group()!r} is {what}")
    return complaints
