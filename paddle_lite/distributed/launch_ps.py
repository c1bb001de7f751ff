"""`python -m paddle.distributed.launch_ps SCRIPT ARGS`: starts the parameter servers and workers of a job on this machine.

Each process finds in its environment who it is: TRAINING_ROLE, PADDLE_PSERVERS_IP_PORT_LIST, PADDLE_TRAINERS_NUM, POD_IP and
PADDLE_PORT of a server, PADDLE_TRAINER_ID of a worker, and PADDLE_RESTART_COUNT, the number of restarts so far.
"""

from __future__ import annotations

import argparse
import os
import sys
from argparse import REMAINDER
from collections.abc import Sequence
from pathlib import Path

from paddle_lite.core.errors import ArgumentValueError, message
from paddle_lite.distributed.cluster import get_logger
from paddle_lite.distributed.launch import _print_arguments, _truth
from paddle_lite.distributed.processes import job
from paddle_lite.distributed.processes.group import Task
from paddle_lite.distributed.rpc.ports import address

__all__ = ["launch", "parse_args", "start_procs"]

LINGER = 2.0  # seconds that servers have to end by themselves when all workers have ended


def parse_args(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse the command line.

    Arguments:
        argv: its words; those of this process by default.

    Returns:
        The arguments.

    Raises:
        SystemExit: it is wrong, or asks for help.

    >>> from paddle_lite.distributed.launch_ps import parse_args
    >>> parse_args(['--server_num', '1', 'train.py', '--epochs', '3']).training_script_args
    ['--epochs', '3']
    """
    parser = argparse.ArgumentParser(
        prog="launch_ps",
        description="Start the parameter servers and workers of a job on this machine. If one fails, all are ended.",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--cluster_node_ips", default="127.0.0.1", help="the addresses of the machines of the job, separated by commas")
    add("--node_ip", default="127.0.0.1", help="the address of this machine")
    add("--start_port", type=int, default=6170, help="the port of a machine's first server (6170)")
    add("--print_config", type=_truth, default=True, help="print these arguments")
    add("--endpoints", default="", help="the servers of the job as HOST:PORT, separated by commas")
    add("--worker_num", type=int, default=2, help="the number of workers on each machine (2)")
    add("--server_num", type=int, default=2, help="the number of servers on each machine (2)")
    add("--log_dir", default="logs", help="the folder of the logs serverlog.N and workerlog.N (logs)")
    add("--restarts", type=int, default=0, help="how often to restart the job after a process has failed (0)")
    add("training_script", help="the script that each process runs")
    add("training_script_args", nargs=REMAINDER, help="the arguments of the script")
    return parser.parse_args(argv)


def processes(args: argparse.Namespace) -> list[Task]:
    """Return the servers and workers of this machine, as processes to start.

    Raises:
        ArgumentValueError: `node_ip` is not among the machines, or an endpoint is not HOST:PORT.
    """
    machines = [word.strip() for word in args.cluster_node_ips.split(",") if word.strip()]
    if args.node_ip not in machines:
        raise ArgumentValueError(message("launch_ps", "--node_ip", repr(args.node_ip), f"one of {machines}"))
    ports = range(args.start_port, args.start_port + args.server_num)
    endpoints = [word.strip() for word in args.endpoints.split(",") if word.strip()]
    endpoints = endpoints or [f"{machine}:{port}" for machine in machines for port in ports]
    common = {
        "PADDLE_PSERVERS_IP_PORT_LIST": ",".join(endpoints),
        "PADDLE_TRAINERS_NUM": str(args.worker_num * len(machines)),
        "POD_IP": args.node_ip,
    }
    tasks: list[Task] = []
    folder = Path(os.path.abspath(args.log_dir))
    for rank, endpoint in enumerate(endpoints):
        host, port = address(endpoint, "launch_ps")
        if host == args.node_ip:
            own = {**common, "TRAINING_ROLE": "PSERVER", "PADDLE_PORT": str(port)}
            tasks.append(Task("server", rank, endpoint, own, folder / f"serverlog.{len(tasks)}"))
    for index in range(args.worker_num):
        rank = machines.index(args.node_ip) * args.worker_num + index
        own = {**common, "TRAINING_ROLE": "TRAINER", "PADDLE_TRAINER_ID": str(rank)}
        tasks.append(Task("worker", rank, "", own, folder / f"workerlog.{index}"))
    return tasks


def start_procs(args: argparse.Namespace) -> None:
    """Start the processes of this machine and wait for the workers; the servers end after them.

    Arguments:
        args: the parsed arguments.

    Raises:
        SystemExit: a process has failed (1), or the launcher was asked to end (128 and the signal's number).
        ArgumentValueError: `node_ip` is not among the machines, or an endpoint is not HOST:PORT.
    """
    command = job.python(args.training_script, args.training_script_args)
    status = job.run(lambda: processes(args), command, args.restarts, get_logger(20, "launch_ps"), linger=LINGER)
    if status:
        sys.exit(status)


def launch() -> None:
    """Do what the command line says.

    Raises:
        SystemExit: see `start_procs`.
    """
    args = parse_args()
    if args.print_config:
        _print_arguments(args)
    start_procs(args)


if __name__ == "__main__":
    launch()
