"""The server's side of messages between processes of paddle_lite: heartbeats, losses, and questions about the state."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from ...core.errors import EnforceNotMet
from ..rpc.control import BEAT, HEARTBEAT, LOST, STATUS, pack, unpack, unpack_loss
from ..rpc.heart import interval
from ..rpc.service import abort
from .calls import Calls


class Control:
    """Answers what processes of paddle_lite ask beside PaddlePaddle's protocol.

    Arguments:
        calls: what takes the calls of trainers.
    """

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def methods(self) -> dict[str, Callable[[bytes, Any], bytes]]:
        """Return what gRPC calls for each method, with the bytes of a message and the context of the call."""
        return {HEARTBEAT: _checked(self._heartbeat), LOST: _checked(self._lost), STATUS: _checked(self._status)}

    def _heartbeat(self, data: bytes, context: Any) -> bytes:
        """Keep the call for a while. If it ends meanwhile, the connection was closed."""
        fields = unpack(data, BEAT)
        trainer, address, calls = fields["trainer"], context.peer(), self._calls
        calls.presence.beat(address, trainer, fields["steps"], fields["examples"])
        woken = threading.Event()
        if not context.add_callback(woken.set):
            woken.set()
        with calls.wakes(woken):
            woken.wait(interval())
        if calls.failure is not None:
            raise calls.failure
        if not context.is_active():
            calls.presence.cut(address, trainer)
        return pack({})

    def _lost(self, data: bytes, context: Any) -> bytes:
        """End the job: a trainer says that a process is lost."""
        self._calls.fail(unpack_loss(data))
        return pack({})

    def _status(self, data: bytes, context: Any) -> bytes:
        unpack(data, {})
        return pack(self._calls.status())


def _checked(method: Callable[[bytes, Any], bytes]) -> Callable[[bytes, Any], bytes]:
    def answer(data: bytes, context: Any) -> bytes:
        try:
            return method(data, context)
        except EnforceNotMet as error:
            return abort(context, error)

    return answer
