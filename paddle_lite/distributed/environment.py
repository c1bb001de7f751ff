"""Which process of a job this is: what launchers, PaddleCloud, MPI and SLURM say in environment variables."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from ..core.errors import ArgumentValueError, message

__all__ = ["Env", "ParallelEnv"]

RESTARTS = "PADDLE_RESTART_COUNT"
"""How often a launcher has started the job again; 0 at first."""
_STARTERS = (
    ("PMI_RANK", "PMI_SIZE"),  # MPICH, Intel MPI
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),  # Open MPI
    ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),  # srun
)


OF_STARTERS = frozenset(name for pair in _STARTERS for name in pair)
"""What mpiexec and srun say to the processes that they start; the processes that these start are no tasks of theirs."""


def number(variable: str, default: int, where: str = "environment", variables: Mapping[str, str] = os.environ) -> int:
    """Return the whole number in an environment variable.

    Raises:
        ArgumentValueError: it is none.
    """
    text = variables.get(variable, "").strip()
    if text and not text.isdecimal():
        raise ArgumentValueError(message(where, variable, repr(text), "a whole number"))
    return int(text) if text else default


def words(variable: str, variables: Mapping[str, str] = os.environ) -> list[str]:
    """Return what stands between commas in an environment variable."""
    return [word.strip() for word in variables.get(variable, "").split(",") if word.strip()]


def check_trainer(where: str, trainer: int, count: int) -> None:
    """Require that the number of a trainer is one of its job.

    Raises:
        ArgumentValueError: it is not.
    """
    if trainer >= count:
        needs = f"less than {count}, the number of trainers (PADDLE_TRAINERS_NUM, or that of PADDLE_TRAINER_ENDPOINTS)"
        raise ArgumentValueError(message(where, "PADDLE_TRAINER_ID", trainer, needs))


@dataclass(frozen=True)
class Place:
    """The place of a process among the trainers of a job.

    Attributes:
        rank, size: its index, and the number of trainers.
        endpoint, endpoints: its address, and those of all trainers; [] where nobody says them.
        under_mpi: whether mpiexec or srun has started it, so that MPI finds the others by itself.
    """

    rank: int
    size: int
    endpoint: str
    endpoints: list[str]
    under_mpi: bool


def place(where: str = "environment", variables: Mapping[str, str] = os.environ) -> Place:
    """Return the place of this process: PaddlePaddle's variables come before those of MPI and SLURM.

    Raises:
        ArgumentValueError: a variable is no number.
    """
    started = [pair for pair in _STARTERS if all(variables.get(name) for name in pair)]
    endpoints = words("PADDLE_TRAINER_ENDPOINTS", variables)
    names = ("PADDLE_TRAINER_ID", "PADDLE_TRAINERS_NUM")
    if started and not endpoints and not any(variables.get(name) for name in names):
        names = started[0]
    rank = number(names[0], 0, where, variables)
    size = number(names[1], max(len(endpoints), 1), where, variables)
    own = variables.get("PADDLE_CURRENT_ENDPOINT", "")
    if not own and rank < len(endpoints):
        own = endpoints[rank]
    return Place(rank, size, own, endpoints, bool(started))


class ParallelEnv:
    """What the launcher of a job says to this process in environment variables; mpiexec and srun count as launchers.

    Attributes:
        nranks: the number of trainers, from PADDLE_TRAINERS_NUM; 1 by default.
        local_rank: the index of this trainer, from PADDLE_TRAINER_ID; 0 by default.
        dev_id: the index of its GPU, from FLAGS_selected_gpus; 0 by default.
        current_endpoint: its address, from PADDLE_CURRENT_ENDPOINT.
        trainer_endpoints: the addresses of all trainers, from PADDLE_TRAINER_ENDPOINTS.

    Raises:
        ArgumentValueError: one of the first three variables is not a whole number.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.dygraph.ParallelEnv().nranks
    1
    """

    def __init__(self) -> None:
        found = place("ParallelEnv")
        self.nranks, self.local_rank = found.size, found.rank
        self.dev_id = number("FLAGS_selected_gpus", 0, "ParallelEnv")
        self.current_endpoint = found.endpoint
        self.trainer_endpoints = found.endpoints or [""]


Env = ParallelEnv
