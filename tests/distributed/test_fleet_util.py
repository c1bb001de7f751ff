"""FleetUtil: its metrics are those of 1.8.5, whose own code for them runs under Python 2 only and was called with what is missing."""

from __future__ import annotations

import contextlib
import logging
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentValueError, MissingFileError, MissingVariableError, ModeError
from paddle_lite.fluid.incubate.fleet.base import role_maker
from paddle_lite.fluid.incubate.fleet.parameter_server.distribute_transpiler import fleet
from paddle_lite.fluid.incubate.fleet.utils import utils
from paddle_lite.fluid.incubate.fleet.utils.fleet_util import FleetUtil

SUMS = {"sqrerr": 3.0, "abserr": 4.0, "prob": 2.5, "q": 2.0, "pos": 3.0, "total": 5.0}

# What 1.8.5 gives for Poisson counts of this many buckets and examples: AUC and bucket error.
RECORDED = [
    (4096, 3, (0.8192343606125331, 0.04296468523126431)),
    (100, 50, (0.8159824177040677, 0.029945606815558412)),
    (4096, 40, (0.828512567988818, 0.03720369964338662)),
    (4096, 1, (0.8228261250628118, 0.05061872091189754)),
    (16, 1000, (0.8394192832669334, 0.062076192946665824)),
]


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> FleetUtil:
    """Of a job of one worker and a server; what it changes in the fleet is undone."""
    monkeypatch.setattr(fleet, "_roles", role_maker.UserDefinedRoleMaker(0, role_maker.Role.WORKER, 1, ["127.0.0.1:1"]))
    return FleetUtil("transpiler")


def put(scope: Any, **values: Any) -> None:
    for name, value in values.items():
        scope.var(name).get_tensor().set(np.asarray(value), fluid.CPUPlace())


def test_metrics_are_those_of_1_8(tools: FleetUtil, capsys: pytest.CaptureFixture[str]) -> None:
    rng, scope = np.random.RandomState(0), fluid.Scope()
    put(scope, **{name: np.array([value], "float32") for name, value in SUMS.items()})
    for size, most, (area, error) in RECORDED:
        counts = [rng.poisson(most * np.linspace(*ends, size)).astype("int64") for ends in ((0.01, 1), (1, 0.01))]
        put(scope, p=counts[0][None], n=counts[1][None])
        assert tools.get_global_auc(scope, "p", "n") == pytest.approx(area, rel=1e-12)
        found = tools.get_global_metrics(scope, "p", "n", *SUMS)
        assert found[:2] == pytest.approx([area, error], rel=1e-12)
    assert found[2:] == pytest.approx([0.8, 0.7745966846313364, 0.6, 0.5, 1.2, 0.4, 5])
    tools.print_global_metrics(scope, "p", "n", *SUMS, print_prefix="PRE ")
    tools.print_global_auc(scope, "p", "n", "AUC is")
    assert capsys.readouterr().out == (
        "PRE  global AUC=0.839419 BUCKET_ERROR=0.062076 MAE=0.800000 RMSE=0.774597 Actural_CTR=0.600000 "
        "Predicted_CTR=0.500000 COPC=1.200000 MEAN Q_VALUE=0.400000 Ins number=5\nAUC is global auc = 0.8394192832669334\n"
    )


def test_metrics_without_examples(tools: FleetUtil, capsys: pytest.CaptureFixture[str]) -> None:
    scope = fluid.Scope()
    put(scope, p=np.arange(8), n=np.arange(8), **{name: np.zeros(1, "float32") for name in SUMS})
    for name in "pn":
        tools.set_zero(name, scope)
    assert np.array(scope.find_var("p").get_tensor()).tolist() == [0] * 8
    found = tools.get_global_metrics(scope, "p", "n", *SUMS)
    assert np.array_equal(found, [0.5, 0, *[np.nan] * 4, 0, np.nan, 0], equal_nan=True)
    assert tools.get_global_auc(scope, "p", "absent") is None
    assert tools.get_global_metrics(scope, "p", "n", "absent") == [None] * 9
    tools.print_global_metrics(scope, "p", "n", "absent")
    assert capsys.readouterr().out.count("FleetUtil: not found in the Scope: absent") == 3
    with pytest.raises(MissingVariableError, match="a name in the Scope"):
        tools.set_zero("absent", scope)


def test_messages_of_the_first_worker(
    tools: FleetUtil,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    logging.getLogger("paddle.fluid.incubate.fleet.utils.fleet_util").propagate = True
    caplog.set_level(logging.INFO)
    for worker in (0, 1):
        monkeypatch.setattr(fleet._roles, "_current_id", worker)
        tools.rank0_print(f"printed {worker}")
        tools.rank0_info(f"told {worker}")
        tools.rank0_error(f"wrong {worker}")
    assert capsys.readouterr().out == "printed 0\n"
    assert [record.getMessage() for record in caplog.records] == ["told 0", "wrong 0"]
    monkeypatch.setattr(fleet, "_roles", None)
    with pytest.raises(ModeError, match="init\\(\\) has not been called"):
        tools.rank0_print("too early")


def test_parts_of_passes() -> None:
    def parts(*arguments: Any) -> list[list[str]]:
        return FleetUtil().get_online_pass_interval("20190720", *arguments)

    assert parts("{0..23}", 720, 1, False) == [["0000"], ["1200"]]  # as 1.8.5
    assert parts("5 6", "30", "3", True) == [["05", "05", "06"], ["06"]]
    with pytest.raises(ArgumentValueError, match="hours"):
        parts("all", 30, 1, False)
    with pytest.raises(ArgumentValueError, match="1 or more"):
        parts("0", 0, 1, False)


def test_what_needs_pslib() -> None:
    with pytest.raises(ImportError, match=r"FleetUtil\('transpiler'\) is for jobs of a DistributeTranspiler"):
        FleetUtil().rank0_print("hello")
    with pytest.raises(ImportError, match=r"^FleetUtil\.save_delta_model: there are no servers of PSLib"):
        FleetUtil("transpiler").save_delta_model("out", 20190720, 1)
    assert "load_model" in dir(FleetUtil()) and not hasattr(FleetUtil(), "nope")
    with pytest.raises(ArgumentValueError, match="'pslib' or 'transpiler'"):
        FleetUtil("collective")


def test_programs_in_files(tmp_path: Path) -> None:
    main, startup, tools = fluid.Program(), fluid.Program(), FleetUtil()
    with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        result = fluid.layers.fc(fluid.data("x", [None, 4]), 2, name="y")
        executor = fluid.Executor()
        executor.run(startup)
        fluid.io.save_inference_model(str(tmp_path / "m"), ["x"], [result], executor, main_program=main)
    utils.save_program(main, str(tmp_path / "main"))
    assert tools.program_type_trans(str(tmp_path), "main", False) == "main.pbtxt"
    tools.parse_program_proto(str(tmp_path / "main"), False, str(tmp_path))
    assert (tmp_path / "ops.log").read_text().splitlines()[1].startswith("{'type': 'mul'")
    with contextlib.suppress(MissingFileError):  # of Graphviz
        tools.draw_from_program_file(str(tmp_path / "main"), False, str(tmp_path), "drawn")
    assert "mul" in (tmp_path / "drawn.dot").read_text()
    config = SimpleNamespace(
        train_prog_path=str(tmp_path / "main"), is_text_train_program=False, draw=False,
        pruned_prog_path=str(tmp_path / "m/__model__"), is_text_pruned_program=False,
    )  # fmt: skip
    assert tools.check_two_programs(config)
    feeds = SimpleNamespace(
        feeded_vars_names=["x"], feeded_vars_dims=[4], feeded_vars_types=[np.float32], feeded_vars_filelist=None
    )
    dumped = SimpleNamespace(
        dump_model_dir=str(tmp_path / "m"), dump_program_filename="__model__", is_text_dump_program=False, batch_size=3,
        feed_config=feeds, fetch_config=SimpleNamespace(fetch_vars_names=[result.name]), save_params_filename=None,
    )  # fmt: skip
    found = tools.check_vars_and_dump(dumped)
    assert [each.shape for each in found] == [(3, 2)]
