"""Collectives: real workers over MPI, what happens when one is lost, and the parts of it without processes."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from paddle_lite.core.errors import ArgumentValueError, ModeError, PeerError
from paddle_lite.distributed.collective import current, mpi, rendezvous
from paddle_lite.distributed.collective.bucket import pieces
from paddle_lite.distributed.collective.meeting import Meeting
from paddle_lite.distributed.collective.single_worker import SingleWorker
from paddle_lite.distributed.environment import Place
from tests import children

SCRIPT = Path(__file__).parent / "workers.py"
VARIABLES = {**os.environ, "PYTHONPATH": str(SCRIPT.parents[2])}
MPIEXEC = Path(sys.executable).parent / "mpiexec"


def free_endpoints(count: int) -> list[str]:
    held = [socket.socket() for _ in range(count)]
    for each in held:
        each.bind(("127.0.0.1", 0))
    found = [f"127.0.0.1:{each.getsockname()[1]}" for each in held]
    for each in held:
        each.close()
    return found


def run(scenario: str, out: Path, count: int = 2, **more: str) -> list[tuple[int, str]]:
    """Start workers; return the exit status and the output of each."""
    endpoints = free_endpoints(count)
    common = {**VARIABLES, "PADDLE_TRAINERS_NUM": str(count), "PADDLE_TRAINER_ENDPOINTS": ",".join(endpoints), **more}
    processes = [
        children.start(SCRIPT, scenario, out, env={**common, "PADDLE_TRAINER_ID": str(rank)}, joined=True)
        for rank in range(count)
    ]
    try:
        return [(process.wait(60), process.text) for process in processes]
    finally:
        for process in processes:
            process.kill()


def results(out: Path, done: list[tuple[int, str]]) -> list[Any]:
    assert [status for status, _ in done] == [0] * len(done), "\n".join(text for _, text in done)
    assert [text for _, text in done] == [""] * len(done)
    return [json.loads(Path(f"{out}.{rank}").read_text()) for rank in range(len(done))]


# --- over MPI -----------------------------------------------------------------------------------------------------------


def check_calls(found: list[Any]) -> None:
    for rank, each in enumerate(found):
        assert each["sums"] == [[3, 3], [3, 3], [1, 9], [True, True], [0, 15]]
        assert each["kept"] == [rank + 1, rank + 1, 4 + rank, rank == 0, 5 * (rank + 1)]
        assert each["largest"] == [2, 2, 5, 1, 10]
        assert each["copied"] == [[1, 1], [1, 1, 1], [True]]
        assert each["gathered"] == [[], [[1, 1], [1, 1]]]
        assert each["part"] == [[0, 2], [4, 6]][rank]
        assert each["shared"] == [{"rank": 0}, {"rank": 1}]


def test_a_model_of_hapi_trains_as_one_process_on_the_joined_batches(tmp_path: Path) -> None:
    two = results(tmp_path / "r", run("hapi", tmp_path / "r"))
    children.run(SCRIPT, "hapi", tmp_path / "one", tmp_path / "r", env=VARIABLES).check_returncode()
    one = json.loads((tmp_path / "one.0").read_text())
    assert two[0] == two[1]
    for way in ("imperative", "static"):
        found, wanted = two[0][way], one[way]
        assert found["acc"] == wanted["acc"] and np.shape(found["predicted"]) == (7, 3)
        np.testing.assert_allclose(found["predicted"], wanted["predicted"], rtol=0, atol=2e-6)
        np.testing.assert_allclose(found["loss"], wanted["loss"], rtol=0, atol=2e-6)
        for key, value in wanted["state"].items():
            np.testing.assert_allclose(found["state"][key], value, rtol=0, atol=2e-6)
            assert np.ptp(value) > 0, key


def test_calls_of_two_workers(tmp_path: Path) -> None:
    found = results(tmp_path / "r", run("calls", tmp_path / "r"))
    check_calls(found)
    assert [each["children"] for each in found] == [[], []]  # processes that a worker starts are no workers


@pytest.mark.skipif(not MPIEXEC.exists(), reason="needs mpiexec")
def test_calls_of_two_workers_of_mpiexec(tmp_path: Path) -> None:
    command = [str(MPIEXEC), "-n", "2", sys.executable, str(SCRIPT), "calls", str(tmp_path / "r")]
    done = subprocess.run(command, env=VARIABLES, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    check_calls([json.loads((tmp_path / f"r.{rank}").read_text()) for rank in range(2)])


@pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="processes share memory on Linux")
def test_backward_passes_write_gradients_to_where_workers_sum_them(tmp_path: Path) -> None:
    first, second = results(tmp_path / "r", run("parallel_in_place", tmp_path / "r"))
    assert first == second
    in_place = [
        step > 0 and step not in (2, 3) for step in range(6)
    ]  # there is no room at first; it is held; passes are added up
    assert [found[:2] for found in first["found"]] == [[each, True] for each in in_place]


@pytest.mark.parametrize("scenario", ["parallel", "parallel_apart"])
def test_two_workers_train_as_one_process_does(scenario: str, tmp_path: Path) -> None:
    first, second = results(tmp_path / "r", run(scenario, tmp_path / "r"))
    in_memory = scenario == "parallel" and hasattr(os, "memfd_create")
    assert first["met"] == ["workers by MPI (2)", *["workers by shared memory (2)"] * in_memory]
    children.run(SCRIPT, "parallel", tmp_path / "one", 0, env=VARIABLES).check_returncode()
    one = json.loads((tmp_path / "one.0").read_text())
    assert one["one strategy"] and first["sparse"] and second["sparse"] and first["state"] == second["state"]
    assert sorted(one["state"]) == sorted(first["state"]) and "extra.weight" in one["state"]
    for name, values in one["state"].items():
        np.testing.assert_allclose(first["state"][name], values, atol=1e-5, err_msg=name)


LOST = {
    "lost": r"worker 1 \(127\.0\.0\.1:\d+, process \d+\) has ended; its last call: number \d+, .*latest checkpoint",
    "lost_in_memory": r"worker 1 \(127\.0\.0\.1:\d+, process \d+\) has ended; its last call: number \d+, .*latest checkpoint",
    "differ_in_memory": r"workers make different calls: .*",
    "raises": r"worker 1 \(127\.0\.0\.1:\d+, process \d+\) has ended",
    "differ": r"workers make different calls: .*allreduce sum of 1 arrays, 4 float64.*broadcast from 0|broadcast from 0.*allreduce sum",
    "silent": r"worker 1 \(127\.0\.0\.1:\d+\) has not come to call 1, barrier, in which worker 0 has waited for \d+\.\d s",
}


@pytest.mark.parametrize("scenario", LOST)
def test_a_worker_that_does_not_come_is_named(scenario: str, tmp_path: Path) -> None:
    started = time.monotonic()
    (status, text), (_, other) = run(
        scenario, tmp_path / "r", FLAGS_rpc_deadline="1500" if scenario == "silent" else "90000"
    )
    assert status == 1 and "PeerError" in text, text + other
    assert re.search(LOST[scenario], text), text
    assert time.monotonic() - started < 60
    if scenario == "differ":
        assert re.search(LOST[scenario], other), other


def test_nothing_of_a_job_is_imported_without_one() -> None:
    code = "import sys, paddle_lite.fluid as fluid, paddle_lite.distributed as d; d.ParallelEnv(); fluid.Executor(); "
    code += "fluid.dygraph.DataParallel; print([name for name in ('mpi4py', 'grpc', 'cupy') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], env=VARIABLES, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("[]\n", "")


# --- without processes --------------------------------------------------------------------------------------------------


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("meeting", "mpi", "nccl"):
        monkeypatch.setattr(f"paddle_lite.distributed.collective.{module}.deadline", lambda: 0.3)


def test_workers_that_never_come_are_named(short: None) -> None:
    endpoints = free_endpoints(3)
    with pytest.raises(PeerError, match=r"worker 0 .* does not listen after"):
        Meeting(1, endpoints)
    with pytest.raises(PeerError, match="have not come"):
        Meeting(0, endpoints).close()


def test_where_workers_cannot_meet() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(ArgumentValueError, match="a free port"):
        Meeting(0, [f"127.0.0.1:{taken.getsockname()[1]}"])
    with pytest.raises(ModeError, match="2 workers, and 0 endpoints"):
        mpi.join(Place(0, 2, "", [], False))
    with pytest.raises(ArgumentValueError, match="the rank got 2, needs 0 to 1"):
        current.connect(2, 2, ["a:1", "b:2"])
    with pytest.raises(ArgumentValueError, match="needs 3, one a worker"):
        current.connect(1, 3, ["a:1", "b:2"])


class Line:
    """A connection of the rendezvous without a socket."""

    def __init__(self) -> None:
        self.sent: list[str] = []


def meeting_of(nodes: list[str]) -> tuple[rendezvous.Rendezvous, list[Any]]:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        made = rendezvous.Rendezvous(listening, len(nodes))
        made.selector.close()
    connections = []
    for rank, node in enumerate(nodes):
        connection: Any = rendezvous.Connection(SimpleNamespace())  # type: ignore[arg-type]
        connection.said = []
        connection.send = connection.said.append
        made.take(connection, f"meet {rank} {len(nodes)} 10{rank} {node} h:{rank}")
        connections.append(connection)
    return made, connections


@pytest.mark.parametrize(
    ("nodes", "mapping"),
    [
        ("aa", "(vector,(0,1,2))"),
        ("aabb", "(vector,(0,2,2))"),
        ("aab", "(vector,(0,1,2),(1,1,1))"),
        ("abab", "(vector,(0,1,1),(1,1,1),(0,1,1),(1,1,1))"),
    ],
)
def test_which_workers_share_memory(nodes: str, mapping: str) -> None:
    made, connections = meeting_of(list(nodes))
    assert made.values["PMI_process_mapping"] == mapping
    assert [connection.said[-1] for connection in connections] == ["welcome"] * len(nodes)


def test_what_workers_say_is_checked() -> None:
    made, (first, _) = meeting_of(["a", "a"])
    for line in ("meet 0 2 1 a h:1", "meet 5 2 1 a h:1", "meet 0 3 1 a h:1", "meet x", "pmi", "GET / HTTP/1.1", ""):
        with pytest.raises((ValueError, KeyError, IndexError)):
            made.take(rendezvous.Connection(SimpleNamespace()), line)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no such line"):
        made.take(first, "remove everything")
    made.take(first, "started /dev/shm/mpich_shm_12ab_0 /dev/shm/other /etc/passwd")
    assert made.shared == {"/dev/shm/mpich_shm_12ab_0"}


def test_who_is_absent_from_a_call() -> None:
    made, (first, second, third) = meeting_of(["a", "a", "a"])
    made.take(first, "wait 4 barrier")
    assert first.said[-1] == "absent 4 1,2"
    made.take(third, "wait 4 barrier")
    assert first.said[-1] == third.said[-1] == "absent 4 1"
    made.take(second, "wait 4 allgather")
    assert second.said[-1].startswith("differ worker 1 (h:1, process 101) is in call 4, allgather; worker 0")


@pytest.mark.parametrize("size", [40, 64, 10**6])
def test_buckets(size: int) -> None:
    random = np.random.RandomState(0)
    shapes = [(2, 3), (40,), (0,), (5, 2), (7,), ()]
    sources = [random.standard_normal(shape).astype(dtype) for shape in shapes for dtype in ("float32", "float64")]
    sources.append(sources[0].T)
    targets = [np.full(source.shape, np.nan, source.dtype) for source in sources]
    made = list(pieces(sources, targets, size))
    for piece in made:
        assert piece.source.nbytes <= max(size, 8) and piece.target.flags.c_contiguous
        piece.target[...] = piece.source * 2
        piece.finish()
    for source, target in zip(sources, targets, strict=True):
        np.testing.assert_array_equal(target, source * 2)
    assert size < 10**6 or len(made) < len(sources)  # small arrays go together
    [alone] = pieces(sources[:1], sources[:1], size)
    assert np.shares_memory(alone.target, sources[0])  # one alone is not copied


def test_a_worker_that_is_alone() -> None:
    job = SingleWorker()
    source, out = np.ones(3), np.zeros(3)
    job.allreduce([source], "prod", [out])
    job.broadcast([source])
    job.barrier()
    assert (
        out.tolist() == [1, 1, 1]
        and job.allgather(source) == [source]
        and job.reduce_scatter(source).tolist() == [1, 1, 1]
    )
    with pytest.raises(ArgumentValueError, match="needs one of sum, max, min, prod"):
        job.allreduce([source], "mean")
    assert isinstance(current.group(), SingleWorker)
    current.leave()
