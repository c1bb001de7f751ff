"""The pages of the documentation: each is in the navigation, links lead somewhere, and tables of code say what runs."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core import unique_name

from .notebooks import DOCS

ROOT = DOCS.parent
MADE = DOCS / "api"
"""The pages of the reference are written when the site is built."""
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if MADE not in page.parents]
_TOCTREE = re.compile(r"^```\{toctree\}\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FENCED = re.compile(r"^(```+|:::+).*?^\1$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]+)\)")


def in_navigation(page: Path) -> Iterator[Path]:
    """Yield a page, and those below it in the navigation."""
    yield page
    for tree in _TOCTREE.findall(page.read_text(encoding="utf8")):
        for line in tree.splitlines():
            if line and not line.startswith(":"):
                below = page.parent / f"{line.rpartition('<')[2].rstrip('>')}.md"
                if below.parent != MADE:
                    yield from in_navigation(below)


def headings(page: Path) -> set[str]:
    """Return the anchors of the headings of a page, as GitHub makes them."""
    text = _FENCED.sub("", page.read_text(encoding="utf8"))
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_page_is_in_the_navigation_once() -> None:
    found = list(in_navigation(DOCS / "index.md"))
    assert sorted(found) == PAGES


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.stem)
def test_links_lead_to_files(page: Path) -> None:
    text = _FENCED.sub("", page.read_text(encoding="utf8"))
    broken = []
    for link in _LINK.findall(re.sub(r"`[^`\n]*`", "`code`", text)):
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if "://" in link or target.parent == MADE.resolve():
            continue
        if not target.exists() or (anchor and anchor not in headings(target)):
            broken.append(link)
    assert broken == []


def test_the_readme_names_pages_that_are_there() -> None:
    names = set(re.findall(r"\bdocs/[\w./-]+\.md", (ROOT / "README.md").read_text(encoding="utf8")))
    assert names
    assert [name for name in sorted(names) if not (ROOT / name).exists()] == []


# --- names side by side with PyTorch -----------------------------------------------------------------------------------

PAGE = (DOCS / "from-pytorch.md").read_text(encoding="utf8")
SETUP = re.search(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
ROWS = [row.split(" | ")[-1] for row in re.findall(r"^\| (`.*|no counterpart.*|Lightning.*) \|$", PAGE, re.MULTILINE)]
LINES = [code for row in ROWS for code in re.findall(r"`([^`]+)`", row) if not code.startswith("python -m")]


def test_there_are_lines_to_run() -> None:
    assert len(LINES) > 70


@pytest.mark.parametrize("line", LINES)
def test_a_line_for_people_who_know_pytorch(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert SETUP is not None
    threads = fluid.get_flags("FLAGS_paddle_num_threads")
    scope: dict[str, object] = {}
    try:
        with unique_name.guard():
            exec(SETUP[1], scope)
            exec(line, scope)
    finally:
        fluid.disable_dygraph()
        fluid.set_flags(threads)


# --- the reference -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def reference() -> Iterator[object]:
    sys.path.insert(0, str(DOCS / "extensions"))
    import api_pages

    yield api_pages
    sys.path.remove(str(DOCS / "extensions"))


def test_every_public_name_has_an_entry(reference) -> None:
    found = reference.entries()
    names = {entry.full: entry for entries in found.values() for entry in entries}
    assert {"paddle.fluid.layers.fc", "paddle.nn.Linear", "paddle.std", "paddle_lite.ragged.from_lists"} <= names.keys()
    assert [name for name, entry in names.items() if entry.described not in names] == []
    texts = "".join(text for module, entries in found.items() for _, text in reference.pages(module, entries))
    written = set(re.findall(r"^\.\. auto\w+:: (paddle[\w.]+)$", texts, re.MULTILINE))
    second = re.findall(r"^\.\. py:\w+:: (\w+)(?:\(.*)?\n   :module: ([\w.]+)$", texts, re.MULTILINE)
    written |= {f"{module}.{name}" for name, module in second}
    assert written == names.keys()


def test_docstrings_become_restructuredtext(reference) -> None:
    import docstring_text

    assert docstring_text.escaped_line("a * b and `c * d`, x_ |y|") == r"a \* b and ``c * d``, x\_ \|y\|"
    lines = ["Text:", "", "    a * b", "", "And * on.", "", ">>> 2 * 3", "6"]
    assert docstring_text.escaped(lines) == ["Text::", "", "    a * b", "", r"And \* on.", "", ">>> 2 * 3", "6"]
    returns = ["Do.", "", "Returns:", "    One: two", "    three.", "", "    Four."]
    assert docstring_text.escaped(returns)[2:] == [":returns: One: two", "    three.", "", "    Four."]
    arguments = ["Do.", "", "Arguments:", "    a, b,", "        c: three.", "    d: one", "        thing."]
    assert docstring_text.joined(arguments)[3:] == ["    a, b, c: three.", "    d: one", "        thing."]
    assert docstring_text.signature_of(reference.Entry) == "(module, name, value, described)"
    assert (
        docstring_text.shortened("(x: ~typing.Any, type: type, y: Any = 1, *z: Any)")
        == "(x, type: builtins.type, y=1, *z)"
    )
