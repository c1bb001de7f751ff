"""Roles, and a job of one worker; what needs several processes says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ModeError, NotYetAvailable
from paddle_lite.distributed import cloud_utils, fs_wrapper, get_rank, get_world_size, utils
from paddle_lite.fluid.incubate.fleet.base import role_maker
from paddle_lite.fluid.incubate.fleet.base.role_maker import Role
from paddle_lite.fluid.incubate.fleet.collective import (
    Collective,
    CollectiveOptimizer,
    DistributedStrategy,
    TrainStatus,
)
from paddle_lite.fluid.incubate.fleet.parameter_server.distribute_transpiler import DistributedTranspiler

ONE = ["127.0.0.1:6170"]


@pytest.fixture
def job() -> Collective:
    made = Collective()
    made.init(role_maker.UserDefinedCollectiveRoleMaker(0, ONE))
    return made


def network() -> Any:
    """The loss of a network in the default Program."""
    x = fluid.data("x", [None, 4])
    hidden = fluid.layers.tanh(fluid.layers.fc(x, 3))
    return fluid.layers.mean(fluid.layers.fc(hidden, 2))


# --- roles --------------------------------------------------------------------------------------------------------------


def test_a_worker_without_servers(job: Collective) -> None:
    assert (job.worker_num(), job.worker_index(), job.server_num(), job.server_endpoints()) == (1, 0, 0, [])
    assert job.is_worker() and job.is_first_worker() and not job.is_server()
    assert job.worker_endpoints() == ONE and job.worker_endpoints(to_string=True) == ONE[0]
    output = np.zeros(2)
    job.all_reduce_worker(np.ones(2), output)
    job.barrier_worker()
    assert output.tolist() == [1.0, 1.0]


def test_roles_with_servers() -> None:
    server = role_maker.UserDefinedRoleMaker(1, Role.SERVER, 2, ["a:1", "b:2"])
    assert server.is_server() and not server.is_first_worker() and server.server_index() == 1
    assert server.to_string() == "role: 2, current_id: 1, worker_endpoints: [], server_endpoints: ['a:1', 'b:2']"
    with pytest.raises(NotYetAvailable, match="barrier_all with other processes"):
        server.barrier_all()
    with pytest.warns(UserWarning, match="barrier_worker waits for no one"):  # 1.8.5 prints a warning
        server.barrier_worker()
    output = np.zeros(2)
    with pytest.raises(NotYetAvailable, match="all_reduce_worker with other processes"):
        server.all_reduce_worker(np.ones(2), output)
    only = role_maker.UserDefinedRoleMaker(0, Role.WORKER, 1, ["a:1"])
    only.all_reduce_worker(np.ones(2), output)
    only.barrier_worker()
    assert output.tolist() == [1.0, 1.0] and only.all_gather(3) == [3]


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda: role_maker.UserDefinedCollectiveRoleMaker("0", ONE), ArgumentTypeError),
        (lambda: role_maker.UserDefinedCollectiveRoleMaker(2, ONE), ArgumentValueError),
        (lambda: role_maker.UserDefinedCollectiveRoleMaker(-1, ONE), ArgumentValueError),
        (lambda: role_maker.UserDefinedCollectiveRoleMaker(0, []), ArgumentValueError),
        (lambda: role_maker.UserDefinedCollectiveRoleMaker(0, ONE * 2), ArgumentValueError),
        (lambda: role_maker.UserDefinedCollectiveRoleMaker(0, "a"), ArgumentTypeError),
        (lambda: role_maker.UserDefinedRoleMaker("0"), ArgumentTypeError),
        (lambda: role_maker.UserDefinedRoleMaker(0, 5, 1, ["a"]), ArgumentTypeError),
        (lambda: role_maker.UserDefinedRoleMaker(0, Role.WORKER, 0, ["a"]), ArgumentValueError),
        (lambda: role_maker.UserDefinedRoleMaker(0, Role.WORKER, "1", ["a"]), ArgumentTypeError),
        (lambda: role_maker.UserDefinedRoleMaker(0, Role.WORKER, 1, []), ArgumentValueError),
        (lambda: role_maker.UserDefinedRoleMaker(3, Role.SERVER, 2, ["a"]), ArgumentValueError),
    ],
)
def test_roles_that_cannot_be(make: Any, kind: type) -> None:
    with pytest.raises(kind, match=" needs "):
        make()


def test_roles_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PADDLE_TRAINER_ID", "1")
    monkeypatch.setenv("PADDLE_TRAINER_ENDPOINTS", "a:1,b:2")
    role = role_maker.PaddleCloudRoleMaker(is_collective=True)
    role.generate_role()
    assert (role.worker_num(), role.worker_index(), role.get_trainer_endpoints()) == (2, 1, ["a:1", "b:2"])
    monkeypatch.setenv("PADDLE_TRAINER_ENDPOINTS", "")
    for name, value in (("PADDLE_TRAINER_ID", ""), ("PMI_RANK", "2"), ("PMI_SIZE", "3")):
        monkeypatch.setenv(name, value)
    of_mpi = role_maker.PaddleCloudRoleMaker(is_collective=True)
    of_mpi.generate_role()
    assert (of_mpi.worker_num(), of_mpi.worker_index(), len(of_mpi.get_trainer_endpoints())) == (3, 2, 3)
    monkeypatch.setenv("PADDLE_PSERVERS_IP_PORT_LIST", "s:1,127.0.0.1:2")
    monkeypatch.setenv("TRAINING_ROLE", "PSERVER")
    monkeypatch.setenv("PADDLE_PORT", "2")
    server = role_maker.PaddleCloudRoleMaker()
    server.generate_role()
    assert server.is_server() and server.server_index() == 1
    for name, value in [("PADDLE_PORT", "3"), ("TRAINING_ROLE", "BOTH"), ("PADDLE_TRAINER_ID", "first")]:
        monkeypatch.setenv(name, value)
        with pytest.raises(ArgumentValueError, match=r"PaddleCloudRoleMaker: .* needs "):
            server.generate_role()


@pytest.mark.parametrize(
    ("variables", "says"),
    [
        (
            {"TRAINING_ROLE": "PSERVER"},
            "PADDLE_PSERVERS_IP_PORT_LIST got nothing, needs the servers .*launch_ps sets it",
        ),
        (
            {"TRAINING_ROLE": "PSERVER", "PADDLE_PSERVERS_IP_PORT_LIST": "a:1"},
            "PADDLE_PORT got nothing, needs the port",
        ),
        ({"PADDLE_TRAINER_ID": "7", "PADDLE_TRAINERS_NUM": "2"}, "PADDLE_TRAINER_ID got 7, needs less than 2"),
    ],
)
def test_variables_of_servers_that_cannot_be(
    variables: dict[str, str], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ArgumentValueError, match=f"PaddleCloudRoleMaker: {says}"):
        role_maker.PaddleCloudRoleMaker().generate_role()


@pytest.mark.parametrize(
    ("number", "count", "says"),
    [
        ("2", "2", "PADDLE_TRAINER_ID got 2, needs less than 2"),
        ("1", "3", "PADDLE_TRAINER_ENDPOINTS got a:1,b:2, needs 3 end"),
    ],
)
def test_variables_of_workers_that_cannot_be(
    number: str, count: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("_ID", number), ("S_NUM", count), ("_ENDPOINTS", "a:1,b:2")):
        monkeypatch.setenv(f"PADDLE_TRAINER{name}", value)
    with pytest.raises(ArgumentValueError, match=f"PaddleCloudRoleMaker: {says}"):
        role_maker.PaddleCloudRoleMaker(is_collective=True).generate_role()


def test_the_files_of_a_worker() -> None:
    files = [str(n) for n in range(5)]
    shares = []
    for index in range(3):
        job = DistributedTranspiler()
        job.init(role_maker.UserDefinedRoleMaker(index, Role.WORKER, 3, ["a:1"]))
        shares.append(job.split_files(files))
    assert shares == [["0", "1"], ["2", "3"], ["4"]]
    with pytest.raises(ArgumentTypeError):
        job.split_files("0")  # type: ignore[arg-type]


# --- training -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("recompute", [False, True])
def test_a_job_of_one_worker_trains_as_the_optimizer_does(job: Collective, recompute: bool) -> None:
    results = []
    for of_job in (False, True):
        main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
        main.random_seed = startup.random_seed = 3
        with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(scope):
            loss = network()
            optimizer: Any = fluid.optimizer.Momentum(0.1, 0.9)
            if of_job:
                strategy = DistributedStrategy()
                strategy.forward_recompute = recompute
                strategy.recompute_checkpoints = [main.global_block().ops[2].output_arg_names[0]]
                optimizer = job.distributed_optimizer(optimizer, strategy)
            optimizer.minimize(loss)
            exe = fluid.Executor(fluid.CPUPlace())
            exe.run(job.startup_program if of_job else startup)
            feed = {"x": np.arange(8, dtype="float32").reshape(2, 4)}
            program = job.main_program if of_job else main
            results.append([exe.run(program, feed, [loss])[0].tolist() for _ in range(3)])
    assert results[0] == results[1]


def test_checkpoints(job: Collective, tmp_path: Path) -> None:
    path = str(tmp_path / "checkpoints")
    scope = fluid.Scope()
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(scope):
        loss = network()
        job.distributed_optimizer(fluid.optimizer.SGD(0.1)).minimize(loss)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(job.startup_program)
        assert job.load_check_point(exe, path, 0) is None
        with pytest.raises(ModeError, match="has no checkpoint"):
            job.load_check_point(exe, path, 0, ignore_empty=False)
        name = fluid.default_main_program().all_parameters()[0].name
        tensor = scope.find_var(name).get_tensor()
        before = np.array(tensor)
        job.save_check_point(exe, path, TrainStatus(3))
        job.save_check_point(exe, path, TrainStatus(4), remain_all_checkpoint=False)
        tensor.set(np.zeros_like(before), fluid.CPUPlace())
        assert job.load_check_point(exe, path, 0) == TrainStatus(4)
        assert np.array_equal(np.array(tensor), before)
        with pytest.raises(ArgumentTypeError, match="needs a TrainStatus"):
            job.save_check_point(exe, path, 4)  # type: ignore[arg-type]
        job.save_inference_model(exe, str(tmp_path / "model"), ["x"], [loss])
    checkpoint = tmp_path / "checkpoints" / "__paddle_fleet_checkpoint__.1"
    assert list((tmp_path / "checkpoints").iterdir()) == [checkpoint]
    assert (checkpoint / "fleet_train_status").read_text() == '{"epoch_no": 4}'
    assert (checkpoint / "_paddle_fleet_param__" / name).exists() and (tmp_path / "model" / "__model__").exists()


def test_a_checkpoint_continues_the_decay_of_the_learning_rate(job: Collective, tmp_path: Path) -> None:
    """PaddlePaddle 1.8.5's checkpoints lose the counter of learning rates where they are not saved whole."""
    path, rates = str(tmp_path), []
    for _ in range(2):
        with (
            fluid.program_guard(fluid.Program(), fluid.Program()),
            fluid.unique_name.guard(),
            fluid.scope_guard(fluid.Scope()),
        ):
            loss, rate = network(), fluid.layers.exponential_decay(0.1, 2, 0.5)
            strategy = DistributedStrategy()
            strategy.use_amp = False
            job.distributed_optimizer(fluid.optimizer.Momentum(rate, 0.9), strategy).minimize(loss)
            exe = fluid.Executor(fluid.CPUPlace())
            exe.run(job.startup_program)
            status = job.load_check_point(exe, path, 0) or TrainStatus(-1)
            feed = {"x": np.ones([2, 4], "float32")}
            for _ in range(3):
                rates.append(float(exe.run(job.main_program, feed, [rate])[0][0]))
            job.save_check_point(exe, path, TrainStatus(status.next()))
    np.testing.assert_allclose(rates, [0.1 * 0.5 ** (step / 2) for step in range(6)], rtol=1e-5)
    assert sorted(each.name for each in tmp_path.iterdir()) == [f"__paddle_fleet_checkpoint__.{n}" for n in range(2)]


def test_float16_in_a_job(job: Collective) -> None:
    strategy = DistributedStrategy()
    strategy.use_amp, strategy.amp_loss_scaling = True, 8
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
        loss = network()
        job.distributed_optimizer(fluid.optimizer.SGD(0.1), strategy).minimize(loss)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(job.startup_program)
        found = [exe.run(job.main_program, {"x": np.ones([2, 4], "float32")}, [loss])[0] for _ in range(3)]
    assert "cast" in [op.type for op in job._transpiled_program.global_block().ops]
    assert found[2] < found[1] < found[0]


def test_checkpoints_on_another_machine(job: Collective, tmp_path: Path) -> None:
    """A file system that has to be copied to and from."""

    class Remote(fs_wrapper.LocalFS):
        def need_upload_download(self) -> bool:
            return True

    remote, cache = str(tmp_path / "remote"), str(tmp_path / "cache")
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
        job.distributed_optimizer(fluid.optimizer.SGD(0.1)).minimize(network())
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(job.startup_program)
        job.save_check_point(exe, remote, TrainStatus(1), fs=Remote(), local_cache_path=cache)
        assert job.load_check_point(exe, remote, 0, fs=Remote(), local_cache_path=cache) == TrainStatus(1)


def test_wrong_calls(job: Collective) -> None:
    with pytest.raises(ModeError, match=r"fleet\.init\(role_maker\) first"):
        Collective().worker_num()
    with pytest.raises(ArgumentTypeError, match="needs a role maker"):
        Collective().init("worker")
    with pytest.raises(ArgumentTypeError, match="needs an optimizer"):
        job.distributed_optimizer("sgd")
    with pytest.raises(ArgumentTypeError, match="needs a DistributedStrategy"):
        CollectiveOptimizer(fluid.optimizer.SGD(0.1), "fast")
    strategy = DistributedStrategy()
    strategy.use_dist_fc = True
    with pytest.raises(NotYetAvailable, match="use_dist_fc"):
        job.distributed_optimizer(fluid.optimizer.SGD(0.1), strategy)
    with pytest.warns(UserWarning, match="one connection"):
        DistributedStrategy().nccl_comm_num = 2
    for name, value in (("mode", "pserver"), ("mode", "collective")):
        strategy = DistributedStrategy()
        setattr(strategy, name, value)
        with (
            fluid.program_guard(fluid.Program(), fluid.Program()),
            pytest.raises(ArgumentValueError, match=r"mode.* needs "),
        ):
            job.distributed_optimizer(fluid.optimizer.SGD(0.1), strategy).minimize(network())


def test_what_needs_several_processes_says_so() -> None:
    with pytest.raises(NotYetAvailable, match="is not yet available in paddle_lite"):
        fs_wrapper.BDFS()


# --- descriptions of jobs -----------------------------------------------------------------------------------------------


def test_descriptions(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster, pod = utils.get_cluster(["1.1.1.1", "1.1.1.2"], "1.1.1.2", ["a:1", "a:2", "b:1", "b:2"], [0, 1])
    assert cluster.trainers_endpoints() == ["a:1", "a:2", "b:1", "b:2"] and cluster.pods_nranks() == 2
    assert (pod.rank, pod.get_visible_gpus(), [t.rank for t in pod.trainers]) == (1, "0,1", [2, 3])
    assert cluster.get_pod_by_id("1") is pod and cluster.get_pod_by_id("7") is None
    monkeypatch.setenv("PADDLE_TRAINERS", "1.1.1.1")
    monkeypatch.setenv("POD_IP", "1.1.1.1")
    cloud, _ = cloud_utils.get_cloud_cluster(None, None, 6170, [0])
    assert cloud.trainers_endpoints() == ["1.1.1.1:6170"] and (get_rank(), get_world_size()) == (0, 1)
    for wrong in (["9.9.9.9"], ["1.1.1.1", "1.1.1.2"]):
        with pytest.raises(ArgumentValueError, match="get_cluster"):
            utils.get_cluster(wrong, "1.1.1.2", ["a:1"], [0, 1])
    with pytest.raises(ArgumentValueError, match="at least one"):
        utils.Pod().get_visible_gpus()
    assert utils.Hdfs() == utils.Hdfs() and not utils.Hdfs().is_valid()
    assert len(utils.find_free_ports(3)) == 3


def test_the_local_file_system(tmp_path: Path) -> None:
    fs, folder = fs_wrapper.LocalFS(), str(tmp_path)
    fs.mkdir(f"{folder}/a")
    (tmp_path / "f").write_text("x")
    assert fs.list_dirs(folder) == ["a"] and fs.ls_dir(folder) == ["a", "f"] and fs.list_dirs(f"{folder}/none") == []
    fs.upload(f"{folder}/f", f"{folder}/a/g")
    fs.download(f"{folder}/a", f"{folder}/b")
    fs.mv(f"{folder}/b", f"{folder}/c")
    assert fs.ls_dir(f"{folder}/c") == ["g"]
    for gone in ("c", "f", "c"):
        fs.delete(f"{folder}/{gone}")
    assert fs.ls_dir(folder) == ["a"]


@pytest.mark.parametrize(("role", "here"), [("PSERVER", "127.0.0.1:2"), ("TRAINER", None)])
def test_a_general_role_maker_says_where_it_is(role: str, here: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = {
        "TRAINING_ROLE": role, "PADDLE_PSERVERS_IP_PORT_LIST": "127.0.0.1:1,127.0.0.1:2", "PADDLE_TRAINERS_NUM": "2",
        "PADDLE_TRAINER_ID": "1", "POD_IP": "127.0.0.1", "PADDLE_PORT": "2",
    }  # fmt: skip
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    made = role_maker.GeneralRoleMaker()
    made.generate_role()
    assert made.server_num() == 2 and made.get_local_endpoint() == here


def test_without_pslib() -> None:
    from paddle_lite.fluid.incubate.fleet.parameter_server.pslib import DownpourOptimizer, PSLib, fleet, fleet_embedding

    assert isinstance(fleet, PSLib)
    with pytest.raises(ImportError, match="no servers of PSLib"):
        fleet.init()
    with pytest.raises(ImportError, match=r"collective\.fleet trains without servers"):
        fleet.distributed_optimizer(fluid.optimizer.Adam(0.1))
    with pytest.raises(ImportError, match=r"^pslib fleet\.save_one_table: there are no servers of PSLib"):
        fleet.save_one_table(0, "model")
    assert "save_one_table" in dir(fleet) and not hasattr(fleet, "nope")
    for made in (lambda: fleet_embedding("click"), lambda: DownpourOptimizer(fluid.optimizer.Adam(0.1))):
        with pytest.raises(ImportError, match="no servers of PSLib"):
            made()
    client = fluid.core.Fleet()
    assert client.set_client2client_config(1, 1, 1) is None
    assert (client.get_cache_threshold(0), client.get_clients_info(), client.save_cache(0, "p", 0)) == (0.0, [], -1)
    assert "load_model" in dir(client)
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        client.nope()
