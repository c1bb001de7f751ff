"""The notebooks of the documentation run from their first cell to their last, without a warning."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.children import run

from . import notebooks

ROOT = notebooks.DOCS.parent


@pytest.mark.parametrize("page", notebooks.notebooks(), ids=lambda page: page.stem)
def test_a_notebook_runs(page: Path) -> None:
    """In a process of its own, as the kernel of a notebook is."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "FLAGS_plan_warm_up": str(2**31)}  # see tests/conftest.py
    done = run("-m", "tests.docs.notebooks", page, env=environment)
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf8")
    shown = done.stdout.splitlines()
    cells = len(notebooks.cells(text))
    assert any(line != "-" for line in shown[:cells]), "a notebook shows something"
    pictures = [[int(side) for side in line.split()[1:]] for line in shown[cells:]]
    assert len(pictures) == len(re.findall(r"plt\.(?:figure|subplots)\(", text)), "a picture is missing, or empty"
    assert all(300 < width < 1200 and 100 < height < 800 for width, height in pictures)


def test_the_tutorials_are_found() -> None:
    found = {page.stem for page in notebooks.notebooks()}
    assert {"start", "imperative", "fluid_chapter", "ragged", "tracing", "inside"} <= found


def page(*cells: str) -> str:
    return "# Title\n\n" + "\n".join(f"Text.\n\n```{{code-cell}} python\n{cell}\n```\n" for cell in cells)


def test_what_cells_show() -> None:
    class Shown:
        def _repr_html_(self) -> str:
            return "<b>1</b>"

    text = page("x = 2", "x + 1", "x + 1;", ":tags: [raises-exception]\n\n1 / 0")
    *shown, error = notebooks.run(text, "page.md")
    assert shown == [None, "3", None] and isinstance(error, ZeroDivisionError)
    assert notebooks.shown(Shown()) == "<b>1</b>"


def test_an_error_has_the_line_of_the_page() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        notebooks.run(page("x = 0", "y = 1\ny / x"), "page.md")
    assert caught.traceback[-1].lineno + 1 == page("x = 0", "y = 1\ny / x").splitlines().index("y / x") + 1


def test_a_cell_that_should_fail_has_to() -> None:
    with pytest.raises(AssertionError, match="raises-exception"):
        notebooks.run(page(":tags: [raises-exception]\n\n1"), "page.md")
