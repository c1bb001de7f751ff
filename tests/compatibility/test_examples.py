"""The runner of 1.8.5's examples: what it finds in docstrings, how it runs an example, and what its page says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from compatibility.examples.__main__ import differing, page, reason
from compatibility.examples.collect import blocks
from compatibility.examples.each import run

DOCSTRING = """Add.

    Examples:
        .. code-block:: python

            x = 1

            if x:
                print(x)

        And so:

        .. code-block:: python

            print(2)
"""


def test_blocks_of_a_docstring() -> None:
    assert blocks(DOCSTRING) == ["x = 1\n\nif x:\n    print(x)\n", "print(2)\n"]
    assert blocks("nothing") == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="an example runs in a fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # of Python 3.12, where other tests have left threads
@pytest.mark.parametrize(
    ("source", "status", "says"),
    [
        ("print(40 + 2)", 0, "42\n"),
        ("raise SystemExit(3)", 1, ""),
        ("print('a')\n1 / 0", 1, "ZeroDivisionError"),
        ("import os\nos.kill(os.getpid(), 9)", 9, ""),
    ],
)
def test_an_example_is_run(tmp_path: Path, source: str, status: int, says: str) -> None:
    found, output = run(source, str(tmp_path))
    assert found == status and says in output


def test_the_page() -> None:
    bad = "Traceback\npaddle_lite.core.errors.ShapeError: mul: X got [2], needs [3].\n  at line"
    theirs = {"a#0": (0, "1.0"), "b#0": (0, "2"), "c#0": (1, ""), "d#0": (0, "3.5")}
    ours = {"a#0": (0, "1.00001"), "b#0": (1, bad), "c#0": (0, ""), "d#0": (0, "3.6")}
    text = page(theirs, ours)
    assert "Of 4 examples, 3 run on 1.8.5" in text and "**2 run on paddle_lite**, as do 1 that 1.8.5 cannot run" in text
    assert "| `b` | ShapeError: mul: X got [2], needs [3]. |" in text
    assert reason("") == "no error" and differing(theirs, ours) == ["d#0"]
