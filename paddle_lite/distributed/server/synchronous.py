"""The order of calls in synchronous training: all trainers send, the server updates, all trainers get."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...core.dtype import to_numpy
from ...core.errors import PeerError
from ...core.errors import message as error_text
from ...core.selected_rows import SelectedRows
from ..rpc.heartbeats import deadline
from ..rpc.wire import BATCH_BARRIER, COMPLETE, FETCH_BARRIER, Message, join
from .calls import Calls
from .values import put

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
        self._given: dict[tuple[str, ...], bytes] = {}  # answers to whole steps in this phase
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

    def step(self, messages: Sequence[Message], address: str) -> bytes:
        """Take the messages of a trainer's step in one call: gradients, a barrier, requests, a barrier; return the values."""
        names = [each.name for each in messages]
        if names.count(BATCH_BARRIER) != 1 or names[-1:] != [FETCH_BARRIER]:
            needs = f"gradients, {BATCH_BARRIER}, names of parameters and {FETCH_BARRIER}"
            raise PeerError(error_text("Step", "the messages", ", ".join(names[:8]), needs))
        begun = names.index(BATCH_BARRIER) + 1
        for each in messages[:begun]:
            self.send(each, address)
        with self._turn:
            asked = messages[begun:-1]
            trainer = self.presence.heard(address, messages[-1].trainer_id, "Step")
            self._wait(lambda: self._phase == GET)
            key = tuple(names[begun:-1])
            if key not in self._given:  # all trainers ask for the same
                self._given[key] = join(self._value(each).parts() for each in asked)
            given = self._given[key]
            self._arrive(trainer)
            return given

    def get_now(self, message: Message, address: str) -> Message:
        """Give a variable in any phase."""
        with self._turn:
            self.presence.heard(address, message.trainer_id, f"GetVariableNoBarrier of {message.name!r}")
            return self._copy_of_value(message)

    def look_up(self, message: Message, address: str) -> Message:
        """Give rows of a table."""
        with self._turn:
            self.presence.heard(address, message.trainer_id, f"PrefetchVariable of {message.table!r}")
            return self._looked_up(message)

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
        self._given.clear()
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
            self._fit(self._expected)
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
