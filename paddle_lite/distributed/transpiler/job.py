"""What the Programs of a job depend on."""

from __future__ import annotations

from dataclasses import dataclass

from .blocks import Trained


@dataclass
class Job:
    """A job of trainers and servers.

    Attributes:
        trainer_id, trainers: this trainer, and how many there are.
        endpoints: the servers.
        synchronous: whether all trainers take each step together.
        splits_when_sent: whether `send` and `recv` cut and join variables themselves.
        trained: the parameters, in alphabetical order.
    """

    trainer_id: int
    trainers: int
    endpoints: list[str]
    synchronous: bool
    splits_when_sent: bool
    trained: list[Trained]

    def sent_name(self, gradient: str, trainer: int | None = None) -> str:
        """Return the name under which a trainer sends a gradient: its own trainers' are told apart in synchronous training."""
        if not self.synchronous or self.trainers == 1:
            return gradient
        return f"{gradient}.trainer_{self.trainer_id if trainer is None else trainer}"
