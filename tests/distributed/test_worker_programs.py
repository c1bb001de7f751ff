"""Programs of workers without servers: those of 1.8.5, and what they compute in two real workers."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ModeError
from paddle_lite.core.selected_rows import SelectedRows
from paddle_lite.distributed.collective import current
from paddle_lite.distributed.collective.single_worker import SingleWorker
from paddle_lite.static.operators import collective as operators
from tests import children

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
import worker_programs  # noqa: E402
from test_collective import VARIABLES, results, run  # noqa: E402

RECORDED = json.loads((HERE / "worker_programs.json").read_text(encoding="utf8"))


@pytest.mark.parametrize("name", worker_programs.CASES)
def test_programs_are_those_of_1_8_5(name: str) -> None:
    main, startup = json.loads(json.dumps(worker_programs.transpiled(fluid, **worker_programs.CASES[name])))
    theirs, their_startup, called = RECORDED[name]
    ids = [op for op in startup if op[0] in ("gen_nccl_id", "c_gen_nccl_id")]
    assert [(op[0], op[2]) for op in ids] == [(op[0], op[2]) for _, op in called]
    assert [startup.index(op) - number for number, op in enumerate(ids)] == [at for at, _ in called]
    assert [op for op in startup if op not in ids] == their_startup
    assert main == theirs


def test_programs_are_sound() -> None:
    for options in worker_programs.CASES.values():
        main, startup = fluid.Program(), fluid.Program()
        with fluid.program_guard(main, startup), fluid.unique_name.guard():
            worker_programs.network(fluid, clipped=False)
            config = fluid.DistributeTranspilerConfig()
            for name, value in options.items():
                setattr(config, name, value)
            t = fluid.DistributeTranspiler(config)
            every = worker_programs.ENDPOINTS
            t.transpile(0, main, trainers=",".join(every), startup_program=startup, current_endpoint=every[0])
        assert main.lint() == [] and startup.lint() == []
        assert [op.type for op in fluid.Program.parse_from_string(main.desc.serialize_to_string()).global_block().ops] == [op.type for op in main.global_block().ops]  # fmt: skip


def test_two_workers_train_as_one_process_does(tmp_path: Path) -> None:
    first, second = results(tmp_path / "r", run("programs", tmp_path / "r"))
    children.run(HERE / "workers.py", "programs", tmp_path / "one", env=VARIABLES).check_returncode()
    one = json.loads((tmp_path / "one.0").read_text())
    for way, state in first.items():
        assert state == second[way], way
        expected = one["local" if "local" in way else "all"]
        for name, values in expected.items():
            np.testing.assert_allclose(state[name], values, atol=2e-6, err_msg=f"{way} {name}")
    assert set(first) == {"nccl2", "grad_allreduce", "local_sgd", "fleet", "fleet local"}


# --- operators of one worker --------------------------------------------------------------------------------------------


class Pair(SingleWorker):
    """A group of two workers with the same values; the other one is this one, too."""

    size = 2

    def allreduce(self, arrays: Any, op: str = "sum", out: Any = None) -> None:
        for array, target in zip(arrays, out or arrays, strict=True):
            target[...] = {"sum": array * 2, "prod": array * array}.get(op, array)

    def allgather(self, array: Any) -> list[Any]:
        return [array, array]


@pytest.fixture
def pair(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(current, "group_of", lambda arrays: Pair())


def test_operators_of_a_program(pair: None) -> None:
    values = np.arange(8, dtype="float32").reshape(4, 2)
    calls = fluid.layers.collective
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        x = fluid.data("x", [4, 2], "float32")
        made = [calls._c_allreduce(x, reduce_type=way) for way in ("sum", "prod", "max", "min")]
        made += [calls._c_allgather(x, 2), calls._c_reducescatter(x, 2), calls._allreduce(x, reduce_type="prod")]
        shapes = [list(each.shape) for each in made]
        same = [
            calls._c_broadcast(x),
            calls._broadcast(x, 1),
            calls._c_sync_calc_stream(x),
            calls._c_sync_comm_stream(x, 0),
        ]
        assert all(each is x for each in same)
        types = [op.type for op in fluid.default_main_program().global_block().ops]
        found = fluid.Executor(fluid.CPUPlace()).run(feed={"x": values}, fetch_list=[*made, x])
    twice = [values * 2, values**2, values, values, np.concatenate([values, values]), values[:2] * 2, values**2, values]
    assert shapes == [[4, 2]] * 4 + [[8, 2], [2, 2], [4, 2]]
    for mine, other in zip(found, twice, strict=True):
        np.testing.assert_array_equal(mine, other)
    assert types == ["c_allreduce_sum", "c_allreduce_prod", "c_allreduce_max", "c_allreduce_min", "c_allgather", "c_reducescatter",
                     "allreduce", "c_broadcast", "broadcast", "c_sync_calc_stream", "c_sync_comm_stream"]  # fmt: skip


def test_operators_in_imperative_mode(pair: None) -> None:
    calls = fluid.layers.collective
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(np.ones([2, 2], "float32"))
        assert calls._c_allreduce(x).numpy().tolist() == [[2, 2], [2, 2]] and x.numpy().tolist() == [[1, 1], [1, 1]]
        assert calls._c_allgather(x, 2).shape == [4, 2] and calls._c_reducescatter(x, 2).shape == [1, 2]
        assert calls._allreduce(x, x) is x and x.numpy().tolist() == [[2, 2], [2, 2]]
        assert calls._c_broadcast(x) is x and calls._c_sync_comm_stream(x, 0) is x


def test_gradients_of_sums_and_of_what_is_gathered(pair: None) -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        x = fluid.data("x", [2, 2], "float32")
        x.stop_gradient = False
        loss = fluid.layers.reduce_sum(fluid.layers.collective._c_allreduce(x) * 3.0)
        loss = loss + fluid.layers.reduce_sum(fluid.layers.collective._c_allgather(x, 2) * 5.0)
        (gradient,) = fluid.gradients(loss, x)
        feed = {"x": np.ones([2, 2], "float32")}
        (found,) = fluid.Executor(fluid.CPUPlace()).run(feed=feed, fetch_list=[gradient])
    np.testing.assert_array_equal(found, np.full([2, 2], 6 + 10))


def test_rows_of_all_workers(pair: None) -> None:
    rows = SelectedRows(np.array([3, 1, 3]), np.ones([3, 2], "float32"), 5)
    joined = operators.all_reduced(rows, "sum")
    np.testing.assert_array_equal(joined.to_dense(np), 2 * rows.to_dense(np))
    with pytest.raises(ArgumentValueError, match="a sparse gradient"):
        operators.all_reduced(rows, "max")


def test_wrong_calls() -> None:
    calls, every = fluid.layers.collective, worker_programs.ENDPOINTS
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        x = fluid.data("x", [4, 2], "float32")
        with pytest.raises(ArgumentValueError, match="reduce_type got 'avg', needs one of sum, prod, max, min"):
            calls._c_allreduce(x, reduce_type="avg")
        gathered = calls._c_allgather(x, 5)
        with pytest.raises(ArgumentValueError, match="nranks' got 5, needs 1, the workers of the job"):
            fluid.Executor().run(feed={"x": np.zeros([4, 2], "float32")}, fetch_list=[gathered])
        with pytest.raises(ArgumentValueError, match="a multiple of nranks, 3"):
            calls._c_reducescatter(x, 3)
        t = fluid.transpiler.collective.GradAllReduce()
        for arguments, kind in (
            ((0, every[:1], every[0]), ArgumentValueError),
            ((4, every, every[0]), ArgumentValueError),
            ((0, every, "other:1"), ArgumentValueError),
            ((0, every, every[0]), ModeError),
        ):
            with pytest.raises(kind):
                t.transpile(None, None, *arguments)
        config = fluid.DistributeTranspilerConfig()
        for mode, trainers, kind in (("nccl2", 2, ArgumentTypeError), ("nccl2", "here", ArgumentValueError), ("collective", "a:1,b:2", ArgumentValueError)):  # fmt: skip
            config.mode = mode
            with pytest.raises(kind):
                fluid.DistributeTranspiler(config).transpile(0, trainers=trainers, current_endpoint="a:1")
        with pytest.raises(ArgumentValueError, match="trainer_id got 2"):
            fluid.ParallelExecutor(False, num_trainers=2, trainer_id=2)
