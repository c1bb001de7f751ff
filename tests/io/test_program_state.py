"""fluid.save, fluid.load and states as dicts: files, old forms of files, and errors after which nothing has changed."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import numpy as np
import pytest

import paddle_lite
import paddle_lite.fluid as fluid
from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    DtypeError,
    FileFormatError,
    MissingFileError,
    MissingKeyError,
    MissingVariableError,
    ShapeError,
)

from .trained import ALL, Net, state, value


def test_three_files_from_which_training_goes_on(net: Net, tmp_path: Path) -> None:
    path = str(tmp_path / "deep" / "model")
    fluid.save(net.main, path)
    assert sorted(os.listdir(tmp_path / "deep")) == ["model.pdmodel", "model.pdopt", "model.pdparams"]
    parts = []
    for suffix in (".pdparams", ".pdopt"):
        content = Path(path + suffix).read_bytes()
        assert content[:2] == b"\x80\x02"  # protocol 2
        parts.append(sorted(pickle.loads(content)))
    assert parts == [["b", "w"], ["b_velocity_0", "learning_rate_0", "w_velocity_0"]]
    assert Path(path + ".pdmodel").read_bytes() == net.main.desc.serialize_to_string()
    follow = [net.step() for _ in range(3)]
    for given in (path, path + ".pdparams", path + ".pdmodel"):
        with fluid.scope_guard(fluid.Scope()):
            fluid.load(net.main, given, net.exe)
            assert [net.step() for _ in range(3)] == follow


def test_what_save_vars_wrote_is_loaded(net: Net, tmp_path: Path) -> None:
    fluid.io.save_persistables(net.exe, str(tmp_path / "all"), net.main)
    fluid.io.save_params(net.exe, str(tmp_path / "params"), net.main)
    fluid.io.save_persistables(net.exe, str(tmp_path), net.main, "one")
    before = state()
    variables = [net.main.global_block().var(name) for name in ALL]
    for path, names, given in (("all", ALL, None), ("params", ["b", "w"], None), ("one", ALL, variables),
                               ("all", ["w"], variables[3:4])):  # fmt: skip
        with fluid.scope_guard(fluid.Scope()):
            fluid.load(net.main, str(tmp_path / path), net.exe, given)
            assert sorted(fluid.global_scope().local_var_names()) == names
            assert all(value(name).tolist() == before[name] for name in names)
        found = fluid.load_program_state(str(tmp_path / path), given)
        assert sorted(found) == names
    for call in (lambda path: fluid.load(net.main, path), fluid.load_program_state):
        with pytest.raises(ArgumentValueError, match="var_list got None for a combined file"):
            call(str(tmp_path / "one"))
        with pytest.raises(MissingFileError, match=r"path got .*nowhere without files, needs"):
            call(str(tmp_path / "nowhere"))


def test_a_folder_without_some_files_sets_the_others(net: Net, tmp_path: Path) -> None:
    """As 1.8.5 does: programs load the folder of a pretrained network into one with another last layer."""
    fluid.io.save_params(net.exe, str(tmp_path), net.main)
    kept = value("b") + 1
    os.remove(tmp_path / "b")
    before = value("w")
    for given in (None, net.main.all_parameters()):
        for name, array in (("w", before + 1), ("b", kept)):
            fluid.global_scope().find_var(name).get_tensor().set(array, fluid.CPUPlace())
        with pytest.warns(UserWarning, match="not set, for .* has no such file: b$"):
            fluid.load(net.main, str(tmp_path), net.exe, given)
        assert value("w").tolist() == before.tolist()
        assert value("b").tolist() == kept.tolist()


def rewritten(suffix: str, change):
    def spoil(path: str) -> None:
        content = pickle.loads(Path(path + suffix).read_bytes())
        change(content)
        Path(path + suffix).write_bytes(pickle.dumps(content, 2))

    return spoil


SPOILED = {
    "lacking": (
        rewritten(".pdparams", lambda d: d.pop("b")),
        MissingKeyError,
        "pdparams got no b, needs every variable",
    ),
    "no state": (lambda path: os.remove(path + ".pdopt"), MissingFileError, "pdopt: there is no such file"),
    "state": (rewritten(".pdopt", lambda d: d.pop("w_velocity_0")), MissingKeyError, "pdopt got no w_velocity_0"),
    "shape": (
        rewritten(".pdopt", lambda d: d.update(w_velocity_0=np.zeros(4, "float32"))),
        RuntimeError,
        "w_velocity_0",
    ),
    "dtype": (rewritten(".pdparams", lambda d: d.update(b=np.zeros(1))), RuntimeError, "variable b got dtype float64"),
    "cut": (lambda path: Path(path + ".pdopt").write_bytes(b"\x80\x02}"), FileFormatError, "pdopt: "),
    "list": (lambda path: Path(path + ".pdparams").write_bytes(pickle.dumps([1], 2)), FileFormatError, "got a list"),
    "code": (lambda path: Path(path + ".pdparams").write_bytes(pickle.dumps(os.getcwd, 2)), FileFormatError, "getcwd"),
}


@pytest.mark.parametrize("name", SPOILED)
def test_after_an_error_nothing_has_changed(net: Net, tmp_path: Path, name: str) -> None:
    spoil, error, text = SPOILED[name]
    path = str(tmp_path / "model")
    fluid.save(net.main, path)
    net.step()
    before = state()
    spoil(path)
    with pytest.raises(error, match=text):
        fluid.load(net.main, path, net.exe)
    assert state() == before


def test_a_state_is_set(net: Net, tmp_path: Path) -> None:
    path = str(tmp_path / "model")
    fluid.save(net.main, path)
    before, found = state(), fluid.load_program_state(path)
    assert {name: array.tolist() for name, array in found.items()} == before
    net.step()
    del found["b"]
    changed = value("b").tolist()
    fluid.set_program_state(net.main, found)
    assert state() == {**before, "b": changed}
    found["w"][:] = 7
    assert value("w").tolist() == before["w"]
    with pytest.warns(UserWarning, match="no such variable: other"):
        fluid.set_program_state(net.main, {"other": np.zeros(1, "float32"), "w": np.ones((4, 1), "float32")})
    assert value("w").tolist() == [[1]] * 4
    for wrong, error in (
        ({"w": np.zeros((1, 4), "float32")}, ShapeError),
        ({"w": np.zeros((4, 1))}, DtypeError),
        ({"w": [1]}, ArgumentTypeError),
        ([1], ArgumentTypeError),
    ):
        with pytest.raises(error, match="set_program_state"):
            fluid.set_program_state(net.main, wrong)
    assert value("w").tolist() == [[1]] * 4


def test_a_folder_with_other_files(net: Net, tmp_path: Path) -> None:
    fluid.io.save_inference_model(str(tmp_path), ["x"], [net.out], net.exe, net.main)
    with pytest.raises(FileFormatError, match=r"__model__.* Pass the variables to read as var_list"):
        fluid.load_program_state(str(tmp_path))
    found = fluid.load_program_state(str(tmp_path), fluid.io.get_program_parameter(net.main))
    assert sorted(found) == ["b", "w"]


def test_arguments_of_saving(net: Net, tmp_path: Path) -> None:
    with pytest.raises(ArgumentValueError, match="folder/name"):
        fluid.save(net.main, str(tmp_path) + "/")
    with pytest.raises(ArgumentTypeError, match="main_program"):
        fluid.save("main", str(tmp_path / "m"))
    fluid.global_scope().erase(["w_velocity_0"])
    with pytest.raises(MissingVariableError, match="w_velocity_0"):
        fluid.save(net.main, str(tmp_path / "m"))
    assert os.listdir(tmp_path) == []


def test_the_names_of_2_0_alpha() -> None:
    assert paddle_lite.save is fluid.save is paddle_lite.io.save is paddle_lite.tensor.save
    assert paddle_lite.load is fluid.load is fluid.io.load is paddle_lite.tensor.io.load
    names = "save_vars save_params save_persistables load_vars load_params load_persistables save_inference_model "
    names += "load_inference_model load_program_state set_program_state get_program_persistable_vars"
    for name in names.split():
        assert getattr(paddle_lite.io, name) is getattr(fluid.io, name)
