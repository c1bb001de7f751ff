"""Launchers: what processes are told, and how they end: together, whatever happens to one of them or to the launcher."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from paddle_lite.core.errors import ArgumentValueError
from paddle_lite.distributed import launch, launch_ps, utils
from paddle_lite.distributed.environment import place
from paddle_lite.distributed.processes import job
from paddle_lite.distributed.processes.group import ProcessGroup, Task

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(50)"
PARENT = f"import subprocess, sys; c = subprocess.Popen([sys.executable, '-c', {STUBBORN!r}]); print(c.pid, flush=True); c.wait()"


def alive(pid: int) -> bool:
    """Whether a process runs; one that only nobody has asked for its status does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def until(condition: Any, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def code(text: str) -> list[str]:
    return [sys.executable, "-c", text]


# --- groups -------------------------------------------------------------------------------------------------------------


def test_stop_ends_processes_that_do_not_want_to_and_those_that_they_started(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "0"
    with ProcessGroup(grace=0.2) as group:
        member = group.start(Task("worker", 0, log=log), code(PARENT), dict(os.environ))
        until(lambda: "up" in log.read_text())
        child = int(log.read_text().split()[0])
        assert alive(child) and alive(member.process.pid)
    assert not alive(member.process.pid)
    until(lambda: not alive(child))


def test_how_a_process_has_ended(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("of an earlier start\n")
    with ProcessGroup() as group:
        task = Task("worker", 1, "a:1", {"MINE": "7"}, log)
        group.start(task, code("import os; print(os.environ['MINE']); raise SystemExit(3)"), os.environ, append=True)
        (member,) = group.wait(20)
        assert (str(member.task), member.how()) == ("worker 1 (a:1)", "ended with exit status 3")
        assert member.last_lines() == f"Its log {log} ends with:\n    7"
        group.start(Task("worker", 2), code("import os; os.kill(os.getpid(), 9)"), os.environ)
        (member,) = group.wait(20)
        assert member.how() == "was killed by SIGKILL" and "--log_dir" in member.last_lines()
        assert group.running == []


def test_no_process_is_left_when_the_launcher_is_killed(tmp_path: Path) -> None:
    log = tmp_path / "log"
    source = f"""
import os
from pathlib import Path
from paddle_lite.distributed.processes.group import ProcessGroup, Task
group = ProcessGroup(grace=0.2)
group.start(Task("worker", 0, log=Path({str(log)!r})), {code(PARENT)!r}, dict(os.environ)).process.wait()
"""
    launcher = subprocess.Popen(code(source))
    until(lambda: log.exists() and "up" in log.read_text())
    child = int(log.read_text().split()[0])
    assert alive(child)
    launcher.kill()
    launcher.wait()
    until(lambda: not alive(child))


# --- the command --------------------------------------------------------------------------------------------------------

WORKER = """
import os, sys, time
import paddle.distributed
env = os.environ.get
print(env("PADDLE_TRAINER_ID"), env("PADDLE_TRAINERS_NUM"), env("FLAGS_selected_gpus"), env("PADDLE_RESTART_COUNT"), sys.argv[1:])
assert env("PADDLE_TRAINER_ENDPOINTS").split(",")[int(env("PADDLE_TRAINER_ID"))] == env("PADDLE_CURRENT_ENDPOINT")
if env("PADDLE_RESTART_COUNT") == "0":
    if env("PADDLE_TRAINER_ID") == "1":
        raise RuntimeError("bad luck")
    time.sleep(50)
"""


def test_a_failed_worker_ends_the_others_and_the_job_is_started_again(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(WORKER)
    words = [
        "run",
        "-m",
        "paddle.distributed.launch",
        "--selected_gpus=0,1",
        "--log_dir",
        "logs",
        "--restarts",
        "1",
        "train.py",
        "--rate",
        "2",
    ]
    done = subprocess.run([sys.executable, "-m", "paddle_lite", *words], cwd=tmp_path, env=dict(os.environ, PYTHONPATH=os.getcwd()), capture_output=True, text=True, timeout=60)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "the worker process with rank=[1] was aborted" in done.stderr
    assert "workerlog.1 ends with:" in done.stderr and "RuntimeError: bad luck" in done.stderr
    assert "restart 1 of 1" in done.stderr and "selected_gpus: 0,1" in done.stdout
    texts = [(tmp_path / "logs" / f"workerlog.{rank}").read_text() for rank in range(2)]
    assert texts[0].splitlines()[-1] == "0 2 0 1 ['--rate', '2']" and "1 2 1 0 ['--rate', '2']" in texts[1]
    assert sorted(path.name for path in (tmp_path / "logs").iterdir()) == ["workerlog.0", "workerlog.1"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_the_launcher_ends_all(number: int, capfd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    logger = utils.get_logger(20, f"test.{number}")
    source = f"import os; os.kill({os.getpid()}, {int(number)}); import time; time.sleep(50)"
    assert job.run(lambda: [Task("worker", 0)], code(source), 3, logger) == 128 + number
    assert "with all processes of the job" in capfd.readouterr().err


def test_servers_end_after_the_workers(capfd: Any) -> None:
    tasks = [Task("server", 0, variables={"WAIT": "50"}), Task("worker", 0, variables={"WAIT": "0"})]
    command = code("import os, time; time.sleep(float(os.environ['WAIT']))")
    assert job.run(lambda: tasks, command, 0, utils.get_logger(20, "test.servers"), linger=0.1) == 0
    assert "all workers exit, going to finish parameter server" in capfd.readouterr().err


def test_trainers_that_a_program_starts_itself(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "train.py").write_text(
        "import os, sys; sys.exit(int(sys.argv[1]) * int(os.environ['PADDLE_TRAINER_ID']))"
    )
    cluster, pod = utils.get_cluster(["127.0.0.1"], "127.0.0.1", [7001, 7002], [0, 1])
    for status in ("0", "4"):
        procs = utils.start_local_trainers(cluster, pod, str(tmp_path / "train.py"), [status], str(tmp_path))
        assert [(proc.rank, proc.local_rank) for proc in procs] == [(0, 0), (1, 1)]
        try:
            if status == "0":
                until(lambda procs=procs: not utils.watch_local_trainers(procs, 2))
            else:
                with pytest.raises(SystemExit):
                    until(lambda procs=procs: not utils.watch_local_trainers(procs, 2))
        finally:
            utils.terminate_local_procs(procs)
    assert "worker 1 (127.0.0.1:7002) ended with exit status 4" in capsys.readouterr().err


# --- what processes are told --------------------------------------------------------------------------------------------


def test_the_workers_of_two_machines() -> None:
    args = launch._parse_args(
        ["--cluster_node_ips", "a,b", "--node_ip", "b", "--selected_gpus", "0,1", "train.py", "--x", "1"]
    )
    cluster, pod = launch.get_cluster_from_args(args, launch.get_gpus(args.selected_gpus))
    assert cluster.trainers_endpoints() == ["a:6070", "a:6071", "b:6070", "b:6071"]
    assert [trainer.rank for trainer in pod.trainers] == [2, 3] and args.training_script_args == ["--x", "1"]


def test_the_workers_of_one_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "4,5,6")
    assert launch.get_gpus(None) == [0, 1, 2] and launch.get_gpus("5,6") == [1, 2]
    assert launch.get_gpus(None, 2) == [0, 1]
    with pytest.raises(ArgumentValueError, match="CUDA_VISIBLE_DEVICES"):
        launch.get_gpus("1")
    args = launch._parse_args(["--started_port", "7000", "--gpus", "3", "train.py"])
    cluster, _ = launch.get_cluster_from_args(args, launch.get_gpus(args.selected_gpus, args.gpus))
    assert cluster.trainers_endpoints() == [f"127.0.0.1:{port}" for port in (7000, 7001, 7002)]


def test_the_servers_and_workers_of_a_machine() -> None:
    args = launch_ps.parse_args(["--cluster_node_ips", "a,b", "--node_ip", "b", "--server_num", "1", "train.py"])
    server, *workers = launch_ps.processes(args)
    common = {"PADDLE_PSERVERS_IP_PORT_LIST": "a:6170,b:6170", "PADDLE_TRAINERS_NUM": "4", "POD_IP": "b"}
    assert server.variables == {**common, "TRAINING_ROLE": "PSERVER", "PADDLE_PORT": "6170"}
    assert workers[1].variables == {**common, "TRAINING_ROLE": "TRAINER", "PADDLE_TRAINER_ID": "3"}
    assert [str(task.log)[-12:] for task in (server, *workers)] == ["/serverlog.0", "/workerlog.0", "/workerlog.1"]
    given = launch_ps.parse_args(["--endpoints", "127.0.0.1:1,127.0.0.1:2", "--worker_num", "1", "train.py"])
    assert [str(task) for task in launch_ps.processes(given)] == ["server 0 (127.0.0.1:1)", "server 1 (127.0.0.1:2)", "worker 0"]  # fmt: skip
    with pytest.raises(ArgumentValueError, match="--node_ip"):
        launch_ps.processes(launch_ps.parse_args(["--node_ip", "c", "train.py"]))


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, (0, 1, "", False)),
        ({"PADDLE_TRAINER_ID": "1", "PADDLE_TRAINER_ENDPOINTS": "a:1,b:2"}, (1, 2, "b:2", False)),
        ({"PADDLE_TRAINER_ID": "1", "PADDLE_TRAINERS_NUM": "3"}, (1, 3, "", False)),
        ({"PMI_RANK": "2", "PMI_SIZE": "4"}, (2, 4, "", True)),
        ({"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2"}, (0, 2, "", True)),
        ({"SLURM_PROCID": "5", "SLURM_STEP_NUM_TASKS": "8"}, (5, 8, "", True)),
        ({"SLURM_PROCID": "0", "SLURM_NTASKS": "8"}, (0, 1, "", False)),  # the script of a batch, not a task of srun
        ({"PMI_RANK": "1", "PMI_SIZE": "2", "PADDLE_TRAINER_ENDPOINTS": "a:1,b:2", "PADDLE_TRAINER_ID": "1"}, (1, 2, "b:2", True)),
    ],
)  # fmt: skip
def test_the_place_of_a_process(variables: dict[str, str], expected: tuple) -> None:
    found = place(variables=variables)
    assert (found.rank, found.size, found.endpoint, found.under_mpi) == expected
