"""`python -m paddle.distributed.launch SCRIPT ARGS`: starts the workers of a job on this machine, one a GPU, or several CPUs.

Each worker finds in its environment who it is: PADDLE_TRAINER_ID, PADDLE_CURRENT_ENDPOINT, PADDLE_TRAINERS_NUM,
PADDLE_TRAINER_ENDPOINTS, FLAGS_selected_gpus, and PADDLE_RESTART_COUNT, the number of restarts so far.
"""

from __future__ import annotations

import argparse
import logging
import sys
from argparse import REMAINDER
from collections.abc import Sequence
from typing import Any

from paddle_lite.core.errors import ArgumentValueError, message
from paddle_lite.core.place import gpu_count
from paddle_lite.distributed.cluster import Cluster, Pod, find_free_ports, get_cloud_cluster, get_cluster, get_logger
from paddle_lite.distributed.environment import number, words
from paddle_lite.distributed.processes import job
from paddle_lite.distributed.processes.local import tasks

__all__ = ["get_cluster_from_args", "get_gpus", "launch"]

FIRST_PORT = 6070

logger = logging.getLogger()
version = sys.version


def _parse_args(argv: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="launch",
        description="Start the workers of a job on this machine. If one fails, the others are ended.",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--cluster_node_ips", default="127.0.0.1", help="the addresses of the machines of the job, separated by commas")
    add("--node_ip", default="127.0.0.1", help="the address of this machine")
    add(
        "--use_paddlecloud",
        action="store_true",
        help="take both addresses from PADDLE_TRAINERS, POD_IP and PADDLE_PORT",
    )
    add("--started_port", type=int, help=f"the port of a machine's first worker (a free one; {FIRST_PORT} for several)")
    add("--print_config", type=_truth, default=True, help="print these arguments")
    gpus = "the GPUs, separated by commas, one worker each (those of CUDA_VISIBLE_DEVICES, or all); without "
    add("--selected_gpus", help=gpus + "GPUs, the numbers of the workers")
    add(
        "--gpus",
        "--nproc_per_node",
        dest="gpus",
        type=int,
        help="the number of workers on this machine, in place of --selected_gpus",
    )
    add("--log_level", type=int, default=20, help="the lowest level of messages")
    add("--log_dir", help="the folder of the logs workerlog.N; without it, workers print to this terminal")
    add("--restarts", type=int, default=0, help="how often to restart the job after a worker has failed (0)")
    add("training_script", help="the script that each worker runs")
    add("training_script_args", nargs=REMAINDER, help="the arguments of the script")
    return parser.parse_args(argv)


def _truth(text: str) -> bool:
    return text.lower() not in ("false", "0", "no", "off")


def _print_arguments(args: argparse.Namespace) -> None:
    print("-----------  Configuration Arguments -----------")
    for name, value in sorted(vars(args).items()):
        print(f"{name}: {value}")
    print("------------------------------------------------", flush=True)


def get_gpus(selected_gpus: str | None, count: int | None = None) -> list[Any]:
    """Return the numbers of the GPUs of this machine's workers; without GPUs, those of the workers.

    Arguments:
        selected_gpus: the numbers, with commas between them; those of CUDA_VISIBLE_DEVICES by default, else all.
        count: how many instead.

    Returns:
        A list of them.

    Raises:
        ArgumentValueError: a number does not occur in CUDA_VISIBLE_DEVICES.

    >>> from paddle_lite.distributed.launch import get_gpus
    >>> get_gpus('0,1')
    ['0', '1']
    """
    visible = words("CUDA_VISIBLE_DEVICES")
    if selected_gpus is None:
        number_of = count or len(visible) or gpu_count() or number("CPU_NUM", 1)
        return list(range(number_of))
    chosen = [word.strip() for word in selected_gpus.split(",")]
    if not visible:
        return chosen
    for gpu in chosen:
        if gpu not in visible:
            needs = f"numbers of CUDA_VISIBLE_DEVICES, {','.join(visible)}"
            raise ArgumentValueError(message("launch", "--selected_gpus", selected_gpus, needs))
    return [visible.index(gpu) for gpu in chosen]


def get_cluster_from_args(args: argparse.Namespace, selected_gpus: Sequence[Any]) -> tuple[Cluster, Pod]:
    """Describe the job of the arguments of `launch`.

    Arguments:
        args: the arguments.
        selected_gpus: the GPUs of each machine.

    Returns:
        (the job, this machine).

    Raises:
        ArgumentValueError: `node_ip` is not among the machines.
    """
    machines = [word.strip() for word in args.cluster_node_ips.split(",") if word.strip()]
    if args.use_paddlecloud:
        first = args.started_port or FIRST_PORT
        return get_cloud_cluster(args.cluster_node_ips, args.node_ip, first, selected_gpus)
    if len(machines) == 1 and args.started_port is None:
        ports = sorted(find_free_ports(len(selected_gpus)))
    else:
        first = args.started_port or FIRST_PORT
        ports = list(range(first, first + len(selected_gpus)))
    return get_cluster(machines, args.node_ip, ports, selected_gpus)


def launch(args: argparse.Namespace | None = None) -> None:
    """Start the workers of this machine and wait for them; end the process with an exit status after a failure.

    Arguments:
        args: the parsed arguments; those of the command line by default.

    Raises:
        SystemExit: a worker has failed (1), or the launcher was asked to end (128 and the signal's number).
        ArgumentValueError: `node_ip` is not among the machines, or a GPU is not visible.
    """
    args = _parse_args() if args is None else args
    if args.print_config:
        _print_arguments(args)
    gpus = get_gpus(args.selected_gpus, args.gpus)
    status = job.run(
        lambda: tasks(*get_cluster_from_args(args, gpus), args.log_dir),
        job.python(args.training_script, args.training_script_args),
        args.restarts,
        get_logger(args.log_level, "launch"),
    )
    if status:
        sys.exit(status)


if __name__ == "__main__":
    launch()
