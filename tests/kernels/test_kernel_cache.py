"""The kernels on disk: whose files are read, what is known of them, and how they are removed."""

import os
import stat
import time
from types import SimpleNamespace

import numpy as np
import pytest

from paddle_lite.core.files.paths import cache_dir
from paddle_lite.kernels import kernel_cache
from paddle_lite.kernels.compiler import objects
from paddle_lite.kernels.compiler.objects import made_by
from paddle_lite.kernels.kernel_cache import clear, contents, counts, makers
from paddle_lite.kernels.numba_cache import COMPILING, content_key
from paddle_lite.kernels.numba_jit import compile_source

POSIX = pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owner that is a number")


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("PADDLE_LITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PADDLE_LITE_INSTALLED_KERNELS", "0")
    monkeypatch.delenv("PADDLE_LITE_KERNEL_CACHE", raising=False)
    monkeypatch.delenv("PADDLE_LITE_DISABLE_JIT", raising=False)


def run(number=1):
    """Compile or load a kernel, call it, and say which it was."""
    before = counts.copy()
    kernel = compile_source("plus", f"def plus(x, out):\n    out[0] = x + {number}\n", {})
    out = np.empty(1)
    kernel(1.0, out)
    assert out[0] == 1 + number
    (how,) = counts - before
    return how


def kept():
    """The path of the one file."""
    (name,) = os.listdir(cache_dir("kernels"))
    return cache_dir("kernels", name)


def test_what_was_compiled_is_loaded():
    assert [run(), run(), run(2)] == ["compiled", "loaded", "compiled"]


def test_a_compiled_kernel_does_not_wait_for_the_disk(monkeypatch):
    waits = []
    monkeypatch.setattr(os, "fsync", waits.append)
    assert [run(), run()] == ["compiled", "loaded"]
    assert not waits


def test_files_in_a_directory_that_is_for_reading_only_are_used(monkeypatch):
    run()

    def refused(*args, **kwargs):
        raise PermissionError("read-only file system")

    monkeypatch.setattr(kernel_cache.os, "utime", refused)
    assert run() == "loaded"


@POSIX
@pytest.mark.parametrize(
    ("owner", "mode", "how"),
    [
        ("self", 0o644, "loaded"),
        ("root", 0o644, "loaded"),
        ("other", 0o644, "compiled"),
        ("self", 0o666, "compiled"),
        ("self", 0o664, "compiled"),
    ],
)
def test_files_that_another_user_may_have_written_are_not_read(monkeypatch, owner, mode, how):
    run()
    own = os.stat(kept()).st_uid
    os.chmod(kept(), mode)
    status = os.stat(kept())
    monkeypatch.setattr(kernel_cache.os, "getuid", lambda: own + 1 if owner == "other" else own)
    if owner != "self":  # a file of root's is what the tests have where they run as root
        other = SimpleNamespace(st_uid=0 if owner == "root" else own + 2, st_mode=status.st_mode)
        trusted = kernel_cache._trusted
        monkeypatch.setattr(kernel_cache, "_trusted", lambda status: trusted(other))
    assert run() == how


@POSIX
def test_pipes_among_the_files_are_not_waited_for():
    run()
    path = kept()
    os.remove(path)
    os.mkfifo(path)
    assert run() == "compiled"
    assert os.fspath(path) not in kernel_cache.files_of(kernel_cache.maker_of(b""), kernel_cache.OBJECT)


@POSIX
def test_the_directory_is_its_users_own():
    run()
    assert stat.S_IMODE(os.stat(cache_dir("kernels")).st_mode) == 0o700


@pytest.mark.parametrize("name", COMPILING)
def test_variables_that_change_the_machine_code_change_the_key(monkeypatch, name):
    monkeypatch.delenv(name, raising=False)
    key = content_key(["x"])
    monkeypatch.setenv(name, "1")
    assert content_key(["x"]) != key


def test_other_variables_do_not_change_the_key(monkeypatch):
    key = content_key(["x"])
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")
    assert content_key(["x"]) == key


def test_contents_say_what_made_the_files(monkeypatch):
    assert contents() == []
    run()
    (group,) = contents()
    assert (group.maker, group.files, group.bytes) == (made_by(), 1, os.path.getsize(kept()))
    assert made_by().startswith("paddle_lite ") and ", llvmlite " in made_by() and "numba" not in made_by()
    os.utime(kept(), (1000, 1000))
    monkeypatch.setattr(objects, "made_by", lambda: "paddle_lite 0.0.1")
    run(2)
    with open(cache_dir("kernels", "old.kernel"), "wb") as file:
        file.write(b"of an older form")
    os.utime(cache_dir("kernels", "old.kernel"), (500, 500))
    assert [(g.maker, g.files) for g in contents()] == [("paddle_lite 0.0.1", 1), (group.maker, 1), ("", 1)]


def test_clear_removes_all_kernels_and_nothing_else():
    run()
    size = os.path.getsize(kept())
    others = ["notes.txt", ".kernel-settings"]
    for name in others:
        with open(cache_dir("kernels", name), "w"):
            pass
    assert clear() == (1, size)
    assert clear() == (0, 0)
    assert sorted(os.listdir(cache_dir("kernels"))) == sorted(others)
    assert run() == "compiled"


def test_clear_without_a_directory_removes_nothing():
    assert clear() == (0, 0)


def test_clear_can_leave_what_this_version_made(monkeypatch):
    run()
    with monkeypatch.context() as patch:
        patch.setattr(objects, "made_by", lambda: "paddle_lite 0.0.1")
        run(2)
    assert clear(keep=makers())[0] == 1
    assert [group.maker for group in contents()] == [made_by()]
    assert [run(), run(2)] == ["loaded", "compiled"]


@pytest.mark.parametrize(("age", "left"), [(10, 1), (2 * kernel_cache.LONGEST_WRITE, 0)])
def test_clear_leaves_what_another_process_is_writing(age, left):
    os.makedirs(cache_dir("kernels"))
    path = cache_dir("kernels", ".conv-0123.kernel.0123456789ab.part")
    with open(path, "wb"):
        pass
    os.utime(path, (time.time() - age,) * 2)
    clear()
    assert len(os.listdir(cache_dir("kernels"))) == left


def test_files_that_another_process_removes_meanwhile_do_not_matter(monkeypatch):
    run()
    files = kernel_cache._files(cache_dir("kernels"))
    os.unlink(kept())
    monkeypatch.setattr(kernel_cache, "_files", lambda place: files)
    assert clear() == (0, 0)
    assert [group.maker for group in contents()] == [""]
