"""The tree keeps the architecture: layers, imports, lengths, and nothing that belongs to one machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from . import checks
from .layers import ONLY_IN_KERNELS, PACKAGE

ROOT = Path(__file__).resolve().parents[2]
MODULES_OF_AN_IMPORT = 600
AT_THE_ROOT = {
    PACKAGE, "tests", "benchmarks", "compatibility", "gpu_check", "examples", "docs", "stubs", ".ci", ".gitattributes", ".gitignore", ".pre-commit-config.yaml",
    "pyproject.toml", "hatch_build.py", "conftest.py", "Makefile", "LICENSE", "README.md", "CONTRIBUTING.md",
}  # fmt: skip


def python_files() -> list[Path]:
    """The Python files that have a budget."""
    return [
        file
        for folder in (PACKAGE, "tests", "benchmarks", "compatibility", "gpu_check", "examples", "stubs")
        for file in sorted((ROOT / folder).rglob("*.py"))
    ]


def tracked_files() -> list[Path]:
    """The files under version control; without git, as in an unpacked archive, all that are not hidden."""
    git = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if git.returncode == 0:
        return [ROOT / name for name in git.stdout.split("\0") if name]
    found = (file for file in ROOT.rglob("*") if not any(part.startswith(".") for part in file.relative_to(ROOT).parts))
    return [file for file in found if file.is_file()]


def test_imports_go_down_the_layers() -> None:
    assert checks.layer_complaints(ROOT) == []


def test_no_circle_of_imports() -> None:
    assert checks.cycle_complaints(ROOT) == []


def test_circles_of_imports_are_small() -> None:
    assert checks.circle_complaints(ROOT) == []


def test_only_modes_ask_which_mode_is_on() -> None:
    assert checks.mode_complaints(ROOT) == []


def test_numba_and_cupy_are_imported_by_kernels_only() -> None:
    assert checks.kernel_library_complaints(ROOT) == []


def test_files_and_functions_are_short_and_docstrings_begin_with_a_verb() -> None:
    assert checks.form_complaints(python_files(), ROOT) == []


def test_folders_are_small() -> None:
    assert checks.folder_complaints(ROOT) == []


def test_the_root_holds_what_belongs_there() -> None:
    """And not what a program has left in the working directory."""
    found = {file.relative_to(ROOT).parts[0] for file in tracked_files()}
    assert found - AT_THE_ROOT == set()


def test_no_file_names_a_machine_or_a_registry() -> None:
    assert checks.stray_complaints(tracked_files(), ROOT) == []


@pytest.mark.parametrize("statement", ["import paddle_lite", "import paddle_lite.compat", "import paddle_lite.cli"])
def test_import_is_light(statement: str) -> None:
    """Counted, not timed: neither Numba nor CuPy, and not many modules."""
    code = f"{statement}; import sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    loaded = set(done.stdout.split())
    assert PACKAGE in loaded
    assert not {name.split(".")[0] for name in loaded} & (
        ONLY_IN_KERNELS | {"scipy", "matplotlib", "sklearn", "pytest"}
    )
    assert len(loaded) < MODULES_OF_AN_IMPORT
