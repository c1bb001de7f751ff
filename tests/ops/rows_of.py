"""All rows, found by the files in the folders of tests/ops/rows."""

from __future__ import annotations

import importlib
from pathlib import Path

from tests.ops.row import Row

FAMILIES = tuple(sorted(f"{p.parent.name}.{p.stem}" for p in (Path(__file__).parent / "rows").glob("*/*.py")))


def rows_of(family: str) -> list[Row]:
    """The rows of one operator family."""
    return importlib.import_module(f"tests.ops.rows.{family}").ROWS


ALL = [(family, row) for family in FAMILIES for row in rows_of(family)]
