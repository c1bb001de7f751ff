"""The server's side of messages between processes of paddle_lite: heartbeats, losses, and questions about the state."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from ...core.errors import EnforceNotMet
from ..rpc.control import BEAT, HEARTBEAT, LOST, STATUS, STEP, pack, unpack, unpack_loss
from ..rpc.heartbeats import interval
from ..rpc.service import abort
from ..rpc.wire import decode, split
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
        own = {HEARTBEAT: self._heartbeat, LOST: self._lost, STATUS: self._status, STEP: self._step}
        return {name: _checked(method) for name, method in own.items()}

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

    def _step(self, data: bytes, context: Any) -> bytes:
        """Take the messages of a trainer's step."""
        address = context.peer()
        given = self._calls.step([decode(each) for each in split(data)], address)
        self._calls.counted(address, len(data), len(given))
        return given

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
