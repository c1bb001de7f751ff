"""Mistakes of every day, in everyday.txt: what each raises names the call and what it needs, and points at the program's line only.

An entry of the file is its title, the mode, the class that PaddlePaddle 1.8.5 raises (- where it raises none that a program would
catch), the lines of a script, and the words of the message in their order.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import NamedTuple

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import mistakes_page as page
from ordinary_mistakes import IMPERATIVE, IMPORTS

MORE = "import os\nfrom paddle_lite.fluid.dygraph import BatchNorm, LayerNorm\n"


class Entry(NamedTuple):
    title: str
    mode: str
    there: str
    lines: str
    words: list[str]


def read() -> list[Entry]:
    """Return the entries of everyday.txt."""
    found = []
    for part in (Path(__file__).parent / "everyday.txt").read_text(encoding="utf-8").split("## ")[1:]:
        head, _, rest = part.partition("\n")
        lines, _, words = rest.rpartition("\n-- ")
        title, mode, there = head.split(" | ")
        found.append(Entry(title, mode, there, f"{lines}\n", words.rstrip("\n").split(" ... ")))
    return found


ENTRIES = read()


def test_there_are_many_of_each_kind() -> None:
    assert len({entry.title for entry in ENTRIES}) == len(ENTRIES) > 350
    assert len({entry.title.partition(":")[0] for entry in ENTRIES}) > 20


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry.title for entry in ENTRIES])
def test_a_mistake_is_explained(entry: Entry) -> None:
    script = IMPORTS + MORE + (IMPERATIVE if entry.mode == "imperative" else "") + entry.lines
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        error, lines = page.failed(script)
    assert error is not None, "accepted"
    assert entry.there in ("-", *(kind.__name__ for kind in type(error).__mro__))
    text, place = str(error), 0
    for words in entry.words:
        assert words in text[place:], text
        place = text.index(words, place) + len(words)
    files = [line for line in lines if line.startswith("  File ")]
    assert files and not [line for line in files if "/paddle_lite/" in line or "contextlib" in line], lines
