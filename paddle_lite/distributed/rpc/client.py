"""The side of the trainers: calls of parameter servers."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import accumulate
from typing import Any

import numpy as np

from ...core.errors import IndexRangeError, PeerError, PeerLost
from ...core.errors import message as error_text
from ...core.selected_rows import UNBOUNDED, SelectedRows
from ...static.program.parts import GROWN, part_of_ids
from . import ending
from .connection import Call, Connection
from .control import BEAT, LOST, LOST_KEY, STEP, pack, pack_loss, unpack_loss
from .grpc_package import grpc as needed_grpc
from .heartbeats import Heart, deadline, retries
from .ports import listens, wait_for_ports
from .traffic import totals
from .whole_step import SMALL, Part, WholeStep, request
from .wire import BATCH_BARRIER, COMPLETE, FETCH_BARRIER, WITHOUT_BARRIER, Message

SAVE = "SAVE@CHECKPOINTNOTIFY"
TELL = 0.3  # seconds in which a program that calls servers has raised that one is lost
MOST_PENDING = 64  # sends that nobody has waited for


class Servers:
    """The parameter servers of a job, as one trainer calls them."""

    def __init__(self) -> None:
        self._connections: dict[str, Connection] = {}
        self._pending: list[Call] = []
        self._asked: list[tuple[str, str]] = []  # (name, endpoint) of the values that this step has received
        self._usual: list[tuple[str, str]] = []  # those of the step before
        self._ahead: dict[tuple[str, str], Call | Part] = {}  # calls for such values, before their turn
        self._barred: set[str] = set()  # servers that know that this step has sent all
        self._stepped: set[str] = set()  # servers that the step before has told where it ends, by both barriers
        self._whole: set[str] = set()  # servers to which the rest of this step is one call
        self._steps: list[WholeStep] = []  # these calls
        self._held: dict[str, list[bytes]] = {}  # endpoint -> small values that go with this call, as messages
        self._trainer = 0
        self._numbers: dict[str, int] = {}  # endpoint -> the number of the server, for each known server of the job
        self._lock = threading.Lock()
        self._connecting = threading.Lock()  # threads of a Communicator call, too
        self._told = threading.Event()  # the program, that a process is lost
        self.failure: PeerLost | None = None

    # --- calls --------------------------------------------------------------------------------------------------------

    def _connection(self, endpoint: str) -> Connection:
        found = self._connections.get(endpoint)
        if found is None:
            with self._connecting:
                found = self._connections.get(endpoint)
                if found is None:
                    found = self._connect(endpoint)
        return found

    def _connect(self, endpoint: str) -> Connection:
        if not self._connections:
            totals.role, totals.number = "trainer", self._trainer
            ending.watch(self)
        try:
            wait_for_ports([endpoint], deadline())
        except PeerLost as lost:
            self._lose(lost)
            raise self._raised() from None
        made = self._connections[endpoint] = Connection(endpoint)
        return made

    def _call(self, endpoint: str, method: str, message: Message) -> Call:
        if self.failure is not None:
            raise self._raised()
        try:
            return self._start(endpoint, method, message.name, message.encoded())
        except ValueError:  # the channel was closed, for a process is lost
            raise self._raised() from None

    def _start(self, endpoint: str, method: str, name: str, data: bytes) -> Call:
        return Call(self._connection(endpoint), method, name, data, self._failed, self._greeted)

    def _tell(self, endpoints: Iterable[str], method: str, name: str) -> None:
        """Send a message without a value to all servers and wait for the answers."""
        message = Message(name, out_name=name if method == "GetVariable" else "", trainer_id=self._trainer)
        for call in [self._call(endpoint, method, message) for endpoint in endpoints]:
            call.answer()

    def _settle(self, most: int) -> None:
        """Take the answers to earlier sends, and wait for the oldest ones until at most `most` are left."""
        left = []
        for call in self._pending:
            if call.done():
                call.answer()
            else:
                left.append(call)
        while len(left) > most:
            left.pop(0).answer()
        self._pending = left

    # --- the life of the servers --------------------------------------------------------------------------------------

    def _greeted(self, connection: Connection) -> None:
        """Start heartbeats to a server of paddle_lite."""
        with self._lock:
            if connection.heart is None and self.failure is None:
                stopped = partial(self._stopped, connection.endpoint)
                connection.heart = Heart(connection.endpoint, connection.channel, self._state, stopped)

    def _stopped(self, endpoint: str, error: Any) -> None:
        """Handle the failure of heartbeats to a server."""
        lost = self._loss(endpoint, "", time.monotonic(), error)
        if not isinstance(lost, PeerLost):
            why = str(lost).removeprefix(f"server {endpoint}: ").removesuffix(".")
            lost = PeerLost("server", self._numbers.get(endpoint, -1), endpoint, f"has ended the job: {why}")
        self._lose(lost)
        if not self._told.wait(TELL):  # it computes
            print(f"trainer {self._trainer}: {self.failure}", file=sys.stderr, flush=True)

    def _state(self) -> bytes:
        fields = {"trainer": self._trainer, "steps": totals.steps, "examples": totals.examples}
        return pack({name: fields[name] for name in BEAT})

    def _failed(self, call: Call, error: Any) -> Exception:
        """Return the error of a call that failed."""
        if self.failure is not None:
            return self._raised()
        if error is None:
            return PeerError(f"server {call.connection.endpoint}: the call was cancelled")
        found = self._loss(call.connection.endpoint, f"{call.method} of {call.name!r}", call.started, error)
        if not isinstance(found, PeerLost):
            return found
        self._lose(found)
        return self._raised()

    def _raised(self) -> Exception:
        """Return the error about the lost process, and record that the program learns of it."""
        self._told.set()
        return self.failure or PeerError("the connection is closed")

    def _loss(self, endpoint: str, called: str, since: float, error: Any) -> PeerError:
        """Return what an error of gRPC says about a server."""
        grpc = needed_grpc()
        code = error.code()
        if code is grpc.StatusCode.ABORTED:
            for key, value in error.trailing_metadata() or ():
                if key == LOST_KEY and isinstance(value, bytes):
                    return unpack_loss(value)
            return PeerError(f"server {endpoint}: {error.details()}")
        ended = f"is not reachable: it has ended, or was never started ({retries() + 1} tries)"
        reasons = {
            grpc.StatusCode.UNAVAILABLE: ended,
            grpc.StatusCode.CANCELLED: ended,
            grpc.StatusCode.DEADLINE_EXCEEDED: f"has not answered in time (FLAGS_rpc_deadline={deadline() * 1000:.0f} ms)",
        }
        if code not in reasons:
            return PeerError(f"server {endpoint} failed {called} ({code.name}: {error.details()})")
        number, met, reason = self._numbers.get(endpoint, -1), self._connections.get(endpoint), reasons[code]
        if reason is ended and met is not None and met.ours is None and listens(endpoint):
            reason = f"has never answered, but something listens there: is it another program? ({error.details()})"
        return PeerLost("server", number, endpoint, reason, called, time.monotonic() - since)

    def _lose(self, lost: PeerLost) -> None:
        """Handle the loss of a process: tell the servers, and end the calls that are in progress."""
        with self._lock:
            if self.failure is not None:
                return
            self.failure = lost
        self._report([each for each in list(self._connections.values()) if each.ours is not False], lost)
        for connection in list(self._connections.values()):
            connection.close()

    def _report(self, connections: Sequence[Connection], lost: PeerLost) -> None:
        """Tell servers that a process is lost: those of some connections, and those that this trainer has not called yet.

        The latter get nothing where a server of the job is known to be one of PaddlePaddle.
        """
        met = list(self._connections.values())
        foreign = any(each.ours is False for each in met)
        unmet = set() if foreign else self._numbers.keys() - {each.endpoint for each in met} - {lost.endpoint}
        made = [Connection(endpoint) for endpoint in unmet]
        report([*(each for each in connections if each.endpoint != lost.endpoint), *made], lost)
        for connection in made:
            connection.close()

    # --- what operators call ------------------------------------------------------------------------------------------

    def expect(self, endpoints: Sequence[str]) -> None:
        """Note all servers of the job, in their order, before the first call of them; see `Peers.expect`."""
        self._numbers = {endpoint: number for number, endpoint in enumerate(endpoints)}

    def send(self, names: Sequence[str], values: Sequence[Any], endpoints: Sequence[str], trainer_id: int) -> None:
        """Start to send values to servers, one endpoint for each; `send_barrier` waits for them."""
        self._trainer = trainer_id
        self._settle(MOST_PENDING)
        for name, value, endpoint in zip(names, values, endpoints, strict=True):
            connection = self._connection(endpoint)
            connection.told = True
            message = Message(name, value, trainer_id=trainer_id)
            if connection.whole_steps and endpoint in self._stepped and getattr(value, "nbytes", SMALL) < SMALL:
                self._held.setdefault(endpoint, []).append(message.encoded())
            else:
                self._pending.append(self._call(endpoint, "SendVariable", message))

    def deliver(self, names: Sequence[str], values: Sequence[Any], endpoints: Sequence[str], trainer_id: int) -> None:
        """Send values to servers and wait until these have arrived; any thread may call it."""
        self._trainer = trainer_id
        for endpoint in endpoints:
            self._connection(endpoint).told = True
        calls = [
            self._call(endpoint, "SendVariable", Message(name, value, trainer_id=trainer_id))
            for name, value, endpoint in zip(names, values, endpoints, strict=True)
        ]
        for call in calls:
            call.answer()

    def send_barrier(self, endpoints: Sequence[str], trainer_id: int) -> None:
        """Wait until all values have arrived, and tell the servers that this trainer has sent all of a step."""
        since = time.perf_counter()
        self._trainer = trainer_id
        self._settle(0)
        self._count_on(endpoints)
        self._whole = {each for each in endpoints if each in self._stepped and self._connection(each).whole_steps}
        self._barred, self._ahead = set(endpoints), {}
        for endpoint in self._whole:
            self._begin_whole_step(endpoint)
        self._tell([each for each in endpoints if each not in self._whole], "SendVariable", BATCH_BARRIER)
        self._ahead |= {each: self._ask(*each) for each in self._usual if each[1] not in self._whole}
        totals.waited("send_barrier", since)

    def _begin_whole_step(self, endpoint: str) -> None:
        """Start the call with what is left of a step; see `whole_step`."""
        names = [name for name, where in self._usual if where == endpoint]
        data = request(self._held.pop(endpoint, ()), names, self._trainer)
        try:
            step = WholeStep(self._start(endpoint, STEP, BATCH_BARRIER, data), names)
        except ValueError:  # the channel was closed, for a process is lost
            raise self._raised() from None
        self._steps.append(step)
        self._ahead |= {(name, endpoint): Part(step, name) for name in names}

    def settle(self) -> None:
        """Wait until all values have arrived."""
        for endpoint, held in self._held.items():
            self._pending += [self._start(endpoint, "SendVariable", "a small gradient", data) for data in held]
        self._held = {}
        self._settle(0)

    def receive(
        self, names: Sequence[str], endpoints: Sequence[str], trainer_id: int, now: bool = False, changed: bool = False,
        out: Sequence[Any] | None = None,
    ) -> list[Any]:  # fmt: skip
        """Return values of servers, one endpoint for each name; see `Peers.receive`.

        What the step before has received was asked for when `send_barrier` was passed, all at once.
        """
        since = time.perf_counter()
        self._trainer = trainer_id
        calls = []
        for name, endpoint in zip(names, endpoints, strict=True):
            self._connection(endpoint).told = True
            if not now and not changed:
                self._asked.append((name, endpoint))
                each = name, endpoint
                calls.append(self._ahead.pop(each) if each in self._ahead else self._ask(name, endpoint))
                continue
            asked = name + WITHOUT_BARRIER if now else name
            message = Message(asked, out_name=name, trainer_id=trainer_id, table=name if changed else "")
            calls.append(self._call(endpoint, "GetVariableNoBarrier" if now else "GetVariable", message))
        values = []
        for place, (name, endpoint, call) in enumerate(zip(names, endpoints, calls, strict=True)):
            value = call.answer().value
            if not isinstance(value, np.ndarray) and not (
                changed and (value is None or (isinstance(value, SelectedRows) and value.height != UNBOUNDED))
            ):
                raise PeerError(f"server {endpoint}: GetVariable of {name!r} was answered without an array")
            values.append(value if out is None else _landed(value, out[place], name, endpoint))
        totals.waited("recv", since)
        return values

    def _ask(self, name: str, endpoint: str) -> Call:
        """Start to get the value of this step.

        After a whole step the server has gone on, and gives what it has at once: it changes nothing before the next barrier of this trainer.
        """
        if endpoint in self._whole:
            asked = Message(name + WITHOUT_BARRIER, out_name=name, trainer_id=self._trainer)
            return self._call(endpoint, "GetVariableNoBarrier", asked)
        return self._call(endpoint, "GetVariable", Message(name, out_name=name, trainer_id=self._trainer))

    def fetch_barrier(self, endpoints: Sequence[str], trainer_id: int) -> None:
        """Tell the servers that this trainer has received all values of a step."""
        since = time.perf_counter()
        self._trainer = trainer_id
        self._count_on(endpoints)
        for call in [*self._ahead.values(), *self._steps]:  # what this step has not wanted
            call.answer()
        self._ahead, self._usual, self._asked = {}, list(dict.fromkeys(self._asked)), []
        self._tell([each for each in endpoints if each not in self._whole], "GetVariable", FETCH_BARRIER)
        self._stepped, self._barred = self._barred.intersection(endpoints), set()
        self._whole, self._steps = set(), []
        totals.waited("fetch_barrier", since)

    def _count_on(self, endpoints: Sequence[str]) -> None:
        """Note all servers of the job, in their order."""
        for number, endpoint in enumerate(endpoints):
            self._numbers[endpoint] = number
            self._connection(endpoint).told = True

    def look_up(self, ids: Any, tables: Sequence[str], endpoints: Sequence[str], heights: Sequence[int]) -> Any:
        """Return rows of a table that is cut over servers; see `Peers.look_up`."""
        since = time.perf_counter()
        bounds = np.searchsorted(ids, [0, *accumulate(heights)])
        outside = np.concatenate([ids[: bounds[0]], ids[bounds[-1] :]])
        if len(outside) and not all(self._is_ours(endpoint) for endpoint in endpoints):
            raise _beyond(outside, heights, None)
        share = part_of_ids(outside, len(tables))
        calls, order = [], []
        for number, (table, endpoint) in enumerate(zip(tables, endpoints, strict=True)):
            inside = ids[bounds[number] : bounds[number + 1]]
            mine = outside[share == number]
            order += [inside, mine]
            wanted = np.concatenate([inside - sum(heights[:number]), mine])
            if len(wanted):
                message = Message(
                    f"prefetch_send@{endpoint}", wanted.astype("int64", copy=False).reshape(-1, 1),
                    f"prefetch_recv@{endpoint}", self._trainer, table,
                )  # fmt: skip
                calls.append((self._call(endpoint, "PrefetchVariable", message), len(wanted)))
        try:
            parts = [_rows(call, count) for call, count in calls]
        except PeerError as error:
            if len(outside) and not isinstance(error, PeerLost):
                raise _beyond(outside, heights, error) from None
            raise
        totals.waited("distributed_lookup_table", since)
        rows = np.concatenate(parts) if len(parts) != 1 else np.array(parts[0])
        return rows[np.argsort(np.concatenate(order))] if len(outside) else rows

    def _is_ours(self, endpoint: str) -> bool:
        """Return whether a server has answered that it is one of paddle_lite."""
        found = self._connections.get(endpoint)
        return found is not None and bool(found.ours)

    def grown(self, names: Sequence[str], endpoints: Sequence[str], trainer_id: int) -> list[SelectedRows]:
        """Return the rows of tables that the Program does not declare; see `Peers.grown`."""
        self._trainer = trainer_id
        calls = []
        for name, endpoint in zip(names, endpoints, strict=True):
            if self._connection(endpoint).ours is not False:  # PaddlePaddle has none
                message = Message(name + GROWN + WITHOUT_BARRIER, out_name=name + GROWN, trainer_id=trainer_id)
                calls.append(self._call(endpoint, "GetVariableNoBarrier", message))
        found = [call.answer().value for call in calls]
        for call, value in zip(calls, found, strict=True):
            if not isinstance(value, SelectedRows) or value.height != UNBOUNDED:
                raise PeerError(
                    f"server {call.connection.endpoint}: {call.method} of {call.name!r} was answered without rows"
                )
        return found

    def save_table(self, table: str, folder: str, endpoints: Sequence[str], trainer_id: int) -> None:
        """Have each server write its part of a table into a folder that they all see; see `Peers.save_table`."""
        since = time.perf_counter()
        self._trainer = trainer_id
        calls = [
            self._call(
                endpoint,
                "CheckpointNotify",
                Message(SAVE, out_name=f"{folder}/{table}_{number}", trainer_id=trainer_id),
            )
            for number, endpoint in enumerate(endpoints)
        ]
        for call in calls:
            call.answer()
        totals.waited("checkpoint_notify", since)

    def notify(self, names: Sequence[str], values: Sequence[Any], endpoints: Sequence[str], trainer_id: int) -> None:
        """Tell servers of PaddlePaddle how many steps this trainer makes; those of paddle_lite count steps themselves."""
        self._trainer = trainer_id
        theirs = [endpoint for endpoint in endpoints if not self._is_ours(endpoint)]
        notices = [Message(name, value, trainer_id=trainer_id) for name, value in zip(names, values, strict=True)]
        for call in [self._call(each, "DistributeNotify", notice) for each in theirs for notice in notices]:
            call.answer()

    def stepped(self, examples: int) -> None:
        """Count a step of this trainer; see `Peers.stepped`. A trainer that does not call servers itself learns of a loss here."""
        if self.failure is not None:
            raise self._raised()
        totals.stepped(examples)

    def leave(self) -> None:
        """Tell all servers that this trainer has finished, and close the connections."""
        told = sorted(connection.endpoint for connection in self._connections.values() if connection.told)
        try:
            for connection in self._connections.values():
                if connection.heart is not None:
                    connection.heart.stop()
            if told and self.failure is None:
                self.settle()
                self._tell(told, "SendVariable", COMPLETE)
        finally:
            if self._connections:
                self._numbers = {}  # another job may follow
            for connection in self._connections.values():
                connection.close()
            self._connections.clear()
            self._pending.clear()
            self._asked, self._usual, self._ahead = [], [], {}
            self._barred, self._stepped, self._whole, self._steps, self._held = set(), set(), set(), [], {}
            self.failure = None
            self._told.clear()

    def ended(self, why: str | None) -> None:
        """Take notice that this process ends: tell servers of paddle_lite, unless `leave` has done so.

        Arguments:
            why: the error that ends it; None if none does.
        """
        self._told.set()  # the program knows why it ends
        ours = [connection for connection in self._connections.values() if connection.ours]
        if why is not None and self.failure is None and ours:
            self.failure = PeerLost("trainer", self._trainer, "", why)
            self._report(ours, self.failure)
        elif self.failure is None:
            for connection in ours:
                if connection.heart is not None:
                    connection.heart.stop()
                if connection.told:
                    self._tell([connection.endpoint], "SendVariable", COMPLETE)
        for connection in self._connections.values():
            connection.close()
        self._connections.clear()


def report(connections: Sequence[Connection], lost: PeerLost, seconds: float = 1.0) -> None:
    """Tell servers of paddle_lite that a process is lost, within some seconds."""
    data, ends = pack_loss(lost), time.monotonic() + seconds
    for future in [connection.tell(LOST, data, seconds) for connection in connections]:
        try:
            future.result(max(0.0, ends - time.monotonic()))
        except Exception:  # it is lost, too, or knows already
            continue


def wait_for_servers(endpoints: Sequence[str]) -> None:
    """Wait until all servers of a job listen, at most for FLAGS_rpc_deadline; then tell those that do which one does not.

    Raises:
        ModeError: gRPC is not installed.
        PeerLost: a server does not listen in time.
    """
    needed_grpc()  # rather than after the wait
    try:
        wait_for_ports(endpoints, deadline())
    except PeerLost as lost:
        others = [Connection(each) for each in endpoints if each != lost.endpoint and listens(each)]
        report(others, lost)
        for connection in others:
            connection.close()
        raise


def _landed(value: Any, target: Any, name: str, endpoint: str) -> Any:
    """Write a received value into an array and return the array."""
    if value.shape != target.shape or value.dtype != target.dtype:
        got, needs = (f"{each.dtype} {list(each.shape)}" for each in (value, target))
        fix = "Transpile the Programs of trainers and servers with the same arguments."
        raise PeerError(error_text(f"server {endpoint}: GetVariable", repr(name), got, needs, fix))
    target[...] = value
    return target


def _beyond(ids: Any, heights: Sequence[int], refused: PeerError | None) -> IndexRangeError:
    """Return the error of a look-up of ids that a table does not have.

    Arguments:
        refused: what a server has answered; None where none was asked.
    """
    fix = "A table of embedding(is_distributed=True) gets a row for each id, on servers of paddle_lite."
    if refused is not None:
        fix += f" The answer was: {refused}"
    needs = f"0 to {sum(heights) - 1}, the rows of the table"
    return IndexRangeError(error_text("distributed_lookup_table", "Ids", ids[0], needs, fix))


def _rows(call: Call, count: int) -> Any:
    """Return the answer to a look-up of so many rows."""
    rows = call.answer().value
    if not isinstance(rows, np.ndarray) or rows.ndim != 2 or len(rows) != count:
        got = "no array" if not isinstance(rows, np.ndarray) else f"an array of shape {list(rows.shape)}"
        raise PeerError(f"server {call.connection.endpoint}: a look-up of {count} rows was answered with {got}")
    return rows
