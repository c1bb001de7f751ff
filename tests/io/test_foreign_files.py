"""A file of another kind in the place of a model's: the error names it, says what it is and what to do."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import FileFormatError

KINDS = {
    "It is empty.": b"",
    "It is a pointer of Git LFS": b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
    "It is a web page": b"<!DOCTYPE html>\n<html></html>",
    "It is compressed by gzip": b"\x1f\x8b\x08" + bytes(30),
    "It is a zip archive": b"PK\x03\x04" + bytes(60),
    "It is a tar archive": b"a name".ljust(257, b"\0") + b"ustar\x0000",
    "It is JSON": b'{"base_code":{"magic":"pir"}}',
    "It is an HDF5 file": b"\x89HDF\r\n\x1a\n" + bytes(40),
    "It is a .npy file": b"\x93NUMPY\x01\0v\0{'descr': '<f4'",
}


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a model in each form."""
    folder = tmp_path_factory.mktemp("saved")
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        y = fluid.layers.fc(fluid.data("x", [None, 4]), 3)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        fluid.io.save_inference_model(str(folder), ["x"], [y], exe)
        fluid.save(main, str(folder / "net"))
    return folder


def refused(folder: Path, file: str, content: bytes) -> str:
    """Replace a file of the model and return the error of loading it."""
    (folder / file).write_bytes(content)
    with fluid.scope_guard(fluid.Scope()), pytest.raises(FileFormatError) as error:
        if file.endswith(".pdparams"):
            fluid.load_program_state(str(folder / "net"))
        else:
            fluid.io.load_inference_model(str(folder), fluid.Executor(fluid.CPUPlace()))
    return str(error.value)


@pytest.mark.parametrize("file", ["__model__", "fc_0.w_0", "net.pdparams"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_kind_of_a_file_is_told(saved: Path, tmp_path: Path, kind: str, file: str) -> None:
    folder = Path(shutil.copytree(saved, tmp_path / "model"))
    error = refused(folder, file, KINDS[kind])
    assert str(folder / file) in error and kind in error


def test_files_of_a_model_in_each_other_s_places(saved: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(saved, tmp_path / "model"))
    pickle, tensor = (folder / "net.pdparams").read_bytes(), (folder / "fc_0.w_0").read_bytes()
    assert "It is a pickle, as .pdparams" in refused(folder, "fc_0.w_0", pickle)
    assert "It is a pickle, as .pdparams" in refused(folder, "__model__", pickle)
    assert "It holds tensors, as files of save_persistables" in refused(folder, "net.pdparams", tensor)
    assert "It holds tensors, as files of save_persistables" in refused(folder, "__model__", tensor)


def test_a_file_of_no_known_kind(saved: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(saved, tmp_path / "model"))
    assert refused(folder, "fc_0.w_0", b"a text").endswith("It is truncated, or another program's file.")
    assert refused(folder, "net.pdparams", b"\x80\x02}").endswith("written by save_dygraph or fluid.save.")
