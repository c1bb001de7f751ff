"""Jobs on a Ray cluster: with a stand-in for Ray, and with Ray itself where it is installed."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from paddle_lite.cli import main
from paddle_lite.core.errors import ModeError
from paddle_lite.distributed.processes import on_ray

ROOT = Path(__file__).parents[2]


class Lost(Exception):
    """What Ray raises where an actor is lost."""


class FakeRay:
    """Ray in one process: calls run when their results are asked for, in an order that the test gives.

    Arguments:
        order: the kinds and ranks of the processes in the order in which they end, for each start of the job.
        ends: what a process returns, or raises; "" for those that are not named.
    """

    exceptions = SimpleNamespace(RayError=Lost)

    def __init__(self, order: list[list[tuple[str, int]]], ends: dict[tuple[str, int, int], Any]) -> None:
        self.order, self.ends = order, ends
        self.started: list[tuple[Any, ...]] = []
        self.killed = self.made = 0
        self.needs: dict[str, Any] = {}

    def remote(self, **needs: Any) -> Any:
        self.needs = needs
        return lambda actor: SimpleNamespace(remote=self._actor)

    def _actor(self) -> Any:
        self.made += 1
        address = f"10.0.0.{self.made}:{6000 + self.made}"
        return SimpleNamespace(
            address=SimpleNamespace(remote=lambda: address), run=SimpleNamespace(remote=lambda *given: given)
        )

    def get(self, value: Any) -> Any:
        if isinstance(value, list):
            return value
        self.started.append(value)
        found = self.ends.get((value[0], value[1], value[-1]), "")
        if isinstance(found, Exception):
            raise found
        return found

    def wait(self, waiting: list[Any], num_returns: int, timeout: float) -> tuple[list[Any], list[Any]]:
        restart = waiting[0][-1]
        for name in self.order[restart]:
            for each in waiting:
                if each[:2] == name:
                    return [each], []
        return [], waiting

    def kill(self, actor: Any) -> None:
        self.killed += 1


class Hashed(dict):
    def __hash__(self) -> int:  # type: ignore[override]
        return id(self)


@pytest.fixture(autouse=True)
def hashable(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the arguments of a call stand for it, as keys of dicts."""
    made = on_ray.variables
    monkeypatch.setattr(on_ray, "variables", lambda *given: Hashed(made(*given)))
    monkeypatch.setattr(on_ray, "LINGER", 0.0)
    yield


def run(ray: Any, servers: int, workers: int, restarts: int = 0) -> int:
    words = ("--epochs", "3")
    return on_ray.run(
        ray, servers, workers, "train.py", words, restarts, {"num_cpus": 2}, logging.getLogger("ray test")
    )


def test_processes_find_who_they_are() -> None:
    ray = FakeRay([[("worker", 1), ("worker", 0), ("server", 0)]], {})
    assert run(ray, 1, 2) == 0 and ray.killed == 3 and ray.needs == {"num_cpus": 2}
    assert [each[:2] for each in ray.started] == [("worker", 1), ("worker", 0)]  # servers end after the workers
    _, _, found, script, words, restart = ray.started[0]
    assert (script, words, restart) == ("train.py", ("--epochs", "3"), 0)
    assert found == {
        "PADDLE_TRAINERS_NUM": "2", "PADDLE_PSERVERS_IP_PORT_LIST": "10.0.0.1:6001", "TRAINING_ROLE": "TRAINER",
        "PADDLE_TRAINER_ID": "1", "POD_IP": "10.0.0.3",
    }  # fmt: skip
    of_server = on_ray.variables("server", 1, ["a:1", "b:2"], ["c:3"])
    assert of_server == {
        "PADDLE_TRAINERS_NUM": "1", "PADDLE_PSERVERS_IP_PORT_LIST": "a:1,b:2", "TRAINING_ROLE": "PSERVER", "POD_IP": "b",
        "PADDLE_PORT": "2",
    }  # fmt: skip
    alone = on_ray.variables("worker", 1, [], ["a:1", "b:2"])
    assert alone == {
        "PADDLE_TRAINERS_NUM": "2", "PADDLE_TRAINER_ID": "1", "PADDLE_CURRENT_ENDPOINT": "b:2",
        "PADDLE_TRAINER_ENDPOINTS": "a:1,b:2",
    }  # fmt: skip


def test_a_failure_ends_the_others_and_the_job_starts_again(caplog: pytest.LogCaptureFixture) -> None:
    order = [[("worker", 0)], [("worker", 0), ("worker", 1)]]
    ray = FakeRay(order, {("worker", 0, 0): "ended with exit status 7 on host"})
    with caplog.at_level(logging.INFO, "ray test"):
        assert run(ray, 0, 2, restarts=1) == 0 and ray.killed == 4
    assert "worker 0 (10.0.0.1:6001) ended with exit status 7 on host; the others were ended" in caplog.text
    assert "restart 1 of 1" in caplog.text


def test_a_lost_machine_is_a_failure(caplog: pytest.LogCaptureFixture) -> None:
    ray = FakeRay([[("server", 0)]], {("server", 0, 0): Lost("gone")})
    assert run(ray, 1, 1) == 1 and ray.killed == 2
    assert "server 0 (10.0.0.1:6001) was lost: Lost" in caplog.text


def test_ray_must_be_installed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ModeError, match=r"pip install 'paddle-lite\[ray\]'"):
        on_ray.ray()
    assert main(["distributed", "ray", "train.py"]) == 2 and "paddle-lite[ray]" in capsys.readouterr().err


def test_a_place_runs_a_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in = SimpleNamespace(util=SimpleNamespace(get_node_ip_address=lambda: "127.0.0.1"))
    monkeypatch.setitem(sys.modules, "ray", stand_in)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    script, out = tmp_path / "script.py", tmp_path / "out.json"
    script.write_text(
        "import json, os, sys\nnames = ['PADDLE_TRAINER_ID', 'PADDLE_RESTART_COUNT']\n"
        "json.dump([sys.argv[1:], [os.environ[name] for name in names]], open(sys.argv[1], 'w'))\nsys.exit(int(sys.argv[2]))\n"
    )
    place = on_ray.Place()
    assert place.address().startswith("127.0.0.1:")
    assert place.run("worker", 3, {"PADDLE_TRAINER_ID": "3"}, str(script), [str(out), "0"], 2) == ""
    assert json.loads(out.read_text()) == [[str(out), "0"], ["3", "2"]]
    assert (
        on_ray.Place()
        .run("worker", 3, {"PADDLE_TRAINER_ID": "3"}, str(script), [str(out), "5"], 0)
        .startswith("ended with exit status 5 on ")
    )


def test_a_job_on_ray_itself(tmp_path: Path) -> None:
    """Two workers add their numbers over MPI; at its first start worker 1 fails."""
    pytest.importorskip("ray")
    script = tmp_path / "script.py"
    script.write_text(
        "import os, sys\nimport numpy as np\nfrom paddle_lite.distributed.collective.current import group\n"
        "job, total = group(), np.ones(1)\njob.allreduce([total])\n"
        "if job.rank and os.environ['PADDLE_RESTART_COUNT'] == '0':\n    os._exit(7)\n"
        "open(f'{sys.argv[1]}.{job.rank}', 'w').write(f'{total[0]} {sys.argv[2]}')\n"
    )
    options = ["--worker_num", "2", "--cpus", "0.1", "--restarts", "1"]
    command = [
        sys.executable,
        "-m",
        "paddle_lite",
        "distributed",
        "ray",
        *options,
        str(script),
        str(tmp_path / "o"),
        "--x",
    ]
    env = {**os.environ, "PYTHONPATH": f"{ROOT}:{os.environ.get('PYTHONPATH', '')}", "RAY_USAGE_STATS_ENABLED": "0"}
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ended with exit status 7" in done.stderr + done.stdout and "restart 1 of 1" in done.stderr + done.stdout
    assert [(tmp_path / f"o.{rank}").read_text() for rank in (0, 1)] == ["2.0 --x"] * 2
