"""Kernels that were compiled when the package was installed: found where the cache has none, only if they fit, and never written at run time."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import sys
import types
from pathlib import Path

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.cli import installing, layers, main
from paddle_lite.core.files.paths import cache_dir
from paddle_lite.kernels import installed_kernels, kernel_cache
from paddle_lite.kernels.kernel_archive import export_kernels
from paddle_lite.kernels.kernel_cache import counts
from paddle_lite.kernels.numba_jit import compile_source

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and an empty folder of installed kernels, which is returned."""
    folder = tmp_path / "package" / "installed"
    folder.mkdir(parents=True)
    monkeypatch.setattr(installed_kernels, "FOLDER", str(folder))
    monkeypatch.setenv("PADDLE_LITE_CACHE_DIR", str(tmp_path / "cache"))
    for name in ("KERNEL_CACHE", "INSTALLED_KERNELS", "DISABLE_JIT", "KERNEL_COMPILER"):
        monkeypatch.delenv(f"PADDLE_LITE_{name}", raising=False)
    return folder


def run(number: int) -> str:
    """Whether the kernel of a number was compiled or loaded."""
    before, out = counts.copy(), np.empty(1)
    compile_source("plus", f"def plus(x, out):\n    out[0] = x + {number}\n", {})(1.0, out)
    assert out[0] == 1 + number
    (how,) = counts - before
    return how


@pytest.fixture
def kernel(own_folders: Path) -> Path:
    """The installed file of the kernel of 1; the cache is empty."""
    run(1)
    place = Path(str(cache_dir("kernels")))
    for path in place.iterdir():
        shutil.copy(path, own_folders)
    shutil.rmtree(place)
    [found] = own_folders.glob("plus-*.kernel")
    return found


def test_an_installed_kernel_is_loaded_and_nothing_is_written(kernel: Path) -> None:
    os.utime(kernel, (1_600_000_000, 1_600_000_000))
    assert run(1) == "loaded"
    assert kernel.stat().st_mtime == 1_600_000_000
    assert not os.path.exists(str(cache_dir("kernels")))
    assert run(2) == "compiled"
    assert len(os.listdir(kernel.parent)) <= 2  # with what unpacks the arguments of all kernels


def test_the_cache_comes_first(kernel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(installed_kernels.VARIABLE, "0")
    assert run(1) == "compiled"
    monkeypatch.delenv(installed_kernels.VARIABLE)
    kernel.unlink()
    assert run(1) == "loaded"


def test_without_a_cache_directory_installed_kernels_are_found(kernel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_cache, "cache_dir", lambda *parts: None)
    assert run(1) == "loaded"


@pytest.mark.parametrize("variable", ["PADDLE_LITE_INSTALLED_KERNELS", "PADDLE_LITE_KERNEL_CACHE"])
def test_they_are_ignored_on_request(kernel: Path, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.setenv(variable, "0")
    assert run(1) == "compiled"
    assert installed_kernels.ignored() == variable


@pytest.mark.parametrize("content", [b"", b"x" * 3000, None], ids=["empty", "foreign", "truncated"])
def test_a_damaged_file_is_not_loaded(kernel: Path, content: bytes | None) -> None:
    kernel.write_bytes(kernel.read_bytes()[:-1] if content is None else content)
    assert run(1) == "compiled"


def test_a_file_under_the_name_of_another_is_not_loaded(kernel: Path, own_folders: Path) -> None:
    run(2)
    [other] = Path(str(cache_dir("kernels"))).glob("plus-*.kernel")
    kernel.rename(own_folders / other.name)
    other.unlink()
    assert run(2) == "compiled"


def test_a_folder_in_the_place_of_a_file_is_not_loaded(kernel: Path) -> None:
    kernel.unlink()
    kernel.mkdir()
    assert run(1) == "compiled"


def test_an_archive_has_installed_kernels_too(kernel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(2)
    assert export_kernels(str(tmp_path / "all.zip")).files == 2 + len(list(kernel.parent.glob("paddle_lite_unpack*")))
    monkeypatch.setenv(installed_kernels.VARIABLE, "0")
    assert export_kernels(str(tmp_path / "own.zip")).files < 3


def test_info_says_which_kernels_are_installed(
    kernel: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def said() -> str:
        assert main(["cache", "info"]) == 0
        return next(line for line in capsys.readouterr().out.splitlines() if line.startswith("installed"))

    assert re.fullmatch(r"installed  \d kernels?, 0.0 MB; used where the directory has none", said())
    monkeypatch.setenv(installed_kernels.VARIABLE, "0")
    assert said().endswith("; not used: PADDLE_LITE_INSTALLED_KERNELS=0")
    monkeypatch.delenv(installed_kernels.VARIABLE)
    maker = "paddle_lite 0.0.1, for another processor"
    for path in kernel.parent.iterdir():
        path.write_bytes(kernel_cache.MAGIC + maker.encode() + b"\n")
    assert said().endswith(f"; not used, made by {maker}")
    shutil.rmtree(kernel.parent)
    assert said() == "installed  no kernels: they are compiled at their first use"


# --- making them ----------------------------------------------------------------------------------------------------------


def test_an_installation_replaces_what_was_made_of_another_source(
    own_folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installing, "train", lambda: run(1))
    for name in ("PADDLE_LITE_CACHE_DIR", installed_kernels.VARIABLE):
        monkeypatch.setenv(name, "1")  # `install` sets them
    (own_folders / "old-0.kernel").write_bytes(b"")
    said = installing.install()
    made = os.listdir(own_folders)
    assert {name.partition("-")[0] for name in made} - {"paddle_lite_unpack"} == {"plus", installing.MADE_OF}
    assert re.fullmatch(rf"{len(made) - 1} kernels compiled in \d+\.\d s", said)
    assert os.listdir(own_folders.parent) == ["installed"]  # nothing is left of what they were made in
    assert installing.install() == f"{len(made) - 1} kernels are up to date"
    (own_folders / installing.MADE_OF).write_text("another source")
    assert " compiled in " in installing.install()
    assert "another source" != (own_folders / installing.MADE_OF).read_text()


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """The module of the build, where hatchling need not be installed."""
    interface = types.ModuleType("hatchling.builders.hooks.plugin.interface")
    interface.BuildHookInterface = object  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, interface.__name__, interface)
    for k in range(1, 5):
        parent = interface.__name__.rsplit(".", k)[0]
        monkeypatch.setitem(sys.modules, parent, types.ModuleType(parent))
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def package(root: Path, source: str) -> str:
    """A package whose module that compiles kernels has this source."""
    folder = root / "paddle_lite" / "cli"
    folder.mkdir(parents=True)
    for each in (folder, folder.parent):
        (each / "__init__.py").touch()
    (folder / "installing.py").write_text(source)
    return str(root)


def test_a_build_compiles_with_settings_of_its_own(
    hook: types.ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "4")
    monkeypatch.setenv("FLAGS_matmul_blocks", "0")
    monkeypatch.setenv("PADDLE_LITE_BOUNDS_CHECK", "1")
    monkeypatch.setenv("PADDLE_LITE_PROCESSOR", "x86-64-v3")
    source = f"import os\nopen({str(tmp_path / 'seen')!r}, 'w').write('\\n'.join(f'{{k}}={{v}}' for k, v in os.environ.items()))\n"
    assert hook.compile_kernels(package(tmp_path / "root", source)) == ""
    seen = (tmp_path / "seen").read_text().splitlines()
    assert {"OMP_NUM_THREADS=1", "PADDLE_LITE_PROCESSOR=x86-64-v3"} <= set(seen)
    assert not [line for line in seen if line.startswith(("FLAGS_", "PADDLE_LITE_BOUNDS", "PADDLE_LITE_CACHE"))]


def test_a_build_goes_on_where_nothing_can_be_compiled(hook: types.ModuleType, tmp_path: Path) -> None:
    said: list[str] = []
    build = hook.CustomBuildHook()
    build.root = package(tmp_path, "import a_compiler_that_is_missing\n")
    build.app = types.SimpleNamespace(display_warning=said.append)
    build.initialize("standard", {})
    assert said == [
        "paddle_lite: no kernels were compiled for the installation: "
        "ModuleNotFoundError: No module named 'a_compiler_that_is_missing'"
    ]


def test_the_first_step_of_a_table_that_is_looked_up_twice_compiles_nothing() -> None:
    [row] = [row for row in layers.rows() if row.name == "words of two columns"]
    installing.train_layer(row)
    ids = np.arange(6).reshape(6, 1)
    program, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(program, startup), fluid.unique_name.guard():
        found = [
            fluid.embedding(fluid.data(n, [None, 1], "int64"), [40, 24], param_attr="table") for n in ("user", "item")
        ]
        loss = fluid.layers.mean(fluid.layers.concat(found, 1))
        fluid.optimizer.SGD(0.1).minimize(loss)
    executor = fluid.Executor()
    with fluid.scope_guard(fluid.Scope()):
        executor.run(startup)
        before = counts["compiled"]
        executor.run(program, feed={"user": ids, "item": ids}, fetch_list=[loss])
    assert counts["compiled"] == before
