"""docs/kernels.md says what happens: its examples run in their order, and print what it shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = (Path(__file__).parents[3] / "docs" / "kernels.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_examples_print_what_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    for (kind, text), following in zip(BLOCKS, [*BLOCKS[1:], ("", "")], strict=True):
        if kind == "python":
            exec(compile(text, "example.py", "exec"), names)
            shown = following[1] if following[0] == "text" else ""
            assert capsys.readouterr().out == shown
