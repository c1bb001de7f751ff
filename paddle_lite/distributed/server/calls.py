"""What the two orders of calls, synchronous and asynchronous, share."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...core.dtype import to_numpy
from ...core.errors import PeerError, message
from ...core.selected_rows import UNBOUNDED, SelectedRows
from ...core.tensor import SelectedRows as HeldRows
from ...optimizer.static_schedules import COUNTER
from ...static.program.parts import GROWN
from ...static.proto.streams import save_selected_rows, save_table
from ..rpc.client import SAVE
from ..rpc.heartbeats import PAUSE, deadline, retries
from ..rpc.wire import WITHOUT_BARRIER, Message
from .growing import GrowingTable, growing_tables
from .presence import Presence
from .updates import updates_of
from .values import array_of, put, rows_of, wanted_ids


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
        self._growing = growing_tables(program, listen, scope)
        self._grown_array = {name: table for table in self._growing.values() for name in table.names}
        self._updates = updates_of(program, listen, self.together, set(self._growing))
        tables = {pair.rpartition(":")[0] for pair in listen.attr("sparse_grad_to_param")}
        self._sparse = tables | {name for name in listen.input("X") if name.rpartition(".trainer_")[0] in tables}
        parameters = [pair.rpartition(":")[2] for pair in listen.attr("sparse_grad_to_param")]
        self._tables = {name.partition(".block")[0]: name for name in parameters}
        self._grown_by: dict[str, GrowingTable] = {}  # gradient as trainers send it -> its table
        for gradient, _, table in (pair.rpartition(":") for pair in listen.attr("sparse_grad_to_param")):
            if table in self._growing:
                names = [name for name in self._sparse if name.rpartition(".trainer_")[0] == gradient]
                self._grown_by |= dict.fromkeys([gradient, *names], self._growing[table])
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

    def close(self) -> None:
        """Leave the parameters in the Scope as a checkpoint has them."""
        for table in self._growing.values():
            table.close()

    def watch(self) -> None:
        """End the job if a trainer is lost, or two have the same number."""
        failure = self.presence.twice or self.presence.lost(deadline(), (retries() + 1) * PAUSE, self._expects_all)
        if failure is not None:
            self.fail(failure)

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
        """Write a table of this server to the file that the notice names, FOLDER/TABLE_NUMBER.

        Or take the notice of a trainer of 1.8.5 that it makes a step, which this server counts itself.
        """
        if notice.name == f"{COUNTER}.trainer_{notice.trainer_id}":
            self.presence.heard(address, notice.trainer_id, f"DistributeNotify of {notice.name!r}")
            return Message()
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
            save_table(path, array)
            if held in self._growing:
                asked = Message(held + GROWN, trainer_id=notice.trainer_id)
                save_selected_rows(path + GROWN, self.get_now(asked, address).value)
        except OSError as error:
            raise PeerError(
                message("checkpoint_notify", "the file", repr(path), f"one that can be written ({error})")
            ) from None
        return Message()

    def step(self, messages: Sequence[Message], address: str) -> bytes:
        """Take the messages of a trainer's step in one call."""
        raise PeerError(f"this server works in {self.kind} training, which has no steps of all trainers")

    def get_now(self, message: Message, address: str) -> Message:
        """Give a copy of a value as it is now."""
        raise NotImplementedError

    def _value(self, asked: Message) -> Message:
        """Return the answer to a call that asks for the value of a variable."""
        name = asked.name.removesuffix(WITHOUT_BARRIER)
        if name in self._grown_array:
            value = self._grown_array[name].declared(name)
        elif name.removesuffix(GROWN) in self._grown_array:
            value = self._grown_array[name.removesuffix(GROWN)].grown(name.removesuffix(GROWN))
        else:
            value = array_of(self._scope, name)
        return Message(asked.out_name or name, value)

    def _copy_of_value(self, asked: Message) -> Message:
        """Return the answer to a call that asks for a value which updates may change while it is sent."""
        given = self._value(asked)
        if isinstance(given.value, np.ndarray):  # rows are copies
            given.value = given.value.copy()
        return given

    def _looked_up(self, asked: Message) -> Message:
        """Return the answer to a look-up."""
        table = self._growing.get(asked.table)
        if table is None:
            return Message(asked.out_name, rows_of(self._scope, asked.table, asked.value))
        return Message(asked.out_name, table.rows(wanted_ids(asked.value)))

    def _store(self, name: str, value: Any, expected: Mapping[str, Any]) -> None:
        """Store a gradient; see `_check`."""
        self._check(name, value, expected)
        if name in self._grown_by and isinstance(value, SelectedRows):
            value = self._grown_by[name].gradient(value)
        put(self._scope, name, value)

    def _fit(self, names: Iterable[str]) -> None:
        """Give gradients of tables that have grown since they came the present height of the table."""
        for name in names:
            held = self._scope.values.get(name)
            if name in self._grown_by and isinstance(held, HeldRows):
                held.set_height(self._grown_by[name].height)

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
        if isinstance(value, SelectedRows) and value.height == UNBOUNDED and name not in self._grown_by:
            fix = "Use embedding(is_distributed=True), here and in the trainers."
            raise PeerError(message("SendVariable", name, "rows of ids that the table does not have", "its rows", fix))
        if variable is not None:
            shape, dtype = tuple(variable.shape), to_numpy(variable.dtype)
            same = tuple(value.shape) in (shape, (UNBOUNDED, *shape[1:])[: len(shape)])
            if -1 not in shape and not (same and value.dtype == dtype):
                got = f"{value.dtype} {list(value.shape)}"
                needs = f"{dtype} {list(shape)}, the shape of the parameter"
                raise PeerError(message("SendVariable", name, got, needs))

    def _decay_learning_rate(self) -> None:
        if self._updates.decay is not None:
            self._updates.decay.run(self._executor, self._scope)
