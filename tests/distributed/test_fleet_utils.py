"""Programs in files and checks of saved models, `fluid.incubate.fleet.utils.utils`; what they write was measured on 1.8.5."""

from __future__ import annotations

import logging
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import (
    ArgumentValueError,
    FileFormatError,
    GraphError,
    MissingFileError,
    MissingVariableError,
)
from paddle_lite.fluid.incubate.fleet.utils import utils

LINES = {
    "vars_persistable.log": [
        "persistable vars:",
        "{'name': 'y.w_0', 'shape': '(4, 2)', 'lod_level': 0, 'dtype': 'VarType.FP32', 'type': 'VarType.LOD_TENSOR'}",
    ],
    "ops.log": [
        "ops:",
        "{'type': 'mul', 'input_arg_names': \"['x', 'y.w_0']\", 'output_arg_names': \"['y.tmp_0']\"}",
    ],
}


@pytest.fixture
def model(tmp_path: Path) -> fluid.Program:
    """A Program whose saved model is in the folder m."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        result = fluid.layers.fc(fluid.data("x", [None, 4]), 2, name="y", bias_attr=False)
        executor = fluid.Executor()
        executor.run(startup)
        fluid.io.save_inference_model(str(tmp_path / "m"), ["x"], [result], executor, main_program=main)
    return main


def test_programs_as_bytes_and_as_text(tmp_path: Path, model: fluid.Program) -> None:
    utils.save_program(model, str(tmp_path / "p"))
    assert utils.program_type_trans(str(tmp_path), "p", False) == "p.pbtxt"
    assert utils.program_type_trans(str(tmp_path), "p.pbtxt", True) == "p.pbtxt.bin"
    assert (tmp_path / "p").read_bytes() == (tmp_path / "p.pbtxt.bin").read_bytes()
    assert (tmp_path / "p.pbtxt").read_text().startswith("blocks {\n  idx: 0\n")
    for path, is_text in (("p", True), ("p.pbtxt", False)):
        with pytest.raises(FileFormatError, match="p"):
            utils.load_program(str(tmp_path / path), is_text)
    with pytest.raises(MissingFileError, match="the path of a file"):
        utils.load_program("none")


def test_what_a_program_consists_of(tmp_path: Path, model: fluid.Program) -> None:
    utils.parse_program(model, str(tmp_path))
    for name, lines in LINES.items():
        assert (tmp_path / name).read_text().splitlines()[: len(lines)] == lines
    with pytest.raises(MissingFileError, match="a folder that exists"):
        utils.parse_program(model, str(tmp_path / "none"))


def test_pruned_programs(model: fluid.Program, caplog: pytest.LogCaptureFixture) -> None:
    other = fluid.Program()
    with fluid.program_guard(other):
        fluid.layers.create_parameter([3], "float32", name="y.w_0")
        fluid.layers.create_parameter([3], "float32", name="z")
    logging.getLogger(utils.__name__.replace("paddle_lite", "paddle")).propagate = True
    assert utils.check_pruned_program_vars(model, model)
    assert not utils.check_pruned_program_vars(model, other)
    assert [each.getMessage().split("'")[1] for each in caplog.records if each.levelname == "ERROR"] == ["y.w_0", "z"]


def test_batches_in_files(tmp_path: Path) -> None:
    """Each line is divided by itself; what is left at its end is dropped."""
    path = tmp_path / "f"
    path.write_text("1 2 3 4 5\n6 7\n8\n")
    assert [each.tolist() for each in utils.reader(2, str(path), 1)] == [[[1], [2]], [[3], [4]], [[6], [7]]]
    assert utils.reader(2, str(path), 4) == []
    path.write_text("1,2")
    for arguments in ((2, str(path), 1), (2, str(path), -1)):
        with pytest.raises(ArgumentValueError, match=r"numbers with a space|at least 1"):
            utils.reader(*arguments)


def configs(**changes: Any) -> tuple[Any, Any]:
    feeds = {
        "feeded_vars_names": ["x"],
        "feeded_vars_dims": [4],
        "feeded_vars_types": [np.float32],
        "feeded_vars_filelist": None,
        "fetch_vars_names": ["y.tmp_0"],
        **changes,
    }
    return SimpleNamespace(**feeds), SimpleNamespace(**feeds)


def test_a_run_of_a_saved_model(tmp_path: Path, model: fluid.Program) -> None:
    (tmp_path / "x").write_text("1 0 0 0 0 2 0 0\n")
    (weight,) = utils.load_var("y.w_0", [4, 2], "float32", str(tmp_path / "m" / "y.w_0"))
    feeds, fetches = configs(feeded_vars_filelist=[str(tmp_path / "x")])
    (result,) = utils.check_saved_vars_try_dump(str(tmp_path / "m"), "__model__", False, feeds, fetches)
    np.testing.assert_array_equal(result, weight[:2] * [[1], [2]])
    (result,) = utils.check_saved_vars_try_dump(str(tmp_path / "m"), "__model__", False, *configs(), batch_size=3)
    assert result.shape == (3, 2)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"feeded_vars_names": ["no"]}, MissingVariableError),
        ({"fetch_vars_names": ["no"]}, MissingVariableError),
        ({"feeded_vars_dims": [5]}, GraphError),
        ({"feeded_vars_dims": []}, ArgumentValueError),
    ],
)
def test_wrong_configs(tmp_path: Path, model: fluid.Program, changes: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error, match="try_load_model_vars"):
        utils.check_saved_vars_try_dump(str(tmp_path / "m"), "__model__", False, *configs(**changes))
    with pytest.raises(MissingFileError, match="load_program"):
        utils.check_saved_vars_try_dump(str(tmp_path / "m"), "none", False, *configs())
