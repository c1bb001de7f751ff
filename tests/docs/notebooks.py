"""The notebooks of the documentation, run without Jupyter: the code cells of a page in Markdown, one after another."""

from __future__ import annotations

import ast
import contextlib
import io
import os
import re
import sys
import warnings
from pathlib import Path
from typing import Any, NamedTuple

DOCS = Path(__file__).resolve().parents[2] / "docs"
_CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(?P<options>(?::[^\n]*\n)*)(?P<code>.*?)^```$", re.DOTALL | re.MULTILINE)


class Cell(NamedTuple):
    """A code cell.

    code: its text, after as many empty lines as stand before it on the page: line numbers are those of the page.
    fails: whether the page shows the error that it raises.
    """

    code: str
    fails: bool


def is_notebook(page: Path) -> bool:
    """Return whether a page is executed when the site is built."""
    return page.read_text(encoding="utf8").startswith("---\nfile_format: mystnb\n")


def notebooks() -> list[Path]:
    """Return the pages that are executed."""
    return [page for page in sorted(DOCS.rglob("*.md")) if is_notebook(page)]


def cells(text: str) -> list[Cell]:
    """Return the code cells of a page."""
    return [
        Cell("\n" * text[: cell.start("code")].count("\n") + cell["code"], "raises-exception" in cell["options"])
        for cell in _CELL.finditer(text)
    ]


def run(text: str, name: str) -> list[Any]:
    """Run the cells of a page in one namespace, and return what the last expression of each shows.

    Arguments:
        text: the page.
        name: what tracebacks call it.
    """
    scope: dict[str, Any] = {"__name__": "__main__"}
    return [_result(cell, name, scope) for cell in cells(text)]


def _result(cell: Cell, name: str, scope: dict[str, Any]) -> Any:
    """Run a cell; return what its last expression shows, None where it shows nothing, and the error of one that fails."""
    body = ast.parse(cell.code, name).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) and not cell.code.rstrip().endswith(";") else None
    try:
        exec(compile(ast.Module(body, []), name, "exec"), scope)
        value = eval(compile(ast.Expression(last.value), name, "eval"), scope) if isinstance(last, ast.Expr) else None
    except Exception as error:
        if not cell.fails:
            raise
        return error
    assert not cell.fails, f"{name}: a cell with the tag raises-exception raises none"
    return shown(value)


def shown(value: Any) -> str | None:
    """Return the HTML or the text that a notebook shows of a value; None of None."""
    if value is None:
        return None
    html = value._repr_html_() if hasattr(value, "_repr_html_") else None  # a Figure of Matplotlib gives None
    return repr(value) if html is None else html


def main(page: Path) -> None:
    """Run a page as a program, where it is, with warnings as errors.

    Print a line for each cell, what it shows, or "-", and a line "figure" with the size for each picture that is not empty.
    """
    os.environ["MPLBACKEND"] = "Agg"
    warnings.simplefilter("error")
    os.chdir(page.parent)
    with contextlib.redirect_stdout(io.StringIO()):
        found = run(page.read_text(encoding="utf8"), page.name)
    for each in found:
        print("-" if each is None else repr(each)[:200])
    plt = sys.modules.get("matplotlib.pyplot")  # few pages import it
    for figure in map(plt.figure, plt.get_fignums()) if plt else ():
        canvas: Any = figure.canvas
        canvas.draw()
        if canvas.buffer_rgba().tobytes().count(255) < 0.99 * len(canvas.buffer_rgba().tobytes()):
            print("figure", *canvas.get_width_height())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
