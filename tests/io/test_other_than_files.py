"""What stands in the place of a file that is read, and disks that cannot be read: the error names both."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import FileFormatError, MissingFileError
from paddle_lite.core.files.reading import absent, other_than_a_file

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes and devices of POSIX")


@pytest.fixture(autouse=True)
def program() -> Iterator[None]:
    """A Program with parameters."""
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        y = fluid.layers.fc(fluid.data("x", [None, 2]), 2, name="y")
        with fluid.scope_guard(fluid.Scope()):
            fluid.Executor().run(fluid.default_startup_program())
            fluid.default_main_program().results = [y]
            yield


def _weight() -> list[Any]:
    return fluid.default_main_program().all_parameters()[:1]


def _inference(folder: Path, **names: str) -> None:
    other = folder / "others"
    exe, y = fluid.Executor(), fluid.default_main_program().results[0]
    fluid.io.save_inference_model(str(folder), ["x"], [y], exe, params_filename="others", model_filename="model")
    other.unlink()
    fluid.io.load_inference_model(str(folder), exe, **{"model_filename": "model", "params_filename": "odd", **names})


def _in_guard(read: Callable[[str], Any]) -> Callable[[Path], None]:
    def run(folder: Path) -> None:
        with fluid.dygraph.guard():
            fluid.save_dygraph(fluid.dygraph.Linear(2, 2).state_dict(), str(folder / "whole"))
            read(str(folder))

    return run


READS: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "a combined file": ("odd", lambda folder: fluid.io.load_params(fluid.Executor(), str(folder), filename="odd")),
    "a parameter": ("y.w_0", lambda folder: fluid.io.load_vars(fluid.Executor(), str(folder), vars=_weight())),
    "a model's parameters": ("odd", _inference),
    "a Program": ("odd", lambda folder: _inference(folder, model_filename="odd")),
    "a DataFeedDesc": ("odd", lambda folder: fluid.DataFeedDesc(str(folder / "odd"))),
    "a state dict": ("odd.pdparams", _in_guard(lambda folder: fluid.load_dygraph(folder + "/odd"))),
    "optimizer state": ("whole.pdopt", _in_guard(lambda folder: fluid.load_dygraph(folder + "/whole"))),
    "a state": ("odd.pdparams", lambda folder: fluid.load_program_state(str(folder / "odd"))),
    "values of a Program": (
        "odd.pdparams",
        lambda folder: fluid.load(fluid.default_main_program(), str(folder / "odd")),
    ),
}
KINDS: dict[str, Callable[[Path], None]] = {
    "a pipe": lambda path: os.mkfifo(path),
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a folder": Path.mkdir,
    "a link to nothing": lambda path: path.symlink_to("nowhere"),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "read"), READS.values(), ids=list(READS))
def test_it_is_named_and_not_waited_for(tmp_path: Path, name: str, read: Callable[[Path], Any], kind: str) -> None:
    if (name, kind) == ("whole.pdopt", "a link to nothing"):
        return  # there is no state
    KINDS[kind](tmp_path / name)
    with pytest.raises((FileFormatError, MissingFileError), match=rf"{name}.* {kind}"):
        read(tmp_path)


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="a file of Linux whose beginning cannot be read")
@pytest.mark.parametrize(("name", "read"), READS.values(), ids=list(READS))
def test_an_error_of_the_disk_names_the_file(tmp_path: Path, name: str, read: Callable[[Path], Any]) -> None:
    (tmp_path / name).symlink_to("/proc/self/mem")
    with pytest.raises(OSError) as caught:
        read(tmp_path)
    assert str(caught.value.filename) == str(tmp_path / name)


def test_how_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert other_than_a_file(tmp_path / "file") == "" == other_than_a_file(tmp_path / "none")
    assert absent(tmp_path / "none") == "there is no such file" == absent(tmp_path / "file" / "x")
    assert absent(tmp_path) == "there is a folder, not a file"
