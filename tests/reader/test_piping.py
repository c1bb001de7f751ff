"""What a command prints, line by line."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

import pytest

import paddle_lite as paddle
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError
from paddle_lite.reader.piping import PipeError

TEXT = "".join(f"line {i} ä\n" for i in range(3000)) + "the last"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "lines"
    path.write_bytes(TEXT.encode())
    return path


def cat(file: Path) -> str:
    return f'{sys.executable} -c \'import shutil, sys; shutil.copyfileobj(open("{file}", "rb"), sys.stdout.buffer)\''


@pytest.mark.parametrize("bufsize", [7, 8192])
def test_lines(file: Path, bufsize: int) -> None:
    assert list(paddle.io.PipeReader(cat(file), bufsize).get_line()) == TEXT.split("\n")


def test_pieces_and_other_breaks(file: Path) -> None:
    reader = paddle.io.PipeReader(cat(file), bufsize=100)
    pieces = list(reader.get_line(cut_lines=False))
    assert "".join(pieces) == TEXT and len(pieces) > 100
    assert list(reader.get_line(line_break="line "))[1] == "0 ä\n"


def test_gzip(tmp_path: Path) -> None:
    path = tmp_path / "lines.gz"
    path.write_bytes(gzip.compress(TEXT.encode()))
    assert list(paddle.io.PipeReader(cat(path), 50, "gzip").get_line()) == TEXT.split("\n")


def test_a_reader_that_is_left_ends_the_command() -> None:
    endless = f"{sys.executable} -c 'import os\nwhile True: os.write(1, b\"again\\n\")'"
    lines = paddle.io.PipeReader(endless).get_line()
    assert next(lines) == "again"
    lines.close()


def test_what_fails(file: Path) -> None:
    with pytest.raises(PipeError, match="has failed, with exit code 3"):
        list(paddle.io.PipeReader(f"{sys.executable} -c 'raise SystemExit(3)'").get_line())
    with pytest.raises(PipeError, match="`no_such_command_here` cannot be run"):
        list(paddle.io.PipeReader("no_such_command_here").get_line())
    with pytest.raises(PipeError, match="is no gzip file"):
        list(paddle.io.PipeReader(cat(file), file_type="gzip").get_line())
    with pytest.raises(ArgumentTypeError, match="command got list"):
        paddle.io.PipeReader(["cat"])  # type: ignore[arg-type]
    with pytest.raises(ArgumentValueError, match="file_type got str 'zip'"):
        paddle.io.PipeReader("cat", file_type="zip")
    with pytest.raises(ArgumentValueError, match="command got an empty one"):
        paddle.io.PipeReader(" ")
