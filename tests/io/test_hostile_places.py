"""Saves and loads where the file system is hostile: links, limits of the process, odd names, loads in the middle of saves."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import EnforceNotMet, FileFormatError, FolderError, MissingFileError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links, limits and forks of POSIX")


@pytest.fixture(autouse=True)
def imperative() -> Iterator[None]:
    with fluid.dygraph.guard():
        yield


def save(path: Any, number: float, count: int = 4) -> None:
    """Save parameters whose elements are all one number."""
    made = {f"w{i}": fluid.layers.create_parameter([64, 64], "float32") for i in range(count)}
    for parameter in made.values():
        parameter.set_value(np.full([64, 64], number, "float32"))
    fluid.save_dygraph(made, str(path))


def load(path: Any) -> set[float]:
    """Return the numbers in the parameters of a file."""
    found, _ = fluid.load_dygraph(str(path))
    return {float(number) for array in found.values() for number in np.unique(array)}


def in_a_child(run: Callable[[], None]) -> None:
    """Run a function in a forked process, which must end well."""
    pid = os.fork()
    if not pid:
        try:
            run()
            os._exit(0)
        except BaseException as error:
            print(repr(error), file=sys.stderr)
            os._exit(1)
    assert os.waitpid(pid, 0)[1] == 0


def test_a_link_in_the_place_of_a_file_is_replaced_and_what_it_leads_to_stays(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("precious")
    for name, target in (
        ("a", other),
        ("b", tmp_path / "nowhere"),
        ("c", tmp_path / "c.pdparams"),
        ("d", Path("/dev/full")),
    ):
        (tmp_path / f"{name}.pdparams").symlink_to(target)
        save(tmp_path / name, 2)
        assert load(tmp_path / name) == {2.0} and not (tmp_path / f"{name}.pdparams").is_symlink()
    assert other.read_text() == "precious"


def test_a_folder_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    save(tmp_path / "link" / "m", 1)
    assert load(tmp_path / "real" / "m") == {1.0}


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.pdparams")
    (tmp_path / "folder.pdparams").mkdir()
    for name, target in (("endless", "/dev/zero"), ("circle", tmp_path / "circle.pdparams")):
        (tmp_path / f"{name}.pdparams").symlink_to(target)
    for name in ("pipe", "folder", "endless", "circle"):
        with pytest.raises(MissingFileError, match=f"{name}.pdparams"):
            load(tmp_path / name)


@pytest.mark.parametrize("begin", [b"", b"\x80\x02", b"\x80\x02}q\x00"])
def test_a_sparse_file_takes_no_memory(tmp_path: Path, begin: bytes) -> None:
    with open(tmp_path / "m.pdparams", "wb") as file:
        file.write(begin)
        file.truncate(1 << 36)
    with pytest.raises(FileFormatError, match=r"m\.pdparams"):
        load(tmp_path / "m")


@pytest.mark.parametrize(
    "name", ["ünïcödé 名前", "a b\tc", "new\nline", "-rf", "%s%d{}", "'\"", "x" * 240, "\udcff", "..", "~"]
)
def test_any_name_is_a_name(tmp_path: Path, name: str) -> None:
    save(tmp_path / "below" / f"{name}", 3) if name != ".." else save(f"{tmp_path}/below/..", 3)
    assert load(f"{tmp_path}/below/{name}") == {3.0}


@pytest.mark.parametrize("key", ["../../evil", "a/b", "ü", "", "x" * 5000])
def test_any_key_is_a_key_and_leads_nowhere(tmp_path: Path, key: str) -> None:
    fluid.save_dygraph({key: fluid.layers.create_parameter([2], "float32")}, str(tmp_path / "m"))
    assert list(fluid.load_dygraph(str(tmp_path / "m"))[0]) == [key]
    assert [path.name for path in tmp_path.iterdir()] == ["m.pdparams"]


def test_a_limit_of_the_size_of_files_leaves_the_old_model(tmp_path: Path) -> None:
    import resource

    save(tmp_path / "m", 5)

    def run() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        with pytest.raises(OSError, match=r"m\.pdparams"):
            save(tmp_path / "m", 6)

    in_a_child(run)
    assert load(tmp_path / "m") == {5.0} and [path.name for path in tmp_path.iterdir()] == ["m.pdparams"]


def test_a_limit_of_open_files_leaves_the_old_model(tmp_path: Path) -> None:
    import resource

    save(tmp_path / "m", 5)

    def run() -> None:
        handles = 3
        while True:  # the lowest number that no file has
            try:
                os.fstat(handles)
            except OSError:
                break
            handles += 1
        resource.setrlimit(resource.RLIMIT_NOFILE, (handles, handles))
        with pytest.raises((OSError, EnforceNotMet)):
            save(tmp_path / "m", 6)

    in_a_child(run)
    assert load(tmp_path / "m") == {5.0}


def test_a_name_that_is_too_long_is_named(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match="save: file got"):
        save(tmp_path / ("x" * 300), 1)


def test_loads_in_the_middle_of_saves_are_of_one_save(tmp_path: Path) -> None:
    """Two threads save, two load."""
    save(tmp_path / "m", 0)
    found: list[set[float]] = []
    errors: list[BaseException] = []

    def repeated(work: Callable[[], Any]) -> None:
        try:
            with fluid.dygraph.guard():
                for _ in range(40):
                    work()
        except BaseException as error:
            errors.append(error)

    tasks = [lambda: save(tmp_path / "m", 1), lambda: save(tmp_path / "m", 2)]
    tasks += [lambda: found.append(load(tmp_path / "m"))] * 2
    threads = [threading.Thread(target=repeated, args=(task,)) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors and len(found) == 80 and all(len(each) == 1 for each in found)
    assert [path.name for path in tmp_path.iterdir()] == ["m.pdparams"]
