"""What the Programs of a job depend on."""

from __future__ import annotations

from dataclasses import dataclass

from .blocks import Trained
from .config import DistributedMode, DistributeTranspilerConfig


@dataclass
class Job:
    """A job of trainers and servers.

    Attributes:
        trainer_id, trainers: this trainer, and how many there are.
        endpoints: the servers.
        mode: the DistributedMode of the servers.
        splits_when_sent: whether `send` and `recv` cut and join variables themselves.
        barriers: whether the trainers' Programs tell the servers where a step ends.
        half_async: whether a trainer waits at the end of a step for its Communicator.
        trained: the parameters, in alphabetical order.
    """

    trainer_id: int
    trainers: int
    endpoints: list[str]
    mode: int
    splits_when_sent: bool
    barriers: bool
    half_async: bool
    trained: list[Trained]

    @property
    def synchronous(self) -> bool:
        """Whether the servers wait for the gradients of all trainers."""
        return self.mode == DistributedMode.SYNC

    def sent_name(self, gradient: str, trainer: int | None = None) -> str:
        """Return the name under which a trainer sends a gradient: its own trainers' are told apart in synchronous training."""
        if not self.synchronous or self.trainers == 1:
            return gradient
        return f"{gradient}.trainer_{self.trainer_id if trainer is None else trainer}"


def make_job(
    trainer_id: int,
    trainers: int,
    endpoints: list[str],
    sync_mode: bool,
    config: DistributeTranspilerConfig,
    trained: list[Trained],
) -> Job:
    """Return the job that the arguments of `transpile` and a config describe.

    Arguments:
        sync_mode: the argument of `transpile`; the job is synchronous where that of the config is True as well.
    """
    split, together = config.runtime_split_send_recv, sync_mode and config.sync_mode
    half = config.half_async and split and not together
    if config.geo_sgd_mode:
        mode, half = DistributedMode.GEO, False
    elif together or config.completely_not_async:
        mode = DistributedMode.SYNC
    else:
        mode = DistributedMode.ASYNC if split or config.sync_mode else DistributedMode.HALF_ASYNC
    barriers = mode == DistributedMode.SYNC and not half
    return Job(trainer_id, trainers, endpoints, mode, split, barriers, half, trained)
