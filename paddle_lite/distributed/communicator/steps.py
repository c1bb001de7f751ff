"""Half-asynchronous and synchronous training: gradients are sent behind the Program, which waits at the end of each step."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from ...core.errors import PeerError
from ...static.operators.peers import Background, Peers
from ..rpc.heartbeats import deadline
from .exchanged import Received, Sent, receive_all
from .settings import Settings


class Steps(Background):
    """Sends gradients as they come; at the end of a step it waits for them and receives parameters.

    Threads that train at the same time take turns: a step of one begins to send when that of another has ended.

    Arguments:
        peers: the servers.
        sent: what is sent, by the name of the gradient.
        received: what is received.
        scope: where parameters are stored.
        settings: of the Communicator.
        together: whether the servers wait for all trainers.
    """

    def __init__(
        self,
        peers: Peers,
        sent: dict[str, Sent],
        received: Sequence[Received],
        scope: Any,
        settings: Settings,
        together: bool,
    ) -> None:
        self._peers, self._sent, self._received, self._scope, self._settings = peers, sent, received, scope, settings
        self._together = together
        self.notifies = not together  # servers that wait for all trainers count steps by these
        self._endpoints = sorted({endpoint for each in sent.values() for endpoint in each.endpoints})
        self._turn = threading.Lock()
        self._owner: int | None = None  # the thread whose step is being sent

    def take(self, names: Sequence[str], values: Sequence[Any], sent_as: Sequence[str]) -> None:
        """Start to send a gradient."""
        if self._settings.fake_rpc:
            return
        if self._owner != threading.get_ident():
            if not self._turn.acquire(timeout=deadline()):
                raise PeerError(
                    f"Communicator: another thread of this trainer has not ended its step for {deadline():.0f} s"
                )
            self._owner = threading.get_ident()
        self._sent[names[0]].start(self._peers, values[0])

    def end_step(self) -> None:
        """Wait until the gradients have arrived, and receive the parameters."""
        if self._owner != threading.get_ident():
            return
        try:
            trainer = next(iter(self._sent.values())).trainer_id
            if self._together:
                self._peers.send_barrier(self._endpoints, trainer)
            else:
                self._peers.settle()
            receive_all(self._peers, self._received, self._scope)
            if self._together:
                self._peers.fetch_barrier(self._endpoints, trainer)
        finally:
            self._owner = None
            self._turn.release()

    def stop(self) -> None:
        """Wait until everything has arrived."""
        if not self._settings.fake_rpc:
            self._peers.settle()
