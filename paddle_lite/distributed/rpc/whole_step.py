"""The messages of a trainer's step to one server in one call, between processes of paddle_lite.

A step of PaddlePaddle's protocol is a call for each gradient, a barrier, a call for each parameter, and a barrier. Each call costs as much
as 100 KB. From the second step on a trainer knows what it will ask for, so it sends in one call, in this order: small gradients, the
first barrier, the names of the parameters, the second barrier. The answer has the values of the parameters.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...core.errors import PeerError
from .connection import Call
from .wire import BATCH_BARRIER, FETCH_BARRIER, Message, decode, join, split

SMALL = 1 << 16  # bytes of a gradient that waits for the end of the step; larger ones travel while the step goes on


def request(held: Sequence[bytes], names: Sequence[str], trainer: int) -> bytes:
    """Return what a trainer sends.

    Arguments:
        held: small gradients, as messages.
        names: of the parameters that it asks for.
        trainer: its number.
    """
    asked = [Message(name, out_name=name, trainer_id=trainer).parts() for name in names]
    ends = Message(FETCH_BARRIER, out_name=FETCH_BARRIER, trainer_id=trainer).parts()
    barrier = Message(BATCH_BARRIER, trainer_id=trainer).parts()
    return join([*([each] for each in held), barrier, *asked, ends])


class WholeStep:
    """A call with the messages of a step, under way.

    Arguments:
        call: the call.
        names: of the parameters that it asks for.
    """

    def __init__(self, call: Call, names: Sequence[str]) -> None:
        self.call, self._names = call, names
        self._values: dict[str, Message] | None = None

    def answer(self) -> dict[str, Message]:
        """Wait for the answer and return the values of the parameters, by name.

        Raises:
            PeerError: the answer has other values than those that were asked for; the errors of `Call.answered`.
        """
        if self._values is None:
            parts = split(self.call.answered() or b"")
            if len(parts) != len(self._names):
                raise PeerError(
                    f"server {self.call.connection.endpoint}: a step that asks for {len(self._names)} values was answered with {len(parts)}"
                )
            self._values = dict(zip(self._names, map(decode, parts), strict=True))
        return self._values


class Part:
    """The part of a WholeStep that has one parameter, in the place of a call for it."""

    def __init__(self, step: WholeStep, name: str) -> None:
        self._step, self.name = step, name

    def answer(self) -> Message:
        """Wait for the answer and return it."""
        return self._step.answer()[self.name]
