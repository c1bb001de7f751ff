"""The type stubs are those that `python -m stubs` writes, and what they import is there."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOR_CHECKERS = ("paddle_lite.core.made", "paddle_lite.core.typing")
"""Modules whose names exist for type checkers only."""


def test_the_stubs_are_current() -> None:
    done = subprocess.run([sys.executable, "-m", "stubs", "--check"], cwd=ROOT, text=True, capture_output=True)
    assert (done.stdout, done.stderr) == ("", ""), "run `python -m stubs`, and commit what it writes"
    assert done.returncode == 0


def test_a_stub_that_is_missing_or_old_is_named(tmp_path: Path) -> None:
    code = f"""
import stubs.tree as tree
from pathlib import Path
folder = Path({str(tmp_path)!r})
(folder / "paddle_lite" / "old").mkdir(parents=True)
(folder / "paddle_lite" / "old" / "__init__.pyi").write_text("")
tree.ROOT = folder
tree.stubs = lambda: {{folder / "paddle_lite" / "new" / "__init__.pyi": "new: int"}}
print(*tree.outdated())
print(tree.write(), *tree.outdated(), (folder / "paddle_lite" / "new" / "__init__.pyi").read_text())
print((folder / "paddle_lite" / "old").exists())
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, text=True, capture_output=True)
    assert done.stdout.splitlines() == [
        "paddle_lite/new/__init__.pyi paddle_lite/old/__init__.pyi",
        "2 new: int",
        "False",
    ], done.stderr


def test_every_import_of_a_stub_finds_something() -> None:
    texts = [path.read_text(encoding="utf8") for path in (ROOT / "paddle_lite").rglob("*.pyi")]
    imports = {found for text in texts for found in re.findall(r"^from (\S+) import (\w+)", text, re.MULTILINE)}
    assert len(imports) > 1000
    there = sorted((module, name) for module, name in imports if module not in FOR_CHECKERS)
    absent = [(module, name) for module, name in there if not hasattr(importlib.import_module(module), name)]
    assert [f"{module}.{name}" for module, name in absent if find_spec(f"{module}.{name}") is None] == []
