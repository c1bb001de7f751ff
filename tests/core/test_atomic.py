"""Files that are replaced as a whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from paddle_lite.core.files.atomic import atomic_file


def test_the_old_file_stays_until_the_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "state"
    path.write_bytes(b"old")
    with atomic_file(str(path)) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"
        assert len(os.listdir(tmp_path)) == 2  # the one that is written stands beside it
    assert path.read_bytes() == b"new" and os.listdir(tmp_path) == ["state"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "state"
    path.write_bytes(b"old")
    with pytest.raises(error), atomic_file(str(path)) as file:
        file.write(b"half of the n")
        raise error
    assert path.read_bytes() == b"old" and os.listdir(tmp_path) == ["state"]


def test_directories_are_made(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "state"
    with atomic_file(str(path)) as file:
        file.write(b"new")
    assert path.read_bytes() == b"new"


def test_a_name_without_a_directory_is_in_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with atomic_file("state") as file:
        file.write(b"new")
    assert (tmp_path / "state").read_bytes() == b"new"


def test_a_target_that_cannot_be_replaced_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    with pytest.raises(OSError), atomic_file(str(tmp_path / "state")) as file:
        file.write(b"new")
    assert os.listdir(tmp_path) == ["state"] and (tmp_path / "state").is_dir()
