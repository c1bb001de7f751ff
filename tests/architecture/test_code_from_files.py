"""Nothing runs what a file says: the calls that can are few, and each is named here with the reason why it may."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from .layers import PACKAGE

ROOT = Path(__file__).resolve().parents[2]
BUILTINS = {"eval", "exec"}
ATTRIBUTES = {
    **{
        name: {"load", "loads", "Unpickler", "_Unpickler"}
        for name in ("pickle", "_pickle", "cPickle", "marshal", "dill", "joblib")
    },
    "yaml": {"load", "full_load", "unsafe_load"},
    "shelve": {"open"},
    "runpy": {"run_path", "run_module"},
}
WHY = {
    "contrib/slim/core/restoring.py": "the class that the reader of known classes is derived from",
    "kernels/numba_cache.py": "the kernel cache, whose files are machine code",
    "core/files/pickled.py": "the class that the reader without code is derived from",
    "reader/processes.py": "what this process has pickled itself",
    "core/generated.py": "source that paddle_lite has written",
    "kernels/gpu/device/grid.py": "source of paddle_lite",
    "kernels/codegen/numpy_form.py": "arithmetic of declarations",
    "static/plan/writer.py": "source that paddle_lite has written",
    "fluid/internals/syntax/apis.py": "the tree of a function that the program passes",
    "core/tracebacks/explained.py": "annotations of signatures",
    "compat/site/legacy_packages.py": "programs of 2020 call yaml.load(file) themselves",
}


WORDS = re.compile(r"allow_pickle|\b(eval|exec)\(|\b(" + "|".join(ATTRIBUTES) + r")\b")
"""What the source of a file that is looked at holds; to parse all of them takes seconds."""


def code_from_data(text: str) -> Iterator[str]:
    """Yield the names that run what they are given, called or passed on, in the source of a file; np.load(allow_pickle=True), too."""
    for node in ast.walk(ast.parse(text)) if WORDS.search(text) else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in BUILTINS:
            yield node.func.id
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr in ATTRIBUTES.get(node.value.id, ()):
                yield f"{node.value.id}.{node.attr}"
        elif isinstance(node, ast.keyword) and node.arg == "allow_pickle":
            if not (isinstance(node.value, ast.Constant) and node.value.value is False):
                yield "allow_pickle"
        elif isinstance(node, ast.ImportFrom) and node.module in ATTRIBUTES:
            yield from (f"{node.module}.{each.name}" for each in node.names if each.name in ATTRIBUTES[node.module])


def test_what_runs_data_is_named_with_its_reason() -> None:
    found = {
        str(path.relative_to(ROOT / PACKAGE)): names
        for path in sorted((ROOT / PACKAGE).rglob("*.py"))
        if (names := sorted(set(code_from_data(path.read_text(encoding="utf8")))))
    }
    assert {name: names for name, names in found.items() if name not in WHY} == {}
    assert set(WHY) - set(found) == set(), "these reasons are for nothing"


def test_a_planted_call_is_found() -> None:
    for text in (
        "pickle.load(f)",
        "read = pickle.loads",
        "eval(s)",
        "exec(s)",
        "np.load(f, allow_pickle=True)",
        "from pickle import loads",
    ):
        assert list(code_from_data(text)), text
    assert not list(
        code_from_data("net.eval(); np.load(f, allow_pickle=False); pickle.dump(x, f); from pickle import dumps")
    )
