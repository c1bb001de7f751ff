"""The order of calls in asynchronous training: each gradient is applied when it comes, and parameters are given at any time."""

from __future__ import annotations

import threading
import time
from typing import Any

from ..rpc.wire import BATCH_BARRIER, COMPLETE, FETCH_BARRIER, Message
from .calls import Calls


class Asynchronous(Calls):
    """Takes the calls of trainers in any order; updates run one after the other.

    Arguments: those of Calls.
    """

    kind = "asynchronous"

    def __init__(self, program: Any, listen: Any, scope: Any, executor: Any) -> None:
        super().__init__(program, listen, scope, executor)
        pairs = [pair.rpartition(":") for pair in listen.attr("grad_to_block_id")]
        self._update_of = {gradient: self._updates.single[int(index)] for gradient, _, index in pairs}
        self._expected = {name: program.global_block().vars.get(name) for name in self._update_of}
        self._in_a_step = len(pairs) * self._live  # gradients of all trainers
        self._taken = 0
        self._gradient_of = {
            op.input("Param")[0]: name
            for name, update in self._update_of.items()
            for op in update.program.global_block().ops
            if "Param" in op.input_names
        }
        self._applied = dict.fromkeys(self._update_of, 0)  # gradient -> how often
        self._given: dict[
            tuple[int, str], int
        ] = {}  # of a trainer and a gradient: `_applied` when it got the parameter
        self._stale = self._most_stale = 0
        self._lock = threading.Lock()

    def send(self, message: Message, address: str) -> Message:
        """Apply a gradient, or take the notice that a trainer is done."""
        trainer = self.presence.heard(address, message.trainer_id, f"SendVariable of {message.name!r}")
        ticket = (threading.get_ident(), message.name)
        self._waiting[ticket] = time.monotonic()
        try:
            with self._lock:
                self._go_on()
                if message.name == COMPLETE:
                    self._leave(trainer)
                elif message.name != BATCH_BARRIER:
                    self._apply(message.name, message.value)
                    self._count_staleness(trainer, message.name)
        finally:
            del self._waiting[ticket]
        return Message()

    def get(self, message: Message, address: str) -> Message:
        """Give a parameter as it is now."""
        trainer = self.presence.heard(address, message.trainer_id, f"GetVariable of {message.name!r}")
        if message.name == FETCH_BARRIER:
            return Message()
        with self._lock:
            self._go_on()
            self._note_given(trainer, message.name)
            return self._copy_of_value(message)

    get_now = get

    def look_up(self, message: Message, address: str) -> Message:
        """Give rows of a table as they are now."""
        trainer = self.presence.heard(address, message.trainer_id, f"PrefetchVariable of {message.table!r}")
        with self._lock:
            self._go_on()
            self._note_given(trainer, message.table)
            return self._looked_up(message)

    def status(self) -> dict[str, Any]:
        """Return the state of this server."""
        mean = self._stale / self._taken if self._taken else 0.0
        return {**super().status(), "staleness": mean, "most_stale": self._most_stale}

    def _go_on(self) -> None:
        if self.failure is not None:
            raise self.failure

    def _leave(self, trainer: int) -> None:
        if trainer not in self.presence.gone:
            self.presence.gone.add(trainer)
            self._live -= 1
            if self._live <= 0:
                self.finish()

    def _note_given(self, trainer: int, parameter: str) -> None:
        gradient = self._gradient_of.get(parameter)
        if gradient is not None:
            self._given[trainer, gradient] = self._applied[gradient]

    def _count_staleness(self, trainer: int, gradient: str) -> None:
        """Count the updates of a parameter between its value that a gradient was computed with, and the gradient's own."""
        before = self._applied[gradient]
        self._applied[gradient] += 1
        between = before - self._given.get((trainer, gradient), before)
        self._stale += between
        self._most_stale = max(self._most_stale, between)

    def _apply(self, name: str, value: Any) -> None:
        """Run the update of a gradient. Learning rates decay once in the step of each trainer, as in 1.8.5."""
        self._store(name, value, self._expected)
        self._fit([name])
        if self._taken % len(self._update_of) == 0:
            self._decay_learning_rate()
        self._taken += 1
        self._update_of[name].run(self._executor, self._scope)
        self.steps = self._taken // self._in_a_step
