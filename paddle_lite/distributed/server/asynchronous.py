"""The order of calls in asynchronous training: each gradient is applied when it comes, and parameters are given at any time."""

from __future__ import annotations

import threading
from typing import Any

from ..rpc.client import BATCH_BARRIER, COMPLETE, FETCH_BARRIER
from ..rpc.wire import Message
from .calls import Calls
from .values import rows_of


class Asynchronous(Calls):
    """Takes the calls of trainers in any order; updates run one after the other.

    Arguments: those of Calls.
    """

    def __init__(self, program: Any, listen: Any, scope: Any, executor: Any) -> None:
        super().__init__(program, listen, scope, executor)
        pairs = [pair.rpartition(":") for pair in listen.attr("grad_to_block_id")]
        self._update_of = {gradient: self._updates[int(index)] for gradient, _, index in pairs}
        self._expected = {name: program.global_block().vars.get(name) for name in self._update_of}
        self._in_a_step = len(pairs) * self._live  # gradients of all trainers
        self._taken = 0
        self._lock = threading.Lock()

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
            given = self._value(message.name)
            given.value = given.value.copy()  # updates go on while it is sent
            return given

    get_now = get

    def look_up(self, message: Message, address: str) -> Message:
        """Give rows of a table as they are now."""
        with self._lock:
            return Message(message.out_name, rows_of(self._scope, message.table, message.value))

    def _apply(self, name: str, value: Any) -> None:
        """Run the update of a gradient. Learning rates decay as often as in synchronous training: once a step of all trainers."""
        self._store(name, value, self._expected)
        if self._taken % self._in_a_step == 0:
            self._decay_learning_rate()
        self._taken += 1
        self._update_of[name].run(self._executor, self._scope)
