"""The object files of kernels: what their key depends on, and that a file that is not the right one is never run."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from paddle_lite.core.files.paths import cache_dir
from paddle_lite.kernels import kernel_cache, numba_cache, object_layout
from paddle_lite.kernels.compiler import objects
from paddle_lite.kernels.compiler.errors import Unsupported
from paddle_lite.kernels.compiler.machine import machine
from paddle_lite.kernels.compiler.source import source_of
from paddle_lite.kernels.kernel_cache import counts, makers
from paddle_lite.kernels.kernel_contents import stable
from paddle_lite.kernels.numba_jit import compile_source

ROOT = Path(__file__).parents[2]
LOOP = "def loop(x, out):\n    for i in range(x.size):\n        out[i] = {}\n"


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("PADDLE_LITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PADDLE_LITE_INSTALLED_KERNELS", "0")
    monkeypatch.delenv("PADDLE_LITE_KERNEL_CACHE", raising=False)
    monkeypatch.delenv("PADDLE_LITE_DISABLE_JIT", raising=False)


def run(expression, namespace=None):
    """What a kernel makes of 1 and 2, and whether it was compiled or loaded."""
    before, x, out = counts.copy(), np.array([1.0, 2.0]), np.empty(2)
    compile_source("loop", LOOP.format(expression), namespace or {})(x, out)
    (how,) = counts - before
    return out.tolist(), how


def files():
    return sorted(os.listdir(cache_dir("kernels")))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (np.exp, np.tanh),
        (np.float32, np.float64),
        (np.dtype("f4"), np.dtype(">f4")),
        (b"a", b"b"),
        (abs, max),
        (os, sys),
    ],
    ids=["ufunc", "class", "dtype", "bytes", "builtin", "module"],
)
def test_globals_of_each_kind_are_told_apart(one, other):
    assert stable(one) == stable(one) != stable(other)


def test_a_kernel_of_another_function_is_another_kernel():
    assert run("f(x[i])", {"f": np.sqrt})[1] == "compiled"
    assert run("f(x[i])", {"f": np.square}) == ([1.0, 4.0], "compiled")
    assert run("f(x[i])", {"f": np.square}) == ([1.0, 4.0], "loaded")


@pytest.mark.parametrize("what", sorted(objects.place()))
def test_the_key_depends_on_all_of_the_place(monkeypatch, what):
    objects._place_key.cache_clear()
    before = objects._path("loop", "kernel_0")
    changed = {**objects.place(), what: "other"}
    monkeypatch.setattr(objects, "place", lambda: changed)
    objects._place_key.cache_clear()
    try:
        assert objects._path("loop", "kernel_0") != before
    finally:
        objects._place_key.cache_clear()


def test_the_place_names_processor_compiler_and_layout(monkeypatch):
    place = objects.place()
    assert (place["triple"], place["processor"], place["features"]) == machine().target
    assert object_layout.ITEMS_AT in place["layout"] and object_layout.DATA_AT in place["layout"]
    sources = objects._sources()
    monkeypatch.setattr(objects, "_sources", lambda: [*sources[:-1], sources[-1] + b"\n"])
    assert objects.place.__wrapped__()["compiler"] != place["compiler"]


def test_checked_indices_are_another_kernel(monkeypatch):
    assert run("x[i] + 1")[1] == "compiled"
    monkeypatch.setenv("PADDLE_LITE_BOUNDS_CHECK", "1")
    assert run("x[i] + 1") == ([2.0, 3.0], "compiled")
    with pytest.raises(IndexError):
        run("x[i + 1]")


def test_a_file_of_another_kernel_is_noticed():
    run("x[i] + 1")
    (first,) = files()
    run("x[i] + 2")
    (second,) = set(files()) - {first}
    os.replace(cache_dir("kernels", second), cache_dir("kernels", first))
    assert run("x[i] + 1") == ([2.0, 3.0], "compiled")


@pytest.mark.skipif(not hasattr(os, "umask"), reason="files have no mode")
def test_files_are_written_so_that_only_their_owner_may_change_them():
    before = os.umask(0)
    try:
        run("x[i] + 1")
    finally:
        os.umask(before)
    assert os.stat(cache_dir("kernels", files()[0])).st_mode & 0o022 == 0
    assert run("x[i] + 1")[1] == "loaded"


def test_files_of_numba_are_of_another_kind(monkeypatch):
    monkeypatch.setenv("PADDLE_LITE_KERNEL_COMPILER", "numba")
    assert run("x[i] + 3") == ([4.0, 5.0], "compiled")
    (name,) = files()
    assert name.endswith(".numba")
    (group,) = kernel_cache.contents()
    assert group.maker == numba_cache.made_by() and ", numba " in group.maker
    monkeypatch.delenv("PADDLE_LITE_KERNEL_COMPILER")
    assert run("x[i] + 3") == ([4.0, 5.0], "compiled")
    assert sorted(name.partition(".")[2] for name in files()) == ["kernel", "numba"]
    assert kernel_cache.files_of(objects.made_by(), kernel_cache.OBJECT) == [
        cache_dir("kernels", name) for name in files() if name.endswith(".kernel")
    ]


def test_what_made_a_file_is_known_without_numba(monkeypatch):
    from importlib import metadata

    def absent(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", absent)
    assert numba_cache.made_by() == ""
    assert makers() == [objects.made_by()]


def test_what_made_a_file_is_known_without_llvmlite(monkeypatch):
    def absent():
        raise ImportError("No module named 'llvmlite'")

    monkeypatch.setattr(objects, "made_by", absent)
    assert makers() == [numba_cache.made_by()]


def test_the_source_of_a_file_that_was_edited_is_not_compiled(tmp_path, monkeypatch):
    file = tmp_path / "edited.py"
    file.write_text("def function(x):\n    return x + 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    import edited

    file.write_text("def function(x):\n    return x + 2\n")
    with pytest.raises(Unsupported, match="the source of function has changed since it was loaded"):
        source_of(edited.function)


def test_a_process_that_finds_its_kernels_imports_neither_numba_nor_the_front_end():
    program = textwrap.dedent(
        """
        import sys
        import numpy as np
        from paddle_lite.kernels.kernel_cache import counts
        from paddle_lite.kernels.numba_jit import compile_source
        print(compile_source("twice", "def twice(x):\\n    return 2 * x[0]\\n", {})(np.ones(1)), dict(counts))
        names = ["numba", "paddle_lite.kernels.compile_notice", "paddle_lite.kernels.compiler.module"]
        print([name.rpartition(".")[2] for name in names if name in sys.modules])
        """
    )
    lines = [
        subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True, timeout=100
        ).stdout.splitlines()
        for _ in range(2)
    ]
    assert lines[0] == ["2.0 {'compiled': 1}", "['compile_notice', 'module']"]
    assert lines[1] == ["2.0 {'loaded': 1}", "[]"]


def test_both_compilers_raise_exceptions_in_one_process(monkeypatch):
    source = "def refused(x):\n    if x[0] > {}:\n        raise ValueError('too large')\n    return x[0]\n"
    for k, compiler in enumerate(["numba", "", "numba", ""]):
        monkeypatch.setenv("PADDLE_LITE_KERNEL_COMPILER", compiler)
        with pytest.raises(ValueError, match="too large"):
            compile_source("refused", source.format(k), {})(np.full(1, 10.0))
