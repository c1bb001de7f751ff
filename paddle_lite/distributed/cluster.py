"""The machines and processes of a job, as launchers describe them: `paddle.distributed.utils`, `cloud_utils`."""

from __future__ import annotations

import argparse
import logging
import os
import socket
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

from ..core.errors import ArgumentValueError, message
from .environment import ParallelEnv

__all__ = [
    "Cluster",
    "Hdfs",
    "JobServer",
    "Pod",
    "Trainer",
    "TrainerProc",
    "add_arguments",
    "find_free_ports",
    "get_cloud_cluster",
    "get_cluster",
    "get_host_name_ip",
    "get_logger",
    "get_rank",
    "get_trainers_num",
    "get_world_size",
]

logger = logging.getLogger("root")
"""The logger of all processes' messages, whose level programs set."""


class _Record:
    """A record of settings; two are equal where all settings are."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


class Hdfs(_Record):
    """The address of a Hadoop file system."""

    def __init__(self) -> None:
        self.hdfs_ugi: str | None = None
        self.hdfs_name: str | None = None
        self.hdfs_path: str | None = None

    def is_valid(self) -> bool:
        """Return whether all is set."""
        return None not in (self.hdfs_ugi, self.hdfs_name, self.hdfs_path)


class JobServer(_Record):
    """The address of the server of a job."""

    def __init__(self) -> None:
        self.endpoint: str | None = None


class Trainer(_Record):
    """One process that trains: its GPUs, its address and its index."""

    def __init__(self) -> None:
        self.gpus: list[int] = []
        self.endpoint: str | None = None
        self.rank: int | None = None


class Pod(_Record):
    """The processes of one machine."""

    def __init__(self) -> None:
        self.rank: int | None = None
        self.id: str | None = None
        self.addr: str | None = None
        self.port: int | None = None
        self.trainers: list[Trainer] = []
        self.servers: list[Any] = []
        self.gpus: list[int] = []

    def get_visible_gpus(self) -> str:
        """Return the GPUs with commas between them.

        Raises:
            ArgumentValueError: there are none.
        """
        if not self.gpus:
            raise ArgumentValueError(message("Pod.get_visible_gpus", "gpus", "none", "at least one"))
        return ",".join(map(str, self.gpus))


class Cluster(_Record):
    """The machines of a job.

    Arguments:
        hdfs: an Hdfs, or None.
    """

    def __init__(self, hdfs: Hdfs | None) -> None:
        self.job_server: JobServer | None = None
        self.pods: list[Pod] = []
        self.hdfs = hdfs
        self.job_stage_flag: str | None = None

    def trainers_nranks(self) -> int:
        """Return the number of trainers."""
        return len(self.trainers_endpoints())

    def pods_nranks(self) -> int:
        """Return the number of machines."""
        return len(self.pods)

    def trainers_endpoints(self) -> list[Any]:
        """Return the addresses of the trainers."""
        return [trainer.endpoint for pod in self.pods for trainer in pod.trainers]

    def pods_endpoints(self) -> list[str]:
        """Return the addresses of the machines."""
        return [f"{pod.addr}:{pod.port}" for pod in self.pods]

    def get_pod_by_id(self, pod_id: Any) -> Pod | None:
        """Return the machine with an id, or None."""
        return next((pod for pod in self.pods if str(pod.id) == str(pod_id)), None)


def get_cluster(
    node_ips: Sequence[str],
    node_ip: str,
    trainer_endpoints: Sequence[str] | Sequence[int],
    selected_gpus: Sequence[int],
) -> tuple[Cluster, Pod]:
    """Describe a job in which each machine has one trainer a GPU.

    Arguments:
        node_ips: the addresses of the machines.
        node_ip: that of this machine.
        trainer_endpoints: the ports of a machine's trainers, or the addresses of all trainers.
        selected_gpus: the GPUs of a machine.

    Returns:
        (the job, this machine).

    Raises:
        ArgumentValueError: `node_ip` is not among `node_ips`, or there are too few addresses.

    >>> from paddle_lite.distributed.utils import get_cluster
    >>> cluster, pod = get_cluster(['10.0.0.1', '10.0.0.2'], '10.0.0.2', [6170, 6171], [0, 1])
    >>> cluster.trainers_nranks(), pod.rank, pod.trainers[0].endpoint
    (4, 1, '10.0.0.2:6170')
    """
    if node_ip not in node_ips:
        raise ArgumentValueError(message("get_cluster", "node_ip", repr(node_ip), f"one of {list(node_ips)}"))
    cluster = Cluster(hdfs=None)
    for number, address in enumerate(node_ips):
        pod = Pod()
        pod.rank, pod.id, pod.addr, pod.gpus = number, str(number), address, list(selected_gpus)
        for index, gpu in enumerate(selected_gpus):
            trainer = Trainer()
            trainer.rank = number * len(selected_gpus) + index
            trainer.gpus = [gpu]
            trainer.endpoint = _endpoint(address, index, trainer.rank, trainer_endpoints)
            pod.trainers.append(trainer)
        cluster.pods.append(pod)
    return cluster, cluster.pods[list(node_ips).index(node_ip)]


def _endpoint(address: str, index: int, rank: int, given: Sequence[Any]) -> str:
    """Return the address of a trainer, from ports or addresses."""
    ports = bool(given) and ":" not in str(given[0])
    place = index if ports else rank
    if place >= len(given):
        needs = f"at least {place + 1}"
        raise ArgumentValueError(message("get_cluster", "trainer_endpoints", f"{len(given)} of them", needs))
    return f"{address}:{given[place]}" if ports else str(given[place])


def get_cloud_cluster(
    args_node_ips: Any, args_node_ip: Any, args_port: Any, selected_gpus: Sequence[int]
) -> tuple[Cluster, Pod]:
    """Describe a job from the environment variables of PaddleCloud.

    Arguments:
        args_node_ips, args_node_ip, args_port: where PADDLE_TRAINERS, POD_IP and PADDLE_PORT are not set: addresses with
            commas between them, that of this machine, the first port.
        selected_gpus: the GPUs of a machine.

    Returns:
        (the job, this machine).

    Raises:
        ArgumentValueError: this machine is not among the machines of the job.
    """
    machines = os.environ.get("PADDLE_TRAINERS", args_node_ips).split(",")
    first = int(os.environ.get("PADDLE_PORT", args_port))
    ports = list(range(first, first + len(selected_gpus)))
    return get_cluster(machines, os.environ.get("POD_IP", args_node_ip), ports, selected_gpus)


def get_trainers_num() -> int:
    """Return the number of trainers, from PADDLE_TRAINERS_NUM; 1 by default."""
    return ParallelEnv().nranks


get_world_size = get_trainers_num


def get_rank() -> int:
    """Return the index of this trainer, from PADDLE_TRAINER_ID; 0 by default."""
    return ParallelEnv().local_rank


def find_free_ports(num: int) -> set[int]:
    """Return ports of this machine that nothing listens at.

    Arguments:
        num: how many.

    Returns:
        A set of that many numbers.
    """
    with ExitStack() as opened:
        sockets = [opened.enter_context(socket.socket(socket.AF_INET, socket.SOCK_STREAM)) for _ in range(num)]
        for each in sockets:
            each.bind(("", 0))
        return {each.getsockname()[1] for each in sockets}


def get_host_name_ip() -> tuple[str, str] | None:
    """Return the name and the address of this machine; None where the name has no address."""
    name = socket.gethostname()
    try:
        return name, socket.gethostbyname(name)
    except OSError:
        return None


def get_logger(log_level: int, name: str = "root") -> logging.Logger:
    """Return a logger that writes level, time, file and line to stderr.

    Arguments:
        log_level: the lowest level that is written.
        name: its name.

    Returns:
        A Logger.
    """
    logger = logging.getLogger(name)
    logger.setLevel(log_level)
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(levelname)s %(asctime)s %(filename)s:%(lineno)d] %(message)s"))
    logger.addHandler(handler)
    return logger


def add_arguments(
    argname: str, type: Callable[[str], Any], default: Any, help: str, argparser: argparse.ArgumentParser, **kwargs: Any
) -> None:
    """Add an option `--argname` to a parser; an option of type bool takes true or false.

    Arguments:
        argname: its name.
        type: its type.
        default: its default, which the help names.
        help: the help.
        argparser: the parser.
        kwargs: more arguments of `add_argument`.

    >>> import argparse
    >>> from paddle_lite.distributed.utils import add_arguments
    >>> parser = argparse.ArgumentParser()
    >>> add_arguments('shuffle', bool, True, 'shuffle the samples', parser)
    >>> parser.parse_args(['--shuffle', 'false']).shuffle
    False
    """
    kind = _truth if type is bool else type
    argparser.add_argument(f"--{argname}", default=default, type=kind, help=f"{help} Default: %(default)s.", **kwargs)


def _truth(text: str) -> bool:
    """Return a bool from y, yes, t, true, on, 1, or n, no, f, false, off, 0."""
    word = text.lower()
    if word not in ("y", "yes", "t", "true", "on", "1", "n", "no", "f", "false", "off", "0"):
        raise argparse.ArgumentTypeError(f"needs true or false, got {text!r}")
    return word in ("y", "yes", "t", "true", "on", "1")


class TrainerProc(_Record):
    """A started trainer: the process, its log and its index."""

    def __init__(self) -> None:
        self.proc: Any = None
        self.log_fn: Any = None
        self.log_offset: int | None = None
        self.rank: int | None = None
        self.local_rank: int | None = None
        self.cmd: list[str] | None = None
