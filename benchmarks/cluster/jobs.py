"""Real jobs on this machine: `parameter_server/train.py` as servers and trainers, or as workers without servers."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import threading
from collections.abc import Sequence
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
    """Examples a second of all trainers together, processor seconds of the trainers and of the servers from start to end, and what
    the trainers exchanged with the servers."""

    rate: float
    trainers: float
    servers: float
    exchanged: Exchanged = Exchanged(0, 0, 0)


def run_job(runner: Sequence[str], net: str, mode: str, steps: int, servers: int, trainers: int) -> Ran:
    """Run a job, and return what it took.

    Arguments:
        runner: the command that runs a script.
        net, mode: see `parameter_server/train.py`; "local" and "ring" have no servers.
        steps: that are timed.
        servers, trainers: how many processes.

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
    }
    common |= {"OMP_NUM_THREADS": 1, "OPENBLAS_NUM_THREADS": 1, "NUMBER": 0, "ENDPOINT": ""}

    def start(**more: object) -> subprocess.Popen:
        env = os.environ | {name: str(value) for name, value in (common | more).items()}
        out = subprocess.PIPE
        return subprocess.Popen(
            [*runner, str(SCRIPT)], env=env, stdout=out, stderr=subprocess.STDOUT, text=True, cwd=ROOT
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

    before = _of_children()
    started = [start(ROLE="server", ENDPOINT=endpoint) for endpoint in endpoints]
    role = "local" if mode == "local" else "trainer"
    training = [start(ROLE=role, NUMBER=i, **worker(i)) for i in range(trainers)]
    stop = threading.Timer(PATIENCE, _kill, [[*training, *started]])
    stop.start()
    try:
        texts = [process.communicate()[0] for process in training]
        between = _of_children()
        rate = sum(rate_of(text) for text in texts)
    finally:
        stop.cancel()
        _end([*training, *started])
    counts = np.sum([counted(text) for text in texts], axis=0)
    return Ran(rate, between - before, _of_children() - between, Exchanged(*counts.tolist()))


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


def _of_children() -> float:
    """Return the processor seconds of the processes that have been started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def rate_of(text: str) -> float:
    """Return the examples a second that a trainer has printed.

    Raises:
        Failure: it has printed none.
    """
    found = re.search(r"^examples per second: ([\d.]+)$", text, re.MULTILINE)
    if found is None:
        raise Failure(f"a trainer failed: {text[-600:]}")
    return float(found[1])


def counted(text: str) -> Exchanged:
    """Return what a trainer says that it has exchanged."""
    found = re.search(r"^calls, bytes sent, bytes received: (\d+) (\d+) (\d+)$", text, re.MULTILINE)
    return Exchanged(*map(int, found.groups())) if found else Exchanged(0, 0, 0)
