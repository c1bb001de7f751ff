"""Runs the processes of a job on a Ray cluster: an actor for each, which starts it where Ray has room, and waits for it.

Ray only places, watches and restarts; parameters and gradients travel between the processes themselves.
"""

from __future__ import annotations

import importlib
import logging
import os
import socket
import time
from collections.abc import Mapping, Sequence
from typing import Any

from ...core.errors import ModeError
from .group import ProcessGroup, Task
from .job import environment, python

LINGER = 2.0  # seconds that servers have to end by themselves when all workers have ended
POLL = 1.0


def ray() -> Any:
    """Return the module `ray`.

    Raises:
        ModeError: it is not installed.
    """
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise ModeError(f"jobs on a Ray cluster need Ray: pip install 'paddle-lite[ray]' ({error})") from None


class Place:
    """A place for one process, on some machine of the cluster. Ray makes an actor of it."""

    def __init__(self) -> None:
        self._held: socket.socket | None = None

    def address(self) -> str:
        """Return an address of this machine; its port is held until the process starts."""
        ip = ray().util.get_node_ip_address()
        self._held = socket.socket()
        self._held.bind((ip, 0))
        return f"{ip}:{self._held.getsockname()[1]}"

    def run(
        self, kind: str, rank: int, variables: Mapping[str, str], script: str, words: Sequence[str], restart: int
    ) -> str:
        """Run the process to its end; return how it has failed, or "". What it prints goes to Ray's log of the actor."""
        if self._held is not None:
            self._held.close()
        with ProcessGroup() as group:
            member = group.start(Task(kind, rank, "", dict(variables)), python(script, words), environment(restart))
            while group.running:
                group.wait(POLL)
        return "" if member.process.returncode == 0 else f"{member.how()} on {socket.gethostname()}"


def variables(kind: str, rank: int, servers: Sequence[str], workers: Sequence[str]) -> dict[str, str]:
    """Return what a process finds in its environment: what launch_ps sets in a job with servers, and launch in one without.

    Arguments:
        kind, rank: "server" or "worker", and its index.
        servers, workers: the addresses of all.
    """
    common = {"PADDLE_TRAINERS_NUM": str(len(workers))}
    if not servers:
        own = {"PADDLE_TRAINER_ID": str(rank), "PADDLE_CURRENT_ENDPOINT": workers[rank]}
        return {**common, **own, "PADDLE_TRAINER_ENDPOINTS": ",".join(workers)}
    common["PADDLE_PSERVERS_IP_PORT_LIST"] = ",".join(servers)
    if kind == "worker":
        return {
            **common,
            "TRAINING_ROLE": "TRAINER",
            "PADDLE_TRAINER_ID": str(rank),
            "POD_IP": workers[rank].rpartition(":")[0],
        }
    host, _, port = servers[rank].rpartition(":")
    return {**common, "TRAINING_ROLE": "PSERVER", "POD_IP": host, "PADDLE_PORT": port}


def run(
    module: Any, servers: int, workers: int, script: str, words: Sequence[str], restarts: int, needs: Mapping[str, Any],
    logger: logging.Logger,
) -> int:  # fmt: skip
    """Run a job until its workers have ended; where a process or its machine fails, end the others, and start all again.

    Arguments:
        module: the module `ray`, which is connected to a cluster.
        servers, workers: how many processes.
        script, words: what each of them runs.
        restarts: how often the job is started again.
        needs: what Ray reserves for a process, such as {"num_cpus": 1}.
        logger: takes the messages.

    Returns:
        The exit status: 0, or 1 after a failure.
    """
    actor = module.remote(**needs)(Place)
    for restart in range(restarts + 1):
        names = [*(("server", i) for i in range(servers)), *(("worker", i) for i in range(workers))]
        places = [actor.remote() for _ in names]
        try:
            failed = _run_once(module, dict(zip(names, places, strict=True)), servers, script, words, restart)
        finally:
            for place in places:
                module.kill(place)  # its guard ends the process
        if not failed:
            return 0
        logger.error("%s; the others were ended. Its output is in the log of its actor.", failed)
        if restart < restarts:
            logger.info("start the job again: restart %d of %d", restart + 1, restarts)
    return 1


def _run_once(
    module: Any, places: Mapping[tuple[str, int], Any], servers: int, script: str, words: Sequence[str], restart: int
) -> str:
    """Run a job until its workers have ended; return which process has failed and how, or ""."""
    addresses = module.get([place.address.remote() for place in places.values()])
    split = addresses[:servers], addresses[servers:]
    running = {
        place.run.remote(*name, variables(*name, *split), script, words, restart): name
        for name, place in places.items()
    }
    until = None
    while running and (until is None or time.monotonic() < until):
        done, _ = module.wait(list(running), num_returns=1, timeout=POLL)
        for each in done:
            kind, rank = running.pop(each)
            try:
                how = module.get(each)
            except module.exceptions.RayError as error:
                how = f"was lost: {type(error).__name__}"
            if how:
                return f"{kind} {rank} ({addresses[rank if kind == 'server' else servers + rank]}) {how}"
        if until is None and not any(kind == "worker" for kind, _ in running.values()):
            until = time.monotonic() + LINGER
    return ""


def launch(args: Any, logger: logging.Logger) -> int:
    """Do what the command line says; see `paddle_lite.cli.jobs`.

    Returns:
        The exit status.

    Raises:
        ModeError: Ray is not installed.
    """
    module = ray()
    files = {"working_dir": args.working_dir} if args.working_dir else {}
    script = args.script if args.working_dir else os.path.abspath(args.script)
    module.init(address=args.address, runtime_env=files)
    try:
        needs = {"num_cpus": args.cpus, "num_gpus": args.gpus}
        return run(module, args.server_num, args.worker_num, script, args.arguments, args.restarts, needs, logger)
    finally:
        module.shutdown()
