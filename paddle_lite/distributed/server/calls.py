"""What the two orders of calls, synchronous and asynchronous, share."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...core.dtype import to_numpy
from ...core.errors import PeerError, message
from ...core.selected_rows import SelectedRows
from ...static.proto.streams import save_selected_rows
from ..rpc.client import SAVE
from ..rpc.heart import PAUSE, deadline, retries
from ..rpc.wire import WITHOUT_BARRIER, Message
from .presence import Presence
from .updates import updates_of
from .values import array_of, put


class Calls:
    """Takes the calls of trainers.

    Arguments:
        program: the Program of the server.
        listen: its operator listen_and_serv.
        scope: the Scope with the parameters.
        executor: runs the updates.

    Attributes:
        finished: set when no call is waited for any more.
        failure: why the job cannot go on; None if it can.
        presence: which trainers are there.
        steps: how often parameters were updated by gradients of all trainers.
    """

    kind = ""
    together = False  # whether all parameters are updated at the same time

    def __init__(self, program: Any, listen: Any, scope: Any, executor: Any) -> None:
        self._scope, self._executor = scope, executor
        self._updates = updates_of(program, listen, self.together)
        tables = {pair.rpartition(":")[0] for pair in listen.attr("sparse_grad_to_param")}
        self._sparse = tables | {name for name in listen.input("X") if name.rpartition(".trainer_")[0] in tables}
        parameters = [pair.rpartition(":")[2] for pair in listen.attr("sparse_grad_to_param")]
        self._tables = {name.partition(".block")[0]: name for name in parameters}
        self._live = listen.attr("Fanin")
        gradients = [pair.rpartition(":")[0] for pair in listen.attr("grad_to_block_id")]
        self._expects_all = not listen.attr("distributed_mode") or not self._sparse.issuperset(
            gradients
        )  # not of rows alone
        self.finished = threading.Event()
        self.failure: Exception | None = None
        self.presence = Presence(self._live)
        self.steps = 0
        self._began = time.monotonic()
        self._waiting: dict[Any, float] = {}  # gradients that no update has used -> when they came
        self._sleepers: set[threading.Event] = set()

    # --- life ---------------------------------------------------------------------------------------------------------

    def fail(self, error: Exception) -> None:
        """End the job because of an error; the first one counts. Calls that wait end with it."""
        if self.failure is None and not self.finished.is_set():
            self.failure = error
        self.finish()

    def finish(self) -> None:
        """Take no more calls: all trainers are done, or one is lost."""
        self.finished.set()
        for sleeper in tuple(self._sleepers):
            sleeper.set()

    @contextmanager
    def wakes(self, sleeper: threading.Event) -> Iterator[None]:
        """Set an Event when the job ends."""
        self._sleepers.add(sleeper)
        try:
            if self.finished.is_set():
                sleeper.set()
            yield
        finally:
            self._sleepers.discard(sleeper)

    def watch(self) -> None:
        """End the job if a trainer is lost."""
        lost = self.presence.lost(deadline(), (retries() + 1) * PAUSE, self._expects_all)
        if lost is not None:
            self.fail(lost)

    def counted(self, address: str, received: int, sent: int) -> None:
        """Count the bytes of a call."""
        self.presence.count(address, received, sent)

    def status(self) -> dict[str, Any]:
        """Return the state of this server, as `python -m paddle_lite distributed status` shows it."""
        oldest = next(iter(tuple(self._waiting.values())), None)
        return {
            "kind": self.kind, "seconds": time.monotonic() - self._began, "steps": self.steps, "rate": self.presence.rate(),
            "waiting": len(self._waiting), "oldest": 0.0 if oldest is None else time.monotonic() - oldest,
            "staleness": 0.0, "most_stale": 0, "trainers": self.presence.report(),
        }  # fmt: skip

    # --- calls --------------------------------------------------------------------------------------------------------

    def notify(self, notice: Message, address: str) -> Message:
        """Write a table of this server to the file that the notice names, FOLDER/TABLE_NUMBER."""
        if notice.name != SAVE:
            raise PeerError(f"this server does not take the notice {notice.name!r}")
        path = notice.out_name
        table, _, number = os.path.basename(path).rpartition("_")
        held = self._tables.get(table)
        if held is None or not number.isdecimal() or "\0" in path:
            needs = (
                f"a file TABLE_NUMBER, of a table of this server: {', '.join(sorted(self._tables)) or 'it has none'}"
            )
            raise PeerError(message("checkpoint_notify", "the file", repr(path), needs))
        array = self.get_now(Message(held, trainer_id=notice.trainer_id), address).value
        try:
            save_selected_rows(
                path, SelectedRows(np.zeros(0, np.int64), array, len(array))
            )  # without rows: all of them
        except OSError as error:
            raise PeerError(
                message("checkpoint_notify", "the file", repr(path), f"one that can be written ({error})")
            ) from None
        return Message()

    def get_now(self, message: Message, address: str) -> Message:
        """Give a copy of a value as it is now."""
        raise NotImplementedError

    def _value(self, asked: Message) -> Message:
        """Return the answer to a call that asks for the value of a variable."""
        name = asked.name.removesuffix(WITHOUT_BARRIER)
        return Message(asked.out_name or name, array_of(self._scope, name))

    def _store(self, name: str, value: Any, expected: Mapping[str, Any]) -> None:
        """Store a gradient; see `_check`."""
        self._check(name, value, expected)
        put(self._scope, name, value)

    def _check(self, name: str, value: Any, expected: Mapping[str, Any]) -> None:
        """Require that a value is that of a gradient.

        Arguments:
            expected: name -> the Variable of the server's Program, for each gradient that this server takes.

        Raises:
            PeerError: the server takes no such gradient; there is no value, or its shape or dtype is another one.
        """
        if name not in expected:
            known = ", ".join(sorted(expected)[:8])
            raise PeerError(message("SendVariable", "name", repr(name), f"a gradient of this server: {known}"))
        if value is None:
            raise PeerError(message("SendVariable", name, "no value", "an array"))
        variable = expected[name]
        if isinstance(value, SelectedRows) and name not in self._sparse:
            raise PeerError(message("SendVariable", name, "rows of a table", "an array"))
        if variable is not None:
            shape, dtype = tuple(variable.shape), to_numpy(variable.dtype)
            if -1 not in shape and (tuple(value.shape) != shape or value.dtype != dtype):
                got = f"{value.dtype} {list(value.shape)}"
                needs = f"{dtype} {list(shape)}, the shape of the parameter"
                raise PeerError(message("SendVariable", name, got, needs))

    def _decay_learning_rate(self) -> None:
        if self._updates.decay is not None:
            self._updates.decay.run(self._executor, self._scope)
