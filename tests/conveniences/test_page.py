"""The lines of docs/conveniences.md do what they say, and the page has them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import paddle_lite.fluid as fluid

sys.path.insert(0, str(Path(__file__).parent))
import convenience_rows as rows
import conveniences_page as page


def test_there_are_30_at_least():
    assert len({row.wish for row in rows.ROWS}) == len(rows.ROWS) >= 30


@pytest.mark.parametrize("row", rows.ROWS, ids=lambda row: row.wish)
def test_the_line(row):
    scope = {}
    try:
        exec(rows.SETUP + row.here, scope)
        assert eval(row.holds, scope)
    finally:
        fluid.disable_dygraph()


def test_the_page_has_them():
    assert page.PAGE.read_text(encoding="utf-8") == page.page(), "run `python tests/conveniences/conveniences_page.py`"
