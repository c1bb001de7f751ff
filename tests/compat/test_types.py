"""Type checkers on programs: nothing in ordinary lines, each of the mistakes, under both names of the package."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import venv
from collections.abc import Iterable
from importlib.metadata import distribution
from pathlib import Path

import pytest

from paddle_lite.compat.link import link

ROOT = Path(__file__).resolve().parents[2]
SOURCES = Path(__file__).parent / "typed"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the programs under both names, and an environment with paddle_lite, linked."""
    root = tmp_path_factory.mktemp("typed")
    venv.create(root / "env", symlinks=os.name != "nt", with_pip=False)
    (site,) = [*root.glob("env/lib*/python*/site-packages"), *root.glob("env/Lib/site-packages")][:1]
    numpy = Path(str(distribution("numpy").locate_file("")))
    (site / "ours.pth").write_text(f"{ROOT}\n{numpy}\n")
    link(str(site))
    for name in ("ordinary", "mistakes"):
        text = (SOURCES / f"{name}.txt").read_text(encoding="utf8")
        (root / f"{name}.py").write_text(text, encoding="utf8")
        linked = text.replace("paddle_lite as paddle", "paddle").replace("paddle_lite", "paddle")
        (root / f"{name}_linked.py").write_text(linked, encoding="utf8")
    return root


def python_of(project: Path) -> str:
    return str(project / "env" / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))


def require_all_found(found: Iterable[tuple[str, int, str]]) -> None:
    """Fail unless (file, line, text) are about all mistakes, and about nothing else."""
    text = (SOURCES / "mistakes.txt").read_text(encoding="utf8")
    lines = {number for number, line in enumerate(text.splitlines(), 1) if "  # error: " in line}
    assert len(lines) > 10
    complaints = sorted(found)
    assert [each for each in complaints if each[0].startswith("ordinary")] == []
    for file in ("mistakes.py", "mistakes_linked.py"):
        assert {line for name, line, _ in complaints if name == file} == lines, complaints


@pytest.mark.judge
def test_mypy_finds_the_mistakes_only(project: Path) -> None:
    files = sorted(path.name for path in project.glob("*.py"))
    command = [sys.executable, "-m", "mypy", "--check-untyped-defs", f"--cache-dir={os.devnull}"]
    command += ["--python-executable", python_of(project), *files]
    done = subprocess.run(command, cwd=project, text=True, capture_output=True)
    found = re.findall(r"^(\w+\.py):(\d+): error: (.*)$", done.stdout, re.MULTILINE)
    require_all_found((file, int(line), text) for file, line, text in found)


def test_pyright_finds_the_mistakes_only(project: Path) -> None:
    pytest.importorskip("pyright")
    files = sorted(path.name for path in project.glob("*.py"))
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", python_of(project), *files]
    done = subprocess.run(command, cwd=project, text=True, capture_output=True)
    found = json.loads(done.stdout)["generalDiagnostics"]
    require_all_found((Path(each["file"]).name, each["range"]["start"]["line"] + 1, each["message"]) for each in found)


def test_the_ordinary_program_runs(project: Path) -> None:
    done = subprocess.run([python_of(project), "ordinary_linked.py"], cwd=project, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "(13, 32) increment w"
