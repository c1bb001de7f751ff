"""Real jobs on this machine: `parameter_server/train.py` as servers and trainers, or as workers without servers."""

from __future__ import annotations

import os
import re
import subprocess
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from paddle_lite.distributed.cluster import find_free_ports

from ..case import ROOT
from ..compare import Failure

SCRIPT = Path(__file__).resolve().parents[1] / "parameter_server" / "train.py"
PATIENCE = 120  # seconds that a job may take


class Exchanged(NamedTuple):
    """Calls of servers, bytes sent to them and bytes received; those of trainers that do not count them are 0."""

    calls: float
    sent: float
    received: float


class Ran(NamedTuple):
    """Examples a second of all trainers together; of the steps that they time, the processor seconds of the trainers and of the
    servers, and what the trainers exchanged with them."""

    rate: float
    trainers: float
    servers: float
    exchanged: Exchanged = Exchanged(0, 0, 0)


def run_job(
    runner: Sequence[str], net: str, mode: str, steps: int, servers: int, trainers: int, script: Path = SCRIPT
) -> Ran:
    """Run a job, and return what it took. Trainers begin the steps that they time together, when all have compiled.

    Arguments:
        runner: the command that runs a script.
        net, mode: see `parameter_server/train.py`; "local" and "ring" have no servers.
        steps: that are timed.
        servers, trainers: how many processes.
        script: what they run.

    Raises:
        Failure: a trainer fails, or takes too long.
    """
    endpoints = [f"127.0.0.1:{port}" for port in find_free_ports(servers)] if servers else []
    workers = [f"127.0.0.1:{port}" for port in sorted(find_free_ports(trainers))] if mode == "ring" else []
    common = {
        "NET": net,
        "MODE": mode,
        "STEPS": steps,
        "SERVERS": ",".join(endpoints),
        "TRAINERS": trainers,
        "CPU_NUM": 1,
        "WAIT": 1,
    }
    common |= {"OMP_NUM_THREADS": 1, "OPENBLAS_NUM_THREADS": 1, "NUMBER": 0, "ENDPOINT": ""}

    def start(**more: object) -> subprocess.Popen:
        env = os.environ | {name: str(value) for name, value in (common | more).items()}
        pipe = subprocess.PIPE
        return subprocess.Popen(
            [*runner, str(script)], env=env, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, text=True, cwd=ROOT
        )

    def worker(number: int) -> dict[str, object]:
        if not workers:
            return {}
        names = {
            "PADDLE_TRAINERS_NUM": trainers,
            "PADDLE_TRAINER_ENDPOINTS": ",".join(workers),
            "TRAINING_ROLE": "TRAINER",
        }
        return names | {"PADDLE_TRAINER_ID": number, "PADDLE_CURRENT_ENDPOINT": workers[number]}

    started = [start(ROLE="server", ENDPOINT=endpoint) for endpoint in endpoints]
    role = "local" if mode == "local" else "trainer"
    training = [start(ROLE=role, NUMBER=i, **worker(i)) for i in range(trainers)]
    stop = threading.Timer(PATIENCE, _kill, [[*training, *started]])
    stop.start()
    try:
        for process in training:
            _until_ready(process)
        before = sum(map(_used, started))
        texts = [*_together(training)]
        servers_used = sum(map(_used, started)) - before
    finally:
        stop.cancel()
        _end([*training, *started])
    counts = np.sum([counted(text) for text in texts], axis=0)
    used = sum(_number(text, "processor seconds") for text in texts)
    return Ran(sum(map(rate_of, texts)), used, servers_used, Exchanged(*counts.tolist()))


def _until_ready(process: subprocess.Popen) -> None:
    """Read what a trainer prints until it has compiled.

    Raises:
        Failure: it ends instead.
    """
    said, out = [], process.stdout
    assert out is not None
    for line in out:
        if line == "ready\n":
            return
        said.append(line)
    raise Failure(f"a trainer failed: {''.join(said)[-600:]}")


def _together(training: Sequence[subprocess.Popen]) -> Iterator[str]:
    """Have trainers begin at the same time; yield what each prints until it ends."""
    for process in training:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    for process in training:
        yield process.communicate()[0]


def _used(process: subprocess.Popen) -> float:
    """Return the processor seconds of a process so far, also of one that has ended and was not waited for."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _kill(processes: Sequence[subprocess.Popen]) -> None:
    for process in processes:
        process.kill()


def _end(processes: Sequence[subprocess.Popen]) -> None:
    """End processes: servers of PaddlePaddle 1.8.5 wait for ever, and all do if one fails."""
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def rate_of(text: str) -> float:
    """Return the examples a second that a trainer has printed.

    Raises:
        Failure: it has printed none.
    """
    return _number(text, "examples per second")


def _number(text: str, name: str) -> float:
    """Return a number that a trainer has printed after its name."""
    found = re.search(rf"^{name}: ([\d.]+)$", text, re.MULTILINE)
    if found is None:
        raise Failure(f"a trainer failed: {text[-600:]}")
    return float(found[1])


def counted(text: str) -> Exchanged:
    """Return what a trainer says that it has exchanged."""
    found = re.search(r"^calls, bytes sent, bytes received: (\d+) (\d+) (\d+)$", text, re.MULTILINE)
    return Exchanged(*map(int, found.groups())) if found else Exchanged(0, 0, 0)
