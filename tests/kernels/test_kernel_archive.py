"""Kernels in one file: what was exported is imported where it fits, and nothing else is."""

import io
import json
import os
import shutil
import warnings
import zipfile

import numpy as np
import pytest

from paddle_lite.cli import main
from paddle_lite.core.errors import FileFormatError, MissingFileError, VersionError
from paddle_lite.core.files.paths import cache_dir
from paddle_lite.kernels import kernel_archive, kernel_cache
from paddle_lite.kernels.compiler import objects
from paddle_lite.kernels.kernel_archive import Counted, export_kernels, import_kernels
from paddle_lite.kernels.kernel_cache import counts
from paddle_lite.kernels.numba_jit import compile_source


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("PADDLE_LITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PADDLE_LITE_INSTALLED_KERNELS", "0")
    for name in ("KERNEL_CACHE", "DISABLE_JIT", "KERNEL_COMPILER"):
        monkeypatch.delenv(f"PADDLE_LITE_{name}", raising=False)


def run(number):
    """Whether the kernel of a number was compiled or loaded."""
    before = counts.copy()
    kernel = compile_source("plus", f"def plus(x, out):\n    out[0] = x + {number}\n", {})
    out = np.empty(1)
    kernel(1.0, out)
    assert out[0] == 1 + number
    (how,) = counts - before
    return how


@pytest.fixture
def archive(tmp_path):
    """The path of an archive of two kernels; the cache is empty again."""
    run(1)
    run(2)
    path = str(tmp_path / "kernels.zip")
    assert export_kernels(path)[::2] == (2, 2)
    shutil.rmtree(cache_dir("kernels"))
    return path


def members(path):
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def write(path, entries):
    with warnings.catch_warnings(), zipfile.ZipFile(path, "w") as file:
        warnings.simplefilter("ignore")  # of names that occur twice
        for name, content in entries:
            file.writestr(name, content)


def nothing_was_written():
    return not os.path.exists(cache_dir("kernels"))


def test_what_was_exported_is_found_after_the_import(archive, tmp_path):
    size = sum(len(content) for name, content in members(archive).items() if name != "manifest.json")
    assert import_kernels(archive) == Counted(2, size, 2)
    assert [run(1), run(2), run(3)] == ["loaded", "loaded", "compiled"]
    assert import_kernels(archive) == Counted(2, size, 0)
    assert export_kernels(str(tmp_path / "again.zip")).files == 3


def test_the_same_kernels_make_the_same_archive(archive, tmp_path):
    import_kernels(archive)
    again = tmp_path / "again.zip"
    export_kernels(str(again))
    with open(archive, "rb") as file:
        assert file.read() == again.read_bytes()


def test_only_undamaged_object_files_of_this_place_are_exported(archive, monkeypatch, tmp_path):
    import_kernels(archive)
    monkeypatch.setenv("PADDLE_LITE_KERNEL_COMPILER", "numba")
    run(1)
    monkeypatch.delenv("PADDLE_LITE_KERNEL_COMPILER")
    with monkeypatch.context() as patch:
        patch.setattr(objects, "made_by", lambda: "paddle_lite 0.0.1")
        run(4)
    name = sorted(members(archive))[-1]
    with open(cache_dir("kernels", name), "r+b") as file:
        file.truncate(os.path.getsize(file.name) - 1)
    assert export_kernels(str(tmp_path / "again.zip")).files == 1
    assert set(members(tmp_path / "again.zip")) < set(members(archive))


def test_without_kernels_there_is_nothing_to_export(tmp_path):
    with pytest.raises(MissingFileError, match="cache export: the cache got none, needs compiled kernels"):
        export_kernels(str(tmp_path / "kernels.zip"))
    assert not (tmp_path / "kernels.zip").exists()


@pytest.mark.parametrize("what", sorted(kernel_archive._place()))
def test_another_place_is_refused_and_both_are_named(archive, what):
    contents = members(archive)
    manifest = json.loads(contents["manifest.json"])
    here = manifest["place"][what]
    manifest["place"][what] = {"features": f"{here},+planted"}.get(what, "planted")
    write(archive, [("manifest.json", json.dumps(manifest)), *list(contents.items())[1:]])
    with pytest.raises(VersionError, match="planted") as raised:
        import_kernels(archive)
    shown = {"features": "where this machine has none", "compiler": str(here)[:12]}.get(what, str(here))
    assert shown in str(raised.value) and nothing_was_written()


def hostile(contents):
    """Archives with something that `cache export` does not write, by what is wrong."""
    manifest, *kernels = contents.items()
    name, content = kernels[0]
    bad = content[:-1] + bytes([content[-1] ^ 1])
    other = json.dumps({**json.loads(manifest[1]), "format": 2})
    yield "path", [manifest, *kernels, (f"../{name}", content)]
    yield "absolute", [manifest, *kernels, (f"/tmp/{name}", content)]
    yield "folder", [manifest, *kernels, ("folder/", b"")]
    yield "suffix", [manifest, *kernels, (name.replace(".kernel", ".numba"), content)]
    yield "twice", [manifest, *kernels, kernels[0]]
    yield "no manifest", kernels
    yield "manifest later", [*kernels, manifest]
    yield "manifest", [(manifest[0], b"[]"), *kernels]
    yield "text", [(manifest[0], b"{"), *kernels]
    yield "format", [(manifest[0], other), *kernels]
    yield "missing", [manifest, *kernels[1:]]
    yield "more", [manifest, *kernels, (name.replace("plus", "minus"), content)]
    yield "damaged", [manifest, (name, bad), *kernels[1:]]
    yield "exchanged", [manifest, (name, kernels[1][1]), (kernels[1][0], content)]
    yield "maker", [manifest, (name, content.replace(b", Python ", b", Snakes ", 1)), *kernels[1:]]


def test_a_hostile_or_damaged_archive_is_refused_whole(archive, tmp_path):
    before = sorted(os.listdir(tmp_path))
    for what, entries in hostile(members(archive)):
        write(archive, entries)
        with pytest.raises(FileFormatError, match=r"cache import: .*needs an undamaged archive"):
            import_kernels(archive)
            raise AssertionError(what)
        assert nothing_was_written(), what
    assert sorted(os.listdir(tmp_path)) == before


@pytest.mark.parametrize(
    "damage", [lambda old: old[:-30], lambda old: b"", lambda old: old[:300] + b"?" * 50 + old[350:]]
)
def test_a_truncated_file_is_refused(archive, damage):
    with open(archive, "rb") as file:
        content = file.read()
    with open(archive, "wb") as file:
        file.write(damage(content))
    with pytest.raises(FileFormatError, match="needs an undamaged archive"):
        import_kernels(archive)
    assert nothing_was_written()


def test_a_member_that_unpacks_to_too_much_is_refused(archive, monkeypatch):
    monkeypatch.setattr(kernel_archive, "LARGEST", 1000)
    with pytest.raises(FileFormatError, match="a member of"):
        import_kernels(archive)


def test_an_import_needs_a_file_and_a_cache(archive, monkeypatch):
    with pytest.raises(MissingFileError, match="needs an archive of `cache export`"):
        import_kernels("/nowhere.zip")
    monkeypatch.setenv("PADDLE_LITE_KERNEL_CACHE", "0")
    with pytest.raises(MissingFileError, match="Unset PADDLE_LITE_KERNEL_CACHE"):
        import_kernels(archive)


def test_a_damaged_file_in_the_cache_is_replaced(archive):
    import_kernels(archive)
    name = sorted(members(archive))[-1]
    with open(cache_dir("kernels", name), "wb") as file:
        file.write(b"damaged")
    assert import_kernels(archive).new == 1
    assert kernel_cache.load(cache_dir("kernels", name)) is not None


def test_the_commands_say_what_they_did(archive, capsys, monkeypatch):
    assert main(["cache", "import", archive]) == 0
    assert capsys.readouterr().out == "2 kernels imported, 2 of them new, 0.0 MB\n"
    assert main(["cache", "export", archive]) == 0
    assert capsys.readouterr().out == "2 kernels exported, 0.0 MB\n"
    assert main(["cache", "import", "/nowhere.zip"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("python -m paddle_lite cache import: FILE got /nowhere.zip") and said.count("\n") == 1
    assert main(["cache", "export", os.path.join(archive, "below")]) == 1
    said = capsys.readouterr().err
    assert said.startswith("python -m paddle_lite cache export: [Errno") and said.count("\n") == 1


def test_an_archive_is_a_zip_file_that_others_can_look_into(archive):
    with open(archive, "rb") as file:
        names = zipfile.ZipFile(io.BytesIO(file.read())).namelist()
    assert names[0] == "manifest.json" and all(name.startswith("plus-") for name in names[1:])
