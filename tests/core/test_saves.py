"""Saves of several files: a load sees all files of one save, whatever happens to the processes that save.

`python -m tests.core.test_saves 300` kills 300 savers.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from paddle_lite.core.errors import FolderError
from paddle_lite.core.files.locks import folder_lock, try_lock
from paddle_lite.core.files.saves import JOURNAL, is_unfinished, loading, saving

from .saver import NAMES

SAVER = Path(__file__).with_name("saver.py")


def save(folder: Path, content: str, names: tuple[str, ...] = ("a", "b")) -> None:
    with saving(folder) as opened:
        for name in names:
            with opened(name) as file:
                file.write(content.encode())


def read(folder: Path) -> dict[str, str]:
    with loading(folder):
        return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def cut_off(folder: Path, monkeypatch: pytest.MonkeyPatch, renamed: int, content: str = "new") -> None:
    """Let a save die after it has renamed this number of files."""
    whole, calls = os.replace, []

    def replace(source: str, path: str) -> None:
        calls.append(path)
        if len(calls) > renamed + 1:  # the first is that of the journal
            raise KeyboardInterrupt
        whole(source, path)

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(os, "replace", replace)
        save(folder, content)


def test_files_are_replaced_together(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    with saving(tmp_path) as opened:
        for name in ("a", "below/b"):
            with opened(name) as file:
                file.write(name.encode())
        assert (tmp_path / "a").read_text() == "old" and not (tmp_path / "below").exists()
    assert read(tmp_path) == {"a": "a", "below/b": "below/b"}


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
def test_an_error_while_writing_leaves_the_old_files_and_nothing_else(
    tmp_path: Path, error: type[BaseException]
) -> None:
    save(tmp_path, "old")
    with pytest.raises(error), saving(tmp_path) as opened:
        with opened("a") as file:
            file.write(b"new")
        with opened("b") as file:
            file.write(b"ne")
            raise error
    assert read(tmp_path) == {"a": "old", "b": "old"} and sorted(os.listdir(tmp_path)) == ["a", "b"]


def test_a_full_disk_leaves_the_old_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(tmp_path, "old")

    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched, pytest.raises(OSError, match=r"No space left on device: .*/a'"):
        patched.setattr(os, "fsync", full)
        save(tmp_path, "new")
    assert read(tmp_path) == {"a": "old", "b": "old"} and sorted(os.listdir(tmp_path)) == ["a", "b"]


@pytest.mark.parametrize("renamed", [0, 1])
@pytest.mark.parametrize("next_call", ["load", "save"])
def test_a_save_that_was_cut_off_while_renaming_is_finished_by_the_next_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, renamed: int, next_call: str
) -> None:
    save(tmp_path, "old")
    cut_off(tmp_path, monkeypatch, renamed)
    assert (tmp_path / "b").read_text() == "old"
    if next_call == "save":
        save(tmp_path, "other", ("c",))
    assert read(tmp_path) == {"a": "new", "b": "new", **({"c": "other"} if next_call == "save" else {})}
    assert not [name for name in os.listdir(tmp_path) if is_unfinished(name)]


def test_a_save_that_cannot_be_finished_is_an_error_of_the_load(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(tmp_path, "old")
    cut_off(tmp_path, monkeypatch, 1)

    def denied(source: str, path: str) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patched, pytest.raises(FolderError, match=r"load: .* got a save that was cut off"):
        patched.setattr(os, "replace", denied)
        read(tmp_path)
    assert read(tmp_path) == {"a": "new", "b": "new"}


def test_what_a_dead_process_had_not_saved_is_removed_by_the_next_save(tmp_path: Path) -> None:
    dead = tmp_path / ".save-0123456789ab.part"
    dead.mkdir()
    (dead / "0").write_text("half of a f")
    (dead / "lock").write_text("")
    with saving(tmp_path) as opened:  # alive: the other save lets it stay
        with opened("c") as file:
            file.write(b"c")
        save(tmp_path, "new")
        assert not dead.exists()
    assert read(tmp_path) == {"a": "new", "b": "new", "c": "c"}


@pytest.mark.parametrize("target", ["../outside", "/outside", "link/outside", "."])
def test_a_journal_that_leads_out_of_its_folder_is_refused(tmp_path: Path, target: str) -> None:
    folder, outside = tmp_path / "model", tmp_path / "elsewhere"
    staging = folder / ".save-0123456789ab.part"
    staging.mkdir(parents=True)
    outside.mkdir()
    (folder / "link").symlink_to(outside)
    (staging / "0").write_text("content")
    (staging / JOURNAL).write_text(json.dumps([target]))
    with pytest.raises(FolderError, match="a path inside of"):
        read(folder)
    assert not (tmp_path / "outside").exists() and not os.listdir(outside)


@pytest.mark.parametrize("journal", ["", "{", "[1]", '{"a": 1}', "[" * 10_000, "\xff"])
def test_a_damaged_journal_is_refused(tmp_path: Path, journal: str) -> None:
    staging = tmp_path / ".save-0123456789ab.part"
    staging.mkdir()
    (staging / JOURNAL).write_bytes(journal.encode("latin-1"))
    with pytest.raises(FolderError, match="journal"):
        read(tmp_path)


def _endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.skipif(os.name != "posix", reason="makes links and pipes")
@pytest.mark.parametrize("name", [JOURNAL, "1"])
@pytest.mark.parametrize("place", [os.mkfifo, os.mkdir, _endless])
def test_what_is_no_file_is_not_read_and_takes_no_place(
    tmp_path: Path, name: str, place: Callable[[Path], None]
) -> None:
    staging = tmp_path / ".save-0123456789ab.part"
    staging.mkdir()
    (staging / "0").write_text("content")
    if name != JOURNAL:
        (staging / JOURNAL).write_text(json.dumps(["a", "b"]))
    place(staging / name)
    for use in (read, lambda folder: save(folder, "new")):
        with pytest.raises(FolderError, match=f"{name} of .* got a link, a pipe or a folder, needs a"):
            use(tmp_path)
    assert os.listdir(tmp_path) == [staging.name]


def test_a_journal_of_which_one_path_is_refused_moves_no_file(tmp_path: Path) -> None:
    staging = tmp_path / ".save-0123456789ab.part"
    staging.mkdir()
    for number in range(2):
        (staging / str(number)).write_text("content")
    for bad in ("../b", "x\0y"):
        (staging / JOURNAL).write_text(json.dumps(["a", bad]))
        with pytest.raises(FolderError, match="needs a path"):
            read(tmp_path)
        assert os.listdir(tmp_path) == [staging.name]


def test_a_journal_too_large_to_be_one_is_not_read(tmp_path: Path) -> None:
    staging = tmp_path / ".save-0123456789ab.part"
    staging.mkdir()
    with open(staging / JOURNAL, "wb") as file:
        file.truncate(1 << 40)  # takes no room
    with pytest.raises(FolderError, match="got more than 64 MiB, needs a list of paths"):
        read(tmp_path)


def test_a_folder_in_the_way_of_a_file_leaves_everything(tmp_path: Path) -> None:
    save(tmp_path, "old", ("a",))
    (tmp_path / "b").mkdir()
    with pytest.raises(FolderError, match=r"save: file got .*b, which is a folder, needs the path of a file"):
        save(tmp_path, "new")
    assert (tmp_path / "a").read_text() == "old" and sorted(os.listdir(tmp_path)) == ["a", "b"]


def test_a_file_in_the_way_of_a_folder_leaves_everything(tmp_path: Path) -> None:
    save(tmp_path, "old", ("a",))
    with pytest.raises(FolderError, match=r"save: folder got .*a, which is a file or inside of one"):
        save(tmp_path, "new", ("b", "a/c"))
    with pytest.raises(FolderError, match="which is a file or inside of one"):
        save(tmp_path / "a" / "d", "new")
    assert read(tmp_path) == {"a": "old"}


@pytest.mark.parametrize("name", ["n" * 300, "a\0b", "d" * 300 + "/c"])
def test_a_name_that_no_file_can_have_leaves_everything(tmp_path: Path, name: str) -> None:
    save(tmp_path, "old")
    with pytest.raises(FolderError, match=r"save: file got .*, needs a path that the file system takes"):
        save(tmp_path, "new", ("a", name))
    assert read(tmp_path) == {"a": "old", "b": "old"} and sorted(os.listdir(tmp_path)) == ["a", "b"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system forks no processes")
def test_a_process_forked_during_a_save_keeps_no_lock(tmp_path: Path) -> None:
    """As a worker of a loader is, in another thread: it may live longer than the save, and than its parent."""
    waiting, ending = os.pipe()
    started, starting = os.pipe()
    with folder_lock(str(tmp_path)):
        child = os.fork()
        if not child:
            os.close(ending)
            os.write(starting, b"1")
            os.read(waiting, 1)  # until the parent has closed its end
            os._exit(0)
    try:
        os.read(started, 1)
        fd = os.open(tmp_path, os.O_RDONLY)
        free = try_lock(fd)
        os.close(fd)
    finally:
        os.close(ending)
        os.waitpid(child, 0)
        for each in (waiting, started, starting):
            os.close(each)
    assert free


def numbers(folder: Path) -> list[str]:
    """Return what the files of the last save say."""
    with loading(folder):
        return [(folder / name).read_text() for name in NAMES]


def kills(folder: Path, number: int, seed: int = 0) -> tuple[int, int]:
    """Kill two savers at once this number of times, at random moments; return how many loads there were, and how many were torn."""
    draw, torn, first, loads = random.Random(seed), 0, 0, 0
    save(folder, "0" * 100, tuple(NAMES))
    for _ in range(number):
        started = [
            subprocess.Popen([sys.executable, str(SAVER), str(folder), str(first + i), "2"], stdout=subprocess.PIPE)
            for i in range(2)
        ]
        try:
            for process in started:
                assert process.stdout is not None and process.stdout.readline()  # it saves
            end = time.monotonic() + draw.uniform(0, 0.05)
            while time.monotonic() < end:
                torn += len(set(numbers(folder))) != 1
                loads += 1
        finally:
            for process in started:
                process.kill()
                process.communicate()
        torn += len(set(numbers(folder))) != 1
        loads += 1
        first += 1000
    save(folder, "0" * 100, tuple(NAMES))
    assert sorted(os.listdir(folder)) == sorted({name.split("/")[0] for name in NAMES})
    return loads, torn


def test_no_load_is_torn_by_kills_and_other_savers(tmp_path: Path) -> None:
    assert kills(tmp_path, 5)[1] == 0


if __name__ == "__main__":
    import tempfile

    tried = int(sys.argv[1])
    loads, torn = kills(Path(tempfile.mkdtemp()), tried, seed=1)
    print(f"{tried} kills of two savers each, {loads} loads tried, {torn} failed")
    sys.exit(torn > 0)
