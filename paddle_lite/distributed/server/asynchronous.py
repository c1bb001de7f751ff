"""The order of calls in asynchronous training: each gradient is applied when it comes, and parameters are given at any time."""

from __future__ import annotations

import threading
from typing import Any

from ...core.errors import PeerError, message
from ..rpc.client import BATCH_BARRIER, COMPLETE, FETCH_BARRIER
from ..rpc.wire import Message
from .synchronous import check_gradient
from .updates import split_updates
from .values import array_of, put, rows_of


class Asynchronous:
    """Takes the calls of trainers in any order; updates run one after the other.

    Arguments: as of `Synchronous`.
    """

    def __init__(self, program: Any, listen: Any, scope: Any, executor: Any) -> None:
        self._scope, self._executor = scope, executor
        self._decay, updates = split_updates(program, listen)
        pairs = [pair.rpartition(":") for pair in listen.attr("grad_to_block_id")]
        self._updates = {gradient: updates[int(index)] for gradient, _, index in pairs}
        self._variables = program.global_block().vars
        self._live = self._trainers = listen.attr("Fanin")
        self._taken = 0
        self._lock = threading.Lock()
        self.finished = threading.Event()
        self.failure: Exception | None = None

    def send(self, message: Message, address: str) -> Message:
        """Apply a gradient, or take the notice that a trainer is done."""
        with self._lock:
            if message.name == COMPLETE:
                self._live -= 1
                if self._live <= 0:
                    self.finished.set()
            elif message.name != BATCH_BARRIER:
                self._apply(message.name, message.value)
        return Message()

    def get(self, message: Message, address: str) -> Message:
        """Give a parameter as it is now."""
        if message.name == FETCH_BARRIER:
            return Message()
        with self._lock:
            return Message(message.name, array_of(self._scope, message.name).copy())

    get_now = get

    def look_up(self, message: Message, address: str) -> Message:
        """Give rows of a table as they are now."""
        with self._lock:
            return Message(message.out_name, rows_of(self._scope, message.table, message.value))

    def notify(self, message: Message, address: str) -> Message:
        """Refuse a notice: this server saves when trainers ask for its values."""
        raise PeerError(f"this server does not take the notice {message.name!r}")

    def _apply(self, name: str, value: Any) -> None:
        update = self._updates.get(name)
        if update is None:
            known = ", ".join(sorted(self._updates)[:8])
            raise PeerError(message("SendVariable", "name", repr(name), f"a gradient of this server: {known}"))
        check_gradient(name, value, self._variables.get(name))
        put(self._scope, name, value)
        if self._decay is not None:  # as often as in synchronous training: once for each step of all trainers
            if self._taken % (len(self._updates) * self._trainers) == 0:
                self._decay.run(self._executor, self._scope)
            self._taken += 1
        update.run(self._executor, self._scope)
