"""docs/pictures.md shows the code that makes each picture: it runs, and the pictures are there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import paddle_lite as paddle
from benchmarks import draw_pictures


def test_the_page_is_that_of_the_script() -> None:
    assert draw_pictures.PAGE.read_text(encoding="utf8") == draw_pictures.text(), (
        "run `python -m benchmarks.draw_pictures`"
    )
    drawn = {path.name for path in draw_pictures.FOLDER.iterdir()}
    assert drawn == {draw_pictures.file_of(entry) for entry in draw_pictures.ENTRIES}


@pytest.mark.judge
def test_the_code_makes_the_pictures(tmp_path: Path) -> None:
    names: dict[str, Any] = {}
    try:
        exec(draw_pictures.SETUP.replace("range(250)", "range(2)"), names)
        for entry in draw_pictures.ENTRIES:
            if not entry.width:  # a browser draws the others
                assert draw_pictures.drawn(entry, names, tmp_path)
                assert (tmp_path / draw_pictures.file_of(entry)).stat().st_size > 1000
            else:
                assert "<table" in draw_pictures.value_of(entry.code, names)._repr_html_()
    finally:
        paddle.disable_imperative()
