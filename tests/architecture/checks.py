"""The checks: each takes a folder that holds paddle_lite/ and returns its complaints, one a line."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from .imports import Import, absolute, functions_of, imports_of, module_name
from .layers import APART, LATE, LEVEL, ONLY_IN_KERNELS, ORDER, PACKAGE

FILE_LINES = 600
FUNCTION_LINES = 60
FOLDER_FILES = 25
CIRCLE_FILES = 5


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


def circle_complaints(root: Path) -> list[str]:
    """Circles of imports of more than CIRCLE_FILES files: imports inside of functions count, those for types do not."""
    files = {module_name(file, root): file for file in package_files(root)}
    edges = {
        name: sorted({found.module for found in imports_of(file, root) if not found.for_types} & files.keys())
        for name, file in files.items()
    }
    return [
        f"a circle of {len(circle)} files, more than {CIRCLE_FILES}: {', '.join(sorted(circle))}"
        for circle in strongly_connected(edges)
        if len(circle) > CIRCLE_FILES
    ]


def strongly_connected(edges: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Return the strongly connected components of a graph, by Kosaraju's algorithm."""
    finished: list[str] = []
    seen: set[str] = set()
    for start in edges:
        _collect(start, edges, seen, finished)
    backwards: dict[str, list[str]] = {name: [] for name in edges}
    for name, targets in edges.items():
        for target in targets:
            backwards[target].append(name)
    components: list[list[str]] = []
    seen = set()
    for start in reversed(finished):
        component: list[str] = []
        _collect(start, backwards, seen, component)
        if component:
            components.append(component)
    return components


def _collect(start: str, edges: Mapping[str, Sequence[str]], seen: set[str], finished: list[str]) -> None:
    """Append what can be reached from `start` and was not seen to `finished`, each name after those behind it."""
    if start in seen:
        return
    seen.add(start)
    trail = [(start, iter(edges[start]))]
    while trail:
        name, targets = trail[-1]
        for target in targets:
            if target not in seen:
                seen.add(target)
                trail.append((target, iter(edges[target])))
                break
        else:
            finished.append(name)
            trail.pop()


MODES = ("imperative", "static")  # packages of modes; jit has one too, and may tell both classes of Variables apart
VARIABLES = (f"{PACKAGE}.imperative.variable", f"{PACKAGE}.static.program.variable")
QUESTIONS = re.compile(
    r"in_imperative_mode|(mode|entered)\.(imperative|kind)\b|(state|entered)\.(mode|redirect)\b|\bVariable\b"
)
"""What the source of a file that is looked at holds; to parse all of them takes seconds."""


def mode_complaints(root: Path) -> list[str]:
    """Questions which mode is on, outside of the modes: a verb of `state.mode`, or `ByMode`, takes their place."""
    complaints = []
    for file in package_files(root):
        name = module_name(file, root)
        if member(name) in MODES or name == f"{PACKAGE}.core.mode":
            continue
        text = file.read_text(encoding="utf8")
        if not QUESTIONS.search(text):
            continue
        tree = ast.parse(text, str(file))
        classes = set() if member(name) == "jit" else _variable_classes(tree, name, file)
        shown = file.relative_to(root).as_posix()
        complaints += [
            f"{shown}:{node.lineno}: {question} asks which mode is on"
            for node in ast.walk(tree)
            if isinstance(node, (ast.Call, ast.Compare, ast.Attribute, ast.ImportFrom))
            and (question := _question(node, classes))
        ]
    return complaints


def _variable_classes(tree: ast.Module, name: str, file: Path) -> set[str]:
    """The names by which a file knows the two classes of Variables."""
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    return {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and absolute("." * node.level + (node.module or ""), package) in VARIABLES
        for alias in node.names
        if alias.name == "Variable"
    }


def _question(node: ast.Call | ast.Compare | ast.Attribute | ast.ImportFrom, classes: set[str]) -> str:
    """The text of a question about the mode; "" for any other node."""
    if isinstance(node, ast.ImportFrom):
        return "in_imperative_mode" if "in_imperative_mode" in [alias.name for alias in node.names] else ""
    if isinstance(node, ast.Attribute):
        asked = node.attr in ("imperative", "kind") and ast.unparse(node.value).endswith(("mode", "entered"))
        return ast.unparse(node) if asked or node.attr == "in_imperative_mode" else ""
    if isinstance(node, ast.Compare):
        sides = [side for side in (node.left, *node.comparators) if isinstance(side, ast.Attribute)]
        modes = (ast.unparse(side) for side in sides if side.attr in ("redirect", "mode"))
        asked_of = ("state.mode", "entered.mode", "entered.redirect")
        return ast.unparse(node) if any(mode.endswith(asked_of) for mode in modes) else ""
    kinds = {n.id for n in ast.walk(node.args[1]) if isinstance(n, ast.Name)} if len(node.args) == 2 else set()
    return ast.unparse(node) if ast.unparse(node.func) == "isinstance" and kinds & classes else ""


NO_VERBS = {
    "A", "All", "Also", "An", "As", "At", "Each", "Every", "For", "How", "In", "Is", "It", "Its", "No", "Nothing", "Of", "On", "One",
    "Same", "That", "The", "These", "This", "Those", "To", "Two", "What", "When", "Where", "Whether", "Which", "Who", "With",
}  # fmt: skip
"""Words with which no docstring of a function begins: it says in the imperative what the function does."""


def form_complaints(files: Iterable[Path], root: Path) -> list[str]:
    """Files and functions that are too long, a docstring not counted, and docstrings of functions of paddle_lite without a verb."""
    complaints = []
    for file in files:
        text = file.read_text(encoding="utf8")
        shown = file.relative_to(root).as_posix()
        if (lines := len(text.splitlines())) > FILE_LINES:
            complaints.append(f"{shown}: {lines} lines, more than {FILE_LINES}")
        for each in functions_of(file, root):
            if each.length > FUNCTION_LINES:
                complaints.append(f"{shown}:{each.line} {each.name}: {each.length} lines, more than {FUNCTION_LINES}")
            if shown.startswith(PACKAGE) and each.first_word in NO_VERBS:
                complaints.append(
                    f"{shown}:{each.line} {each.name}: its docstring begins with {each.first_word!r}, not with a verb"
                )
    return complaints


def folder_complaints(root: Path) -> list[str]:
    """Return the folders of paddle_lite that hold too many Python files to be found at a glance."""
    counts = Counter(file.parent for file in package_files(root))
    return [
        f"{folder.relative_to(root).as_posix()}: {count} files, more than {FOLDER_FILES}"
        for folder, count in counts.items()
        if count > FOLDER_FILES
    ]


STRAY = {
    "a path of one machine": [
        (r"(?<![\w.])", ("/", "work", "/"), r"\w"),
        (r"(?<![\w.])", ("/", "root", "/"), ""),
        (r"(?<![\w.])", ("/", "home", "/"), r"\w"),
        ("", ("/", "Users", "/"), r"\w"),
        ("", ("/tmp/", "oracle"), ""),
    ],
    "the host of a package registry": [
        ("(?i)", ("pypi", ".org"), ""),
        ("(?i)", ("python", "hosted.org"), ""),
        ("(?i)", ("npm", "js.org"), ""),
        ("(?i)", ("deb", ".debian.org"), ""),
        ("(?i)", ("ana", "conda.org"), ""),
        ("(?i)", ("--", "index-url"), r"\b"),
    ],
}
"""What a text is -> what stands before it, its parts, so that this file does not contain it, and what stands behind it."""
_STRAY = [
    ("".join(parts).lower().encode(), what, re.compile(before + re.escape("".join(parts)) + behind))
    for what, texts in STRAY.items()
    for before, parts, behind in texts
]


def stray_complaints(files: Iterable[Path], root: Path) -> list[str]:
    """Texts in files that belong to one machine or to a network, not to the project."""
    complaints = []
    for file in files:
        try:
            data = file.read_bytes()
            lowered = data.lower()
            suspected = [(what, pattern) for text, what, pattern in _STRAY if text in lowered]
            lines = data.decode("utf8").splitlines() if suspected else ()
        except (UnicodeDecodeError, FileNotFoundError, IsADirectoryError):
            continue  # data, or deleted and not yet committed
        for number, line in enumerate(lines, 1):
            for what, pattern in suspected:
                if found := pattern.search(line):
                    complaints.append(f"{file.relative_to(root).as_posix()}:{number}: {found.group()!r} is {what}")
    return complaints
