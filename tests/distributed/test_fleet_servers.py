"""fleet with parameter servers: strategies, Programs of workers and servers, and a whole job in one process."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, MissingFileError, ModeError
from paddle_lite.distributed.peers import ParameterServers
from paddle_lite.fluid.incubate.fleet.base.role_maker import PaddleCloudRoleMaker, Role, UserDefinedRoleMaker
from paddle_lite.fluid.incubate.fleet.parameter_server.distribute_transpiler import (
    DistributedTranspiler,
    StrategyFactory,
    SyncStrategy,
)
from paddle_lite.static.operators import peers as of_process

ONE = ["127.0.0.1:6170"]
STRATEGIES = {
    "sync": StrategyFactory.create_sync_strategy,
    "half_async": StrategyFactory.create_half_async_strategy,
    "async": StrategyFactory.create_async_strategy,
    "geo": lambda: StrategyFactory.create_geo_strategy(3),
}


def network() -> tuple[Any, Any]:
    """Return the prediction and the loss of a network in the default Program."""
    x, y = fluid.data("x", [None, 4], "float32"), fluid.data("y", [None, 1], "float32")
    ids = fluid.data("ids", [None, 1], "int64")
    attr = fluid.ParamAttr(name="table", initializer=fluid.initializer.Constant(0.1))
    hidden = x + fluid.layers.embedding(ids, [6, 4], is_sparse=True, param_attr=attr)
    ones = fluid.ParamAttr(name="w", initializer=fluid.initializer.Constant(0.5))
    predicted = fluid.layers.fc(hidden, 1, param_attr=ones, bias_attr=False)
    return predicted, fluid.layers.mean(fluid.layers.square_error_cost(predicted, y))


@pytest.fixture(autouse=True)
def programs() -> Iterator[None]:
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
        yield


def server_of(strategy: Any, endpoints: list[str] = ONE) -> DistributedTranspiler:
    fleet = DistributedTranspiler()
    fleet.init(UserDefinedRoleMaker(0, Role.SERVER, 2, endpoints))
    _, loss = network()
    fleet.distributed_optimizer(fluid.optimizer.SGD(0.1), strategy).minimize(loss)
    return fleet


# --- strategies -----------------------------------------------------------------------------------------------------------


def test_settings_of_the_strategies_are_those_of_1_8_5(monkeypatch: pytest.MonkeyPatch) -> None:
    flags = {name: make().get_trainer_runtime_config().get_communicator_flags() for name, make in STRATEGIES.items()}
    stepwise = {"max_merge_var_num": "1", "send_wait_times": "5", "thread_pool_size": "5", "send_queue_size": "1"}
    for name in ("sync", "half_async"):
        assert flags[name] == {f"communicator_{k}": v for k, v in stepwise.items()}
    assert flags["geo"] == {"communicator_thread_pool_size": "5", "communicator_send_wait_times": "5"}
    more = {"independent_recv_thread": "1", "min_send_grad_num_before_recv": "1", "is_sgd_optimizer": "1"}
    rpc = {"rpc_deadline": "180000", "rpc_retry_times": "3"}
    assert flags["async"] == {f"communicator_{k}": v for k, v in (stepwise | more).items()} | rpc
    monkeypatch.setenv("CPU_NUM", "3")
    monkeypatch.setenv("FLAGS_communicator_send_queue_size", "11")
    found = STRATEGIES["async"]().get_trainer_runtime_config().get_communicator_flags()
    assert (found["communicator_max_merge_var_num"], found["communicator_send_queue_size"]) == ("3", "11")
    with pytest.warns(UserWarning, match="communicator_send_queue_size = 11 is replaced by CPU_NUM = 3"):
        found = STRATEGIES["sync"]().get_trainer_runtime_config().get_communicator_flags()
    assert found["communicator_send_queue_size"] == "3"
    shown = repr(StrategyFactory.create_geo_strategy().get_trainer_runtime_config()).splitlines()
    assert shown[2] == "        TrainerRuntimeConfig Overview        Value" and len(shown[1]) == 50
    assert shown[4] == "communicator_thread_pool_size                5    "


def test_settings_that_are_given() -> None:
    strategy = StrategyFactory.create_half_async_strategy()
    strategy.set_program_config({"min_block_size": 10000, "slice_var_up": False, "sync_mode": True})
    made = strategy.get_program_config()
    assert (made.min_block_size, made.slice_var_up, made.sync_mode, made.half_async) == (10000, False, False, True)
    own = fluid.DistributeTranspilerConfig()
    strategy.set_program_config(own)
    assert strategy.get_program_config() is own and own.runtime_split_send_recv
    for setting in ("program_config", "trainer_runtime_config", "server_runtime_config", "execute_strategy", "build_strategy"):  # fmt: skip
        change = getattr(strategy, f"set_{setting}")
        with pytest.raises(ArgumentTypeError, match=f"{setting} only accept input type: dict or"):
            change(3)
        with pytest.raises(ArgumentValueError, match="doesn't have key: nope"):
            change({"nope": 1})
    strategy.set_trainer_runtime_config({"communicator_thread_pool_size": 7})
    assert strategy.get_trainer_runtime_config().get_communicator_flags()["communicator_thread_pool_size"] == "7"
    with pytest.raises(ArgumentValueError, match="update_frequency got int 0, needs a number of steps"):
        StrategyFactory.create_geo_strategy(0)


@pytest.mark.parametrize(
    ("given", "mode", "first"),
    [
        ({}, 0, "w@GRAD.trainer_1"), ({"sync_mode": False}, 1, "w@GRAD"), ({"sync_mode": False, "half_async": True}, 1, "w@GRAD"),
        ({"sync_mode": False, "runtime_split_send_recv": True}, 1, "w@GRAD"), ({"sync_mode": False, "geo_sgd_mode": True}, 3, None),
        (None, 0, "w@GRAD.trainer_1"),
    ],
)  # fmt: skip
def test_a_config_stands_for_the_strategy_that_1_8_5_takes(given: Any, mode: int, first: str | None) -> None:
    config = None
    if given is not None:
        config = fluid.DistributeTranspilerConfig()
        for name, value in given.items():
            setattr(config, name, value)
    [op] = server_of(config).main_program.global_block().ops
    assert (op.type, op.attr("distributed_mode")) == ("listen_and_serv", mode)
    assert (op.input("X")[-1] if op.input("X") else None) == first


def test_wrong_calls_are_named() -> None:
    fleet = DistributedTranspiler()
    with pytest.raises(ModeError, match=r"stop_worker: init\(\) has not been called"):
        fleet.stop_worker()
    fleet.init(UserDefinedRoleMaker(0, Role.SERVER, 2, ONE))
    _, loss = network()
    with pytest.raises(ArgumentTypeError, match=r"strategy must be an instance of DistributeTranspilerConfig"):
        fleet.distributed_optimizer(fluid.optimizer.SGD(0.1), 3)
    for call in (fleet.run_server, fleet.init_server, fleet.init_worker):
        with pytest.raises(ModeError, match=r"need invoke DistributedOptimizer.minimize first"):
            call()
    optimizer = fleet.distributed_optimizer(fluid.optimizer.SGD(0.1), SyncStrategy())
    with pytest.raises(ArgumentTypeError, match="can not accept loss with list"):
        optimizer.minimize([loss])
    optimizer.minimize(loss)
    with pytest.raises(ModeError, match="this process is a server"):
        fleet.init_worker()
    with pytest.raises(MissingFileError, match="model_dir got '/nowhere'"):
        fleet.init_server("/nowhere")
    exe = fluid.Executor(fluid.CPUPlace())
    with pytest.raises(
        ArgumentTypeError, match=r"fleet.save_persistables\(\) function, executor must be as Executor type"
    ):
        fleet.save_persistables(3, "folder")
    alone = DistributedTranspiler()
    alone.init(PaddleCloudRoleMaker())
    with pytest.raises(
        ArgumentValueError, match=r"server endpoints got none, needs the servers of the job .*launch_ps"
    ):
        alone.distributed_optimizer(fluid.optimizer.SGD(0.1), SyncStrategy()).minimize(network()[1])
    compiled = fluid.CompiledProgram(fluid.default_main_program())
    with pytest.raises(ArgumentTypeError, match="CompiledProgram is not allowed"):
        fleet.save_inference_model(exe, "folder", ["x"], [loss], compiled)


# --- a job ----------------------------------------------------------------------------------------------------------------


class Server(threading.Thread):
    """A server in a thread, with a Scope and Peers of its own."""

    def __init__(self, fleet: DistributedTranspiler, model: str | None = None) -> None:
        super().__init__(daemon=True)
        self.fleet, self.scope = fleet, fluid.Scope()
        with fluid.scope_guard(self.scope):
            fleet.init_server(model)
        self.start()

    def run(self) -> None:
        ParameterServers().serve(self.fleet.main_program, self.scope, self.fleet._executor)


def job(strategy: Any, folder: Path, monkeypatch: pytest.MonkeyPatch, model: str | None = None) -> list[float]:
    """Train in one worker with one server; save; return the losses."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        endpoints = [f"127.0.0.1:{free.getsockname()[1]}"]
    monkeypatch.setattr(of_process._Current, "peers", ParameterServers())
    random, losses = np.random.RandomState(0), []
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        served = DistributedTranspiler()
        served.init(UserDefinedRoleMaker(0, Role.SERVER, 1, endpoints))
        served.distributed_optimizer(fluid.optimizer.SGD(0.1), strategy).minimize(network()[1])
        server = Server(served, model)
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):  # fmt: skip
        fleet, exe = DistributedTranspiler(), fluid.Executor(fluid.CPUPlace())
        fleet.init(UserDefinedRoleMaker(0, Role.WORKER, 1, endpoints))
        predicted, loss = network()
        fleet.distributed_optimizer(fluid.optimizer.SGD(0.1), strategy).minimize(loss)
        fleet.init_worker()
        with pytest.raises(ModeError, match="init_worker: it has been called"):
            fleet.init_worker()
        exe.run(fleet.startup_program)
        for _ in range(30):
            x, ids = random.standard_normal((8, 4)).astype("float32"), random.randint(0, 6, (8, 1))
            feed = {"x": x, "y": x.sum(1, keepdims=True) + (ids == 2), "ids": ids}
            losses.append(exe.run(fleet.main_program, feed=feed, fetch_list=[loss])[0].item())
        fleet._communicator.stop()  # all gradients have arrived
        fleet.save_persistables(exe, str(folder / "all"))
        fleet.save_inference_model(exe, str(folder / "model"), ["x", "ids"], [predicted])
        fleet.stop_worker()
    server.join(20)
    assert not server.is_alive()
    saved, kept = stored(folder / "all" / "table"), server.scope.values["table"].array
    # GEO adds differences of rows of about 0.3 in float32, so a number near zero may be 1e-8 off
    np.testing.assert_allclose(saved, kept, rtol=1e-5, atol=1e-7)
    return losses


def stored(path: Path) -> np.ndarray:
    from paddle_lite.static.proto import streams

    return streams.load_tensor(str(path)).array


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_job_trains_saves_and_goes_on(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("grpc")
    losses = job(STRATEGIES[name](), tmp_path, monkeypatch)
    assert np.mean(losses[-5:]) < 0.2 * np.mean(losses[:3])
    assert set(os.listdir(tmp_path / "all")) >= {"w", "table"}
    assert set(os.listdir(tmp_path / "model")) == {"__model__", "w", "table"}
    with fluid.scope_guard(fluid.Scope()):
        exe = fluid.Executor(fluid.CPUPlace())
        program, feeds, fetches = fluid.io.load_inference_model(str(tmp_path / "model"), exe)
        assert [op.type for op in program.global_block().ops if "lookup" in op.type] == ["lookup_table"]
        x, ids = np.ones((2, 4), "float32"), np.array([[2], [3]])
        [found] = exe.run(program, feed=dict(zip(feeds, (x, ids), strict=True)), fetch_list=fetches)
    expected = (x + stored(tmp_path / "all" / "table")[ids[:, 0]]) @ stored(tmp_path / "all" / "w")
    np.testing.assert_allclose(found, expected, rtol=1e-4)
    more = job(STRATEGIES[name](), tmp_path / "second", monkeypatch, str(tmp_path / "all"))
    assert np.mean(more[:3]) < 0.3 * np.mean(losses[:3])


# --- tables in files ------------------------------------------------------------------------------------------------------


def test_tables_of_servers_are_loaded_for_inference_and_for_training(tmp_path: Path) -> None:
    utils = fluid.contrib.utils.lookup_table_utils
    t, exe, folder = fluid.DistributeTranspiler(), fluid.Executor(fluid.CPUPlace()), str(tmp_path)
    with fluid.unique_name.guard():
        x, ids = fluid.data("x", [None, 1], "float32"), fluid.data("ids", [None, 1], "int64")
        rows = fluid.embedding(ids, [4096, 8], is_sparse=True, is_distributed=True, param_attr="table")
        predicted = fluid.layers.fc(fluid.layers.concat([x, fluid.layers.reshape(rows, [-1, 8])], 1), 1, param_attr="w")
        fluid.optimizer.SGD(0.1).minimize(fluid.layers.mean(predicted))
    exe.run(fluid.default_startup_program())
    fluid.io.save_persistables(exe, folder)
    held = {name: fluid.global_scope().values[name].array.copy() for name in ("table", "w")}
    os.rename(tmp_path / "table", tmp_path / "moved")
    t.transpile(0, pservers="127.0.0.1:6170,127.0.0.1:6171", trainers=2)
    served, first = t.get_pserver_programs("127.0.0.1:6171")
    with fluid.scope_guard(fluid.Scope()):
        exe.run(first)
        utils.load_persistables_for_increment(folder, exe, served, "table", str(tmp_path / "moved"))
        [part] = served._server_parts["table"]
        block = fluid.global_scope().values[part.name].array
        np.testing.assert_array_equal(block, held["table"][part.begin : part.begin + 2048])
        with pytest.raises(MissingFileError, match="lookup_table_var_path got"):
            utils.load_persistables_for_increment(folder, exe, served, "table", "")
    os.rename(tmp_path / "moved", tmp_path / "table")
    trainer = t.get_trainer_program(wait_port=False)
    assert any(op.type == "distributed_lookup_table" for op in trainer.global_block().ops)
    program = utils.get_inference_model(utils.convert_dist_to_sparse_program(trainer), ["x", "ids"], [predicted])
    assert not {"send", "recv", "distributed_lookup_table"} & {op.type for op in program.global_block().ops}
    with fluid.scope_guard(fluid.Scope()):
        assert utils.load_persistables_for_inference(folder, exe, program, "table") is program
        feed = {"x": np.ones((2, 1), "float32"), "ids": np.array([[5], [4000]])}
        name = [op.input("X")[0] for op in program.global_block().ops if op.type == "fetch"]
        [found] = exe.run(program, feed=feed, fetch_list=name)
    expected = np.concatenate([feed["x"], held["table"][[5, 4000]]], 1) @ held["w"]
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-6)
    with pytest.raises(ArgumentValueError, match="lookup_table_var_name got 'other'"):
        utils.load_persistables_for_inference(folder, exe, program, "other")


MPIEXEC = Path(sys.executable).parent / "mpiexec"


@pytest.mark.judge
@pytest.mark.skipif(not MPIEXEC.exists(), reason="needs mpiexec")
def test_processes_of_mpiexec_are_servers_and_workers_in_turn(tmp_path: Path) -> None:
    script, out = Path(__file__).parent / "mpi_fleet.py", tmp_path / "found"
    command = [str(MPIEXEC), "-n", "4", sys.executable, str(script), str(out)]
    done = subprocess.run(command, cwd=script.parents[2], capture_output=True, text=True, timeout=90)
    assert done.returncode == 0, done.stderr + done.stdout
    for index in range(2):
        found = json.loads((tmp_path / f"found.{index}").read_text())
        assert found[:5] == [index, 2, 2, [2.0, 1.0], [0, 1]] and found[5] < 0.5
