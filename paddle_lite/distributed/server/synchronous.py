"""The order of calls in synchronous training: all trainers send, the server updates, all trainers get."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.dtype import to_numpy
from ...core.selected_rows import SelectedRows
from ..rpc.client import BATCH_BARRIER, COMPLETE, FETCH_BARRIER, deadline
from ..rpc.wire import Message
from .calls import Calls
from .values import put, rows_of

SEND, GET = "send", "get"
SHARE_OF_DEADLINE = 0.9  # the server answers before the trainers' own deadline ends their calls


class Synchronous(Calls):
    """Takes the calls of trainers in the two phases of a step.

    In the phase SEND it takes gradients. When the barriers of all trainers have come it runs the updates; then, in the
    phase GET, it gives parameters, until the barriers of all trainers have come again. Calls of the other phase wait.

    Arguments: those of Calls.
    """

    kind = "synchronous"
    together = True

    def __init__(self, program: Any, listen: Any, scope: Any, executor: Any) -> None:
        super().__init__(program, listen, scope, executor)
        self._expected = {name: program.global_block().vars.get(name) for name in listen.input("X")}
        self._arrived: set[str] = set()
        self._phase = GET
        self._at_barrier: list[int] = []
        self._turn = threading.Condition()  # of an RLock: `finish` is called with and without it

    # --- calls of trainers --------------------------------------------------------------------------------------------

    def send(self, message: Message, address: str) -> Message:
        """Take a gradient, a barrier, or the notice that a trainer is done."""
        with self._turn:
            trainer = self.presence.heard(address, message.trainer_id, f"SendVariable of {message.name!r}")
            if message.name == COMPLETE:
                self._leave(trainer)
                return Message()
            self._wait(lambda: self._phase == SEND)
            if message.name == BATCH_BARRIER:
                self._arrive(trainer)
            else:
                self._take(message.name, message.value)
            return Message()

    def get(self, message: Message, address: str) -> Message:
        """Give a parameter, or take a barrier."""
        with self._turn:
            trainer = self.presence.heard(address, message.trainer_id, f"GetVariable of {message.name!r}")
            self._wait(lambda: self._phase == GET)
            if message.name == FETCH_BARRIER:
                self._arrive(trainer)
                return Message()
            return self._value(message)

    def get_now(self, message: Message, address: str) -> Message:
        """Give a variable in any phase."""
        with self._turn:
            self.presence.heard(address, message.trainer_id, f"GetVariableNoBarrier of {message.name!r}")
            given = self._value(message)
            given.value = given.value.copy()  # updates go on while it is sent
            return given

    def look_up(self, message: Message, address: str) -> Message:
        """Give rows of a table."""
        with self._turn:
            self.presence.heard(address, message.trainer_id, f"PrefetchVariable of {message.table!r}")
            return Message(message.out_name, rows_of(self._scope, message.table, message.value))

    # --- phases -------------------------------------------------------------------------------------------------------

    def _wait(self, ready: Callable[[], bool]) -> None:
        """Wait for a phase; end the job if trainers do not come in time. Those that send heartbeats have twice the time."""

        def over() -> bool:
            return ready() or self.failure is not None

        share = SHARE_OF_DEADLINE * deadline()
        if not self._turn.wait_for(over, share) and not (self.presence.all_live() and self._turn.wait_for(over, share)):
            self.fail(self.presence.missing(set(self._at_barrier)))
        if self.failure is not None:
            raise self.failure

    def finish(self) -> None:
        """Take no more calls, and end those that wait."""
        super().finish()
        with self._turn:
            self._turn.notify_all()

    def _arrive(self, trainer: int) -> None:
        self._at_barrier.append(trainer)
        self._advance()

    def _leave(self, trainer: int) -> None:
        """Count one trainer less. One that leaves in the phase GET has received all of the step."""
        if trainer in self.presence.gone:
            return
        self._live -= 1
        self.presence.gone.add(trainer)
        if self._phase == GET and self._at_barrier:
            self._at_barrier.remove(trainer if trainer in self._at_barrier else self._at_barrier[0])
        if self._live <= 0:
            self.finish()
        else:
            self._advance()

    def _advance(self) -> None:
        """Start the other phase if all trainers are at the barrier."""
        if not 0 < self._live <= len(self._at_barrier):
            return
        if self._phase == SEND:
            self._update()
        self._phase = GET if self._phase == SEND else SEND
        self._at_barrier.clear()
        self._turn.notify_all()

    # --- gradients ----------------------------------------------------------------------------------------------------

    def _take(self, name: str, value: Any) -> None:
        self._store(name, value, self._expected)
        self._arrived.add(name)
        self._waiting.setdefault(name, time.monotonic())

    def _update(self) -> None:
        if not self._arrived:
            return
        for name in self._expected.keys() - self._arrived:  # of a trainer that is done
            put(self._scope, name, _nothing_like(self._scope, name, self._expected[name]))
        try:
            self._decay_learning_rate()
            for update in self._updates.together:
                update.run(self._executor, self._scope)
        except Exception as error:
            self.fail(error)
            raise
        self._arrived.clear()
        self._waiting.clear()
        self.steps += 1


def _nothing_like(scope: Any, name: str, variable: Any) -> Any:
    """Return a gradient of zeros, without rows if it is sparse."""
    shape, dtype = tuple(variable.shape), to_numpy(variable.dtype)
    held = scope.values.get(name)
    if hasattr(held, "numbers"):
        return SelectedRows(np.zeros(0, "int64"), np.zeros((0, *shape[1:]), dtype), shape[0])
    return np.zeros(shape, dtype)
