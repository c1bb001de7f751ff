"""The functions of `paddle.distributed.utils` with which programs start trainers by themselves."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from ..cluster import Cluster, Pod, TrainerProc
from .group import Member, ProcessGroup, Task
from .job import environment, python, report

__all__ = ["start_local_trainers", "terminate_local_procs", "watch_local_trainers"]

_started: dict[int, tuple[ProcessGroup, Member]] = {}
"""By process id: a program holds TrainerProcs, which say nothing about groups."""


def tasks(cluster: Cluster, pod: Pod, log_dir: str | None) -> list[Task]:
    """Return the trainers of a machine, as processes to start."""
    endpoints = cluster.trainers_endpoints()
    made = []
    for index, trainer in enumerate(pod.trainers):
        variables = {
            "FLAGS_selected_gpus": ",".join(map(str, trainer.gpus)),
            "PADDLE_TRAINER_ID": str(trainer.rank),
            "PADDLE_CURRENT_ENDPOINT": str(trainer.endpoint),
            "PADDLE_TRAINERS_NUM": str(len(endpoints)),
            "PADDLE_TRAINER_ENDPOINTS": ",".join(endpoints),
        }
        log = None if log_dir is None else Path(log_dir).absolute() / f"workerlog.{index}"
        made.append(Task("worker", trainer.rank or 0, str(trainer.endpoint), variables, log))
    return made


def start_local_trainers(
    cluster: Cluster,
    pod: Pod,
    training_script: str,
    training_script_args: Sequence[str],
    log_dir: str | None = None,
) -> list[TrainerProc]:
    """Start the trainers of a machine.

    Arguments:
        cluster, pod: the job, and this machine of it.
        training_script, training_script_args: what each trainer runs.
        log_dir: the folder of logs, workerlog.N each; None: trainers print where this process does.

    Returns:
        A TrainerProc for each.
    """
    group, command, found = ProcessGroup(), python(training_script, training_script_args), []
    for index, task in enumerate(tasks(cluster, pod, log_dir)):
        member = group.start(task, command, environment())
        trainer = TrainerProc()
        trainer.proc, trainer.rank, trainer.local_rank = member.process, task.rank, index
        trainer.log_fn, trainer.cmd = task.log, command
        trainer.log_offset = member.offset if task.log else None
        _started[member.process.pid] = group, member
        found.append(trainer)
    return found


def watch_local_trainers(procs: Sequence[TrainerProc], nranks: int) -> bool:
    """Look at the trainers once.

    Arguments:
        procs: the result of `start_local_trainers`.
        nranks: the number of trainers in the job.

    Returns:
        Whether one of them still runs.

    Raises:
        SystemExit: one has failed; the others are ended before.
    """
    for group in _groups(procs):
        group.ended()
    for trainer in procs:
        if trainer.proc.poll() not in (None, 0):
            _fail(procs, trainer, nranks)
    return any(trainer.proc.poll() is None for trainer in procs)


def _fail(procs: Sequence[TrainerProc], trainer: TrainerProc, nranks: int) -> NoReturn:
    text = report(_started[trainer.proc.pid][1], nranks)
    terminate_local_procs(procs)
    print(text, file=sys.stderr, flush=True)
    sys.exit(1)


def terminate_local_procs(procs: Sequence[TrainerProc]) -> None:
    """End the trainers: ask them to, and kill those that have not ended after three seconds.

    Arguments:
        procs: the result of `start_local_trainers`.
    """
    for group in _groups(procs):
        group.close()
    for trainer in procs:
        _started.pop(trainer.proc.pid, None)


def _groups(procs: Sequence[TrainerProc]) -> list[ProcessGroup]:
    """Return the groups of some trainers, each once."""
    return list({id(of[0]): of[0] for trainer in procs if (of := _started.get(trainer.proc.pid))}.values())
