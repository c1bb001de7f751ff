"""save_vars and load_vars with what is made of them: files, bytes, and errors after which nothing has changed."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    DtypeError,
    FileFormatError,
    MissingFileError,
    MissingVariableError,
    ShapeError,
)
from paddle_lite.core.selected_rows import SelectedRows
from paddle_lite.static.proto import streams

from .trained import ALL, Net, state, value


def test_what_each_call_writes(net: Net, tmp_path: Path) -> None:
    io, main = fluid.io, net.main
    assert io.save_params(net.exe, str(tmp_path / "params"), main) is None
    io.save_persistables(net.exe, tmp_path / "all", main)
    io.save_vars(net.exe, str(tmp_path / "some"), main, vars=[main.global_block().var("w")])
    io.save_vars(net.exe, str(tmp_path / "named"), main, predicate=lambda v: v.name.endswith("velocity_0"))
    io.save_persistables(net.exe, str(tmp_path), fluid.CompiledProgram(main), filename="one")
    assert sorted(os.listdir(tmp_path / "params")) == ["b", "w"]
    assert sorted(os.listdir(tmp_path / "all")) == ALL
    assert os.listdir(tmp_path / "some") == ["w"]
    assert sorted(os.listdir(tmp_path / "named")) == ["b_velocity_0", "w_velocity_0"]
    assert list(streams.load_combined(tmp_path / "one", ALL)) == ALL
    with pytest.warns(UserWarning, match="no variable in your model, please ensure there are any"):
        io.save_vars(net.exe, str(tmp_path / "none"), main, vars=[])
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("filename", [None, "one"])
def test_training_goes_on_where_it_stood(net: Net, tmp_path: Path, filename: str | None) -> None:
    fluid.io.save_persistables(net.exe, str(tmp_path), net.main, filename=filename)
    follow = [net.step() for _ in range(3)]
    with fluid.scope_guard(fluid.Scope()):
        fluid.io.load_persistables(net.exe, str(tmp_path), net.main, filename=filename)
        assert [net.step() for _ in range(3)] == follow


def test_bytes_in_the_place_of_files(net: Net) -> None:
    content, before = fluid.io.save_persistables(net.exe, None, net.main), state()
    assert isinstance(content, bytes)
    net.step()
    assert state() != before
    fluid.io.load_persistables(net.exe, None, net.main, filename=content)
    assert state() == before
    with pytest.raises(FileFormatError, match="load_persistables: filename"):
        fluid.io.load_persistables(net.exe, None, net.main, filename=content[:-1])
    for wrong in ({"filename": "one"}, {}):
        with pytest.raises(ArgumentTypeError):
            fluid.io.load_params(net.exe, None, net.main, **wrong)
    with pytest.raises(ArgumentTypeError, match="None with a filename"):
        fluid.io.save_params(net.exe, None, net.main, filename="one")


def test_tensors_that_are_held_take_the_new_values(net: Net, tmp_path: Path) -> None:
    held = fluid.global_scope().find_var("w").get_tensor()
    fluid.io.save_params(net.exe, str(tmp_path), net.main)
    held.set(np.zeros((4, 1), "float32"), fluid.CPUPlace())
    fluid.io.load_params(net.exe, str(tmp_path), net.main)
    assert np.array(held).any() and fluid.global_scope().find_var("w").get_tensor() is held


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-3])


WRONG = {
    "cut": (cut, FileFormatError, "w: byte"),
    "more": (lambda p: p.write_bytes(p.read_bytes() * 2), FileFormatError, "more than one tensor"),
    "foreign": (lambda p: p.write_bytes(b"\x89PNG\r\n\x1a\n and so on"), FileFormatError, "89 50 4e 47"),
    "empty": (lambda p: p.write_bytes(b""), FileFormatError, "0 bytes to the end"),
    "missing": (lambda p: p.unlink(), MissingFileError, r"needs files of w\."),
    "shape": (lambda p: streams.save_tensor(p, np.zeros((1, 4), "float32")), ShapeError, r"w got shape \[1, 4\]"),
    "dtype": (lambda p: streams.save_tensor(p, np.zeros((4, 1))), DtypeError, "w got dtype float64, needs float32"),
}


@pytest.mark.parametrize("name", WRONG)
def test_after_an_error_nothing_has_changed(net: Net, tmp_path: Path, name: str) -> None:
    spoil, error, text = WRONG[name]
    fluid.io.save_persistables(net.exe, str(tmp_path), net.main)
    net.step()
    before = state()
    spoil(tmp_path / "w")
    with pytest.raises(error, match=text):
        fluid.io.load_persistables(net.exe, str(tmp_path), net.main)
    assert state() == before


@pytest.mark.parametrize("spoil", [cut, lambda p: p.write_bytes(p.read_bytes() + b"0")], ids=["cut", "more"])
def test_so_too_of_a_combined_file(net: Net, tmp_path: Path, spoil) -> None:
    fluid.io.save_persistables(net.exe, str(tmp_path), net.main, "one")
    net.step()
    before = state()
    spoil(tmp_path / "one")
    with pytest.raises(FileFormatError, match="one: "):
        fluid.io.load_persistables(net.exe, str(tmp_path), net.main, "one")
    with pytest.raises(MissingFileError, match="two: there is no such file"):
        fluid.io.load_persistables(net.exe, str(tmp_path), net.main, "two")
    assert state() == before


def test_a_folder_that_is_not_there_or_holds_one_file(net: Net, tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match="nowhere, needs a folder that exists"):
        fluid.io.load_params(net.exe, str(tmp_path / "nowhere"), net.main)
    fluid.io.save_params(net.exe, str(tmp_path), net.main, "one")
    with pytest.raises(MissingFileError, match=r"with one, needs files of w, b\. If one of those holds all"):
        fluid.io.load_params(net.exe, str(tmp_path), net.main)


def test_nothing_is_written_where_a_value_is_missing(net: Net, tmp_path: Path) -> None:
    fluid.io.save_params(net.exe, str(tmp_path), net.main)
    old = (tmp_path / "w").read_bytes()
    net.step()
    fluid.global_scope().erase(["b"])
    with pytest.raises(MissingVariableError, match=r"no value for b, .* Run the startup program first"):
        fluid.io.save_params(net.exe, str(tmp_path), net.main)
    assert (tmp_path / "w").read_bytes() == old and sorted(os.listdir(tmp_path)) == ["b", "w"]


def test_a_write_that_fails_leaves_the_old_files(net: Net, tmp_path: Path, monkeypatch) -> None:
    fluid.io.save_params(net.exe, str(tmp_path), net.main)
    old = (tmp_path / "w").read_bytes()
    net.step()
    whole = streams.write_tensor

    def full(file, value, lod):
        if value.shape == (1,):
            raise OSError("disk full")
        whole(file, value, lod)

    monkeypatch.setattr(streams, "write_tensor", full)
    with pytest.raises(OSError, match="disk full"):
        fluid.io.save_params(net.exe, str(tmp_path), net.main)
    assert (tmp_path / "w").read_bytes() == old and sorted(os.listdir(tmp_path)) == ["b", "w"]


def test_names_with_folders_and_names_that_lead_out(net: Net, tmp_path: Path) -> None:
    block, scope = net.main.global_block(), fluid.global_scope()
    for name in ("deep/er", "../out", "/out"):
        block.create_var(name=name, shape=[2], dtype="float32", persistable=True)
        scope.var(name).get_tensor().set(np.ones(2, "float32"), fluid.CPUPlace())
    inside = [block.var("deep/er")]
    fluid.io.save_vars(net.exe, str(tmp_path), net.main, inside)
    assert (tmp_path / "deep" / "er").is_file()
    fluid.io.load_vars(net.exe, str(tmp_path), net.main, inside)
    for name in ("../out", "/out"):
        for call in (fluid.io.save_vars, fluid.io.load_vars):
            with pytest.raises(ArgumentValueError, match="stays inside of the folder"):
                call(net.exe, str(tmp_path), net.main, [block.var(name)])


def test_lod_and_selected_rows(net: Net, tmp_path: Path) -> None:
    block, scope = net.main.global_block(), fluid.global_scope()
    ragged = block.create_var(name="ragged", shape=[-1, 1], dtype="float32", lod_level=1, persistable=True)
    kind = fluid.core.VarDesc.VarType.SELECTED_ROWS
    rows = block.create_var(name="rows", type=kind, shape=[9, 2], dtype="float32", persistable=True)
    tensor = scope.var("ragged").get_tensor()
    tensor.set(np.ones((3, 1), "float32"), fluid.CPUPlace())
    tensor.set_lod([[0, 1, 3]])
    held = scope.var("rows").get_selected_rows()
    held.set_rows([4, 0])
    held.set_height(9)
    held.get_tensor().set(np.ones((2, 2), "float32"), fluid.CPUPlace())
    fluid.io.save_vars(net.exe, str(tmp_path), net.main, [ragged, rows])
    with fluid.scope_guard(fluid.Scope()):
        fluid.io.load_vars(net.exe, str(tmp_path), net.main, [ragged, rows])
        assert fluid.global_scope().find_var("ragged").get_tensor().lod() == [[0, 1, 3]]
        found = fluid.global_scope().find_value("rows")
        assert isinstance(found, SelectedRows) and (list(found.rows), found.height) == ([4, 0], 9)
        fluid.io.save_vars(net.exe, str(tmp_path / "again"), net.main, [rows])
    assert (tmp_path / "again" / "rows").read_bytes() == (tmp_path / "rows").read_bytes()
    with pytest.raises(ArgumentTypeError, match="rows got SelectedRows, needs a tensor"):
        fluid.io.save_vars(net.exe, str(tmp_path), net.main, [rows], filename="one")


def test_wrong_arguments(net: Net, tmp_path: Path) -> None:
    for call in (fluid.io.save_params, fluid.io.load_params):
        with pytest.raises(ArgumentTypeError, match="executor got NoneType None, needs"):
            call(None, str(tmp_path), net.main)
        with pytest.raises(ArgumentTypeError, match="main_program"):
            call(net.exe, str(tmp_path), "main")
    with pytest.raises(ArgumentTypeError, match="vars got str 'w', needs Variables"):
        fluid.io.save_vars(net.exe, str(tmp_path), net.main, ["w"])


def test_which_variables_are_what(net: Net) -> None:
    var = net.main.global_block().var
    kinds = {
        name: (fluid.io.is_persistable(var(name)), fluid.io.is_parameter(var(name)), fluid.io.is_belong_to_optimizer(var(name)))
        for name in ("x", "w", "w_velocity_0")
    }  # fmt: skip
    assert kinds == {"x": (False,) * 3, "w": (True, True, False), "w_velocity_0": (True, False, True)}
    assert sorted(v.name for v in fluid.io.get_program_persistable_vars(net.main)) == ALL
    assert sorted(v.name for v in fluid.io.get_program_parameter(net.main)) == ["b", "w"]
    assert fluid.io.get_parameter_value_by_name("w", net.exe, net.main).tolist() == value("w").tolist()
    with pytest.raises(ArgumentTypeError, match="needs a Parameter"):
        fluid.io.get_parameter_value(var("x"), net.exe)
    with pytest.raises(ArgumentTypeError, match="program got"):
        fluid.io.get_program_parameter("main")
