"""docs/operators.md says what happens: its examples run in their order, and print what it shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite.ops as public
from paddle_lite.core import unique_name
from paddle_lite.core.mode import switched
from paddle_lite.core.place import CPUPlace
from paddle_lite.ops.framework import registry
from paddle_lite.static import Program, Scope, program_guard, scope_guard
from paddle_lite.static.mode.static_mode import static_mode
from tests.ops.checks import calls_equal_paddle
from tests.ops.test_own_operators import apart  # noqa: F401  (a fixture)
from tests.static.passes import passes

PAGE = (Path(__file__).parents[2] / "docs" / "operators.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_examples_print_what_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    with (
        switched(static_mode, CPUPlace(), np), unique_name.guard(), program_guard(Program(), Program()),
        scope_guard(Scope()), passes(),
    ):  # fmt: skip
        for (kind, text), following in zip(BLOCKS, [*BLOCKS[1:], ("", "")], strict=True):
            if kind == "python":
                exec(compile(text, "example.py", "exec"), names)
                shown = following[1] if following[0] == "text" else ""
                assert capsys.readouterr().out == shown
    row = eval(re.search(r"^Row\(.*\)$", PAGE, re.MULTILINE)[0], names)  # type: ignore[index]
    calls_equal_paddle(registry.get("softclip"), row)


def test_the_page_names_all_that_the_namespace_offers() -> None:
    listed = {name for row in re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)}
    offered = {
        name for name in dir(public) if not name.startswith("_") and not hasattr(getattr(public, name), "__path__")
    }
    assert listed == offered - {"namespace"}
