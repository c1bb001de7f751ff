"""The table of Fluid's file layout: what it says is true of the tree."""

from __future__ import annotations

from pathlib import Path

import pytest

import paddle_lite.compat
from paddle_lite.compat.finder import target_of
from paddle_lite.compat.names import INTERNAL, LAYOUT

PACKAGE = Path(paddle_lite.compat.__file__).parent.parent


def has_file(module: str) -> bool:
    """Whether `paddle_lite.<module>` is a file or a package of the tree."""
    path = PACKAGE.joinpath(*module.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def test_no_entry_hides_a_file() -> None:
    assert [entry for entry in LAYOUT if has_file(entry)] == []


def test_no_entry_leads_to_another() -> None:
    assert [entry for entry, home in LAYOUT.items() if home in LAYOUT] == []


def test_every_entry_leads_to_a_file() -> None:
    """Of a package that is there; `import` says of the others that they are not yet available."""
    homes = {home for home in LAYOUT.values() if home and (PACKAGE / home.split(".")[0]).is_dir()}
    assert sorted(home for home in homes if not has_file(home)) == []


@pytest.mark.parametrize(
    ("public", "real"),
    [
        ("paddle", "paddle_lite"),
        ("paddle.nn", "paddle_lite.nn"),
        ("paddle.nn.control_flow", "paddle_lite.nn"),
        ("paddle.nn.clip", "paddle_lite.nn"),
        ("paddle.nn.input", "paddle_lite.nn"),
        ("paddle.batch", "paddle_lite"),
        ("paddle.fluid.dygraph.base", "paddle_lite.fluid.dygraph"),
        ("paddle.fluid.core_avx.ops", "paddle_lite.fluid.core.ops"),
        ("paddle.fluid.dygraph.dygraph_to_static.program_translator", "paddle_lite.fluid.dygraph"),
        *((f"paddle.{package}", None) for package in sorted(INTERNAL)),
    ],
)
def test_target_of(public: str, real: str | None) -> None:
    assert target_of(public) == real
