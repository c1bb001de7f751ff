"""`python -m paddle_lite distributed`: a look at the jobs of parameter servers, and jobs on a Ray cluster."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from paddle_lite.core.errors import EnforceNotMet


def add(parser: Any) -> None:
    """Add the command line of `distributed`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", title="actions", required=True)
    status = actions.add_parser("status", help="show the trainers and the progress of parameter servers")
    status.add_argument("endpoints", metavar="HOST:PORT", nargs="+", help="the address of a server")
    ray = actions.add_parser("ray", help="run the workers and parameter servers of a job on a Ray cluster")
    option = ray.add_argument
    option(
        "--address",
        help='the address of the cluster; "auto" for a cluster on this machine; by default, Ray is started here',
    )
    option("--worker_num", type=int, default=2, help="the number of workers (2)")
    option("--server_num", type=int, default=0, help="the number of parameter servers (0)")
    option("--cpus", type=float, default=1, help="the CPUs that Ray reserves for each process (1)")
    option("--gpus", type=float, default=0, help="the GPUs that Ray reserves for each process (0)")
    option("--restarts", type=int, default=0, help="how often to restart the job after a process has failed (0)")
    option("--working_dir", help="the folder in which the script runs; Ray copies it to each machine")
    option("script", help="the script that each process runs")
    option("arguments", nargs=argparse.REMAINDER, help="the arguments of the script")


def main(arguments: argparse.Namespace) -> int:
    """Run the command, and return the exit code: 1 if a server has not told its state, or a process of a job has failed."""
    return _ray(arguments) if arguments.action == "ray" else _status(arguments)


def _ray(arguments: argparse.Namespace) -> int:
    from paddle_lite.distributed.cluster import get_logger
    from paddle_lite.distributed.processes.on_ray import launch

    try:
        return launch(arguments, get_logger(20, "launch_ray"))
    except EnforceNotMet as error:  # Ray is not installed
        print(error, file=sys.stderr)
        return 2


def _status(arguments: argparse.Namespace) -> int:
    from paddle_lite.distributed.status import report

    try:
        text, well = report([each for word in arguments.endpoints for each in word.split(",") if each])
    except EnforceNotMet as error:  # no endpoint, or gRPC is not installed
        print(error, file=sys.stderr)
        return 2
    print(text)
    return 0 if well else 1
