"""The side of the trainers: calls of parameter servers."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...core.errors import IndexRangeError, PeerError, PeerLost
from ...core.errors import message as error_text
from ...core.profiling.recording import Active
from ...core.selected_rows import SelectedRows
from ...kernels.interruptible import InterruptsLater
from . import ending
from .control import BEAT, KEY, LOST, LOST_KEY, METADATA, pack, pack_loss, unpack_loss
from .control import SERVICE as CONTROL
from .heart import PAUSE, Heart, deadline, retries
from .needs import grpc as needed_grpc
from .ports import listens, wait_for_ports
from .traffic import totals
from .wire import SERVICE, WITHOUT_BARRIER, Message, decode

BATCH_BARRIER, FETCH_BARRIER, COMPLETE = "BATCH_BARRIER@RECV", "FETCH_BARRIER@RECV", "COMPLETE@RECV"
SAVE = "SAVE@CHECKPOINTNOTIFY"
OPTIONS = (
    ("grpc.max_send_message_length", -1),
    ("grpc.max_receive_message_length", -1),
    ("grpc.enable_http_proxy", 0),
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.min_reconnect_backoff_ms", 200),
    ("grpc.max_reconnect_backoff_ms", 1000),
    (
        "grpc.use_local_subchannel_pool",
        1,
    ),  # a connection of its own, so that a server can tell trainers by their address
)
TELL = 0.3  # seconds in which a program that calls servers has raised that one is lost
MOST_PENDING = 64  # sends that nobody has waited for


class Connection:
    """The way to one server.

    Arguments:
        endpoint: of the server.

    Attributes:
        ours: whether it is a server of paddle_lite; None before it has answered.
        told: whether the server counts on this trainer.
        heart: what sends heartbeats to it; None for other servers.
    """

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self.channel = needed_grpc().insecure_channel(endpoint, options=OPTIONS)
        self.traffic = totals.peer(endpoint)
        self.ours: bool | None = None
        self.told = False
        self.heart: Heart | None = None
        self._stubs: dict[str, Any] = {}

    def start(self, method: str, data: bytes) -> Any:
        """Start a call and return its future. Until the server has answered, calls say who we are.

        A server that answers heartbeats may keep a call for longer, while it waits for another trainer that lives.
        """
        stub = self._stubs.get(method)
        if stub is None:
            stub = self._stubs[method] = self.channel.unary_unary(f"/{SERVICE}/{method}")
        self.traffic.calls += 1
        self.traffic.sent += len(data)
        seconds = deadline() if self.heart is None else 2 * deadline()
        with InterruptsLater():  # a call that gRPC has half made would never end, and with it no close of the channel
            return stub.future(data, timeout=seconds, metadata=METADATA if self.ours is None else None)

    def tell(self, method: str, data: bytes, timeout: float) -> Any:
        """Start a call of the service of paddle_lite's own."""
        return self.channel.unary_unary(f"/{CONTROL}/{method}").future(data, timeout=timeout)

    def close(self) -> None:
        """End the heartbeats and close the connection."""
        if self.heart is not None:
            self.heart.stop()
        self.channel.close()


class Call:
    """A call of a server that is under way.

    Arguments:
        connection: to the server.
        method: of the server.
        message: what is sent.
        failed: makes the error to raise from what gRPC raised.
        greeted: called when a server of paddle_lite has answered for the first time.
    """

    def __init__(
        self,
        connection: Connection,
        method: str,
        message: Message,
        failed: Callable[[Call, Any], Exception],
        greeted: Callable[[Connection], None],
    ) -> None:
        self.connection, self.method, self.name = connection, method, message.name
        self._data = message.encoded()
        self._failed, self._greeted = failed, greeted
        self.started = time.monotonic()
        self._future = connection.start(method, self._data)
        if Active.recording is not None:
            self._record(Active.recording)

    def done(self) -> bool:
        """Return whether the answer is there."""
        return self._future.done()

    def answer(self) -> Message:
        """Wait for the answer and return it. A server that cannot be connected is tried again.

        Raises:
            PeerLost: the server does not answer, or another process of the job is lost.
            PeerError: the server refuses.
        """
        grpc = needed_grpc()
        traffic, tries = self.connection.traffic, retries()
        while True:
            since = time.perf_counter()
            try:
                data = self._future.result()
            except grpc.FutureCancelledError:
                raise self._failed(self, None) from None
            except grpc.RpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE or tries <= 0:
                    raise self._failed(self, error) from None
            else:
                took = time.perf_counter() - since
                traffic.waited += took
                if Active.recording is not None:
                    Active.recording.waited(self.connection.endpoint, took)
                break
            tries -= 1
            time.sleep(PAUSE)
            try:
                self._future = self.connection.start(self.method, self._data)
            except ValueError:  # the channel was closed, for a process is lost
                raise self._failed(self, None) from None
        if self.connection.ours is None:
            self.connection.ours = any(key == KEY for key, _ in self._future.initial_metadata() or ())
            if self.connection.ours:
                self._greeted(self.connection)
        if data is None:
            return Message()
        traffic.received += len(data)
        return decode(data)

    def _record(self, recording: Any) -> None:
        """Report the call to the profiler when it is answered."""
        began, sent = time.perf_counter_ns(), len(self._data)

        def answered(future: Any) -> None:
            data = None if future.cancelled() or future.exception() is not None else future.result()
            name = f"{self.method} {self.name}"
            recording.transfer(self.connection.endpoint, name, began, sent, 0 if data is None else len(data))

        self._future.add_done_callback(answered)


class Servers:
    """The parameter servers of a job, as one trainer calls them."""

    def __init__(self) -> None:
        self._connections: dict[str, Connection] = {}
        self._pending: list[Call] = []
        self._asked: list[tuple[str, str]] = []  # (name, endpoint) of the values that this step has received
        self._usual: list[tuple[str, str]] = []  # those of the step before
        self._ahead: dict[tuple[str, str], Call] = {}  # calls for such values, before their turn
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
            return Call(self._connection(endpoint), method, message, self._failed, self._greeted)
        except ValueError:  # the channel was closed, for a process is lost
            raise self._raised() from None

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
        """Take notice that heartbeats to a server have failed."""
        lost = self._loss(endpoint, "", time.monotonic(), error)
        if not isinstance(lost, PeerLost):
            lost = PeerLost("server", self._numbers.get(endpoint, -1), endpoint, str(lost))
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
        """Return the loss to raise it: the program is told."""
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
        number = self._numbers.get(endpoint, -1)
        return PeerLost("server", number, endpoint, reasons[code], called, time.monotonic() - since)

    def _lose(self, lost: PeerLost) -> None:
        """Take notice that a process is lost: tell the servers, and end the calls that are under way."""
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
            self._connection(endpoint).told = True
            self._pending.append(self._call(endpoint, "SendVariable", Message(name, value, trainer_id=trainer_id)))

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
        self._tell(endpoints, "SendVariable", BATCH_BARRIER)
        self._ahead = {each: self._ask(*each) for each in self._usual}
        totals.waited("send_barrier", since)

    def settle(self) -> None:
        """Wait until all values have arrived."""
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
                changed and (value is None or isinstance(value, SelectedRows))
            ):
                raise PeerError(f"server {endpoint}: GetVariable of {name!r} was answered without an array")
            values.append(value if out is None else _landed(value, out[place], name, endpoint))
        totals.waited("recv", since)
        return values

    def _ask(self, name: str, endpoint: str) -> Call:
        """Start to get the value of this step."""
        return self._call(endpoint, "GetVariable", Message(name, out_name=name, trainer_id=self._trainer))

    def fetch_barrier(self, endpoints: Sequence[str], trainer_id: int) -> None:
        """Tell the servers that this trainer has received all values of a step."""
        since = time.perf_counter()
        self._trainer = trainer_id
        self._count_on(endpoints)
        for call in self._ahead.values():  # what this step has not wanted
            call.answer()
        self._ahead, self._usual, self._asked = {}, list(dict.fromkeys(self._asked)), []
        self._tell(endpoints, "GetVariable", FETCH_BARRIER)
        totals.waited("fetch_barrier", since)

    def _count_on(self, endpoints: Sequence[str]) -> None:
        """Note all servers of the job, in their order."""
        for number, endpoint in enumerate(endpoints):
            self._numbers[endpoint] = number
            self._connection(endpoint).told = True

    def look_up(self, ids: Any, tables: Sequence[str], endpoints: Sequence[str], heights: Sequence[int]) -> Any:
        """Return rows of a table that is cut over servers; see `Peers.look_up`."""
        since = time.perf_counter()
        outside = ids[(ids < 0) | (ids >= sum(heights))]
        if len(outside):
            needs = f"0 to {sum(heights) - 1}, the rows of the table"
            raise IndexRangeError(error_text("distributed_lookup_table", "Ids", outside[0], needs))
        calls, start = [], 0
        for table, endpoint, height in zip(tables, endpoints, heights, strict=True):
            inside = ids[(ids >= start) & (ids < start + height)] - start
            start += height
            if len(inside):
                message = Message(
                    f"prefetch_send@{endpoint}", np.ascontiguousarray(inside, "int64").reshape(-1, 1),
                    f"prefetch_recv@{endpoint}", self._trainer, table,
                )  # fmt: skip
                calls.append((self._call(endpoint, "PrefetchVariable", message), len(inside)))
        parts = [_rows(call, count) for call, count in calls]
        totals.waited("distributed_lookup_table", since)
        return np.concatenate(parts) if len(parts) != 1 else np.array(parts[0])

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

    def stepped(self, examples: int) -> None:
        """Count a step of this trainer; see `Peers.stepped`. A trainer that does not call servers itself learns of a loss here."""
        if self.failure is not None:
            raise self._raised()
        totals.stepped(examples)

    def leave(self) -> None:
        """Tell all servers that this trainer is done, and close the connections."""
        told = sorted(connection.endpoint for connection in self._connections.values() if connection.told)
        try:
            for connection in self._connections.values():
                if connection.heart is not None:
                    connection.heart.stop()
            if told and self.failure is None:
                self._settle(0)
                self._tell(told, "SendVariable", COMPLETE)
        finally:
            if self._connections:
                self._numbers = {}  # another job may follow
            for connection in self._connections.values():
                connection.close()
            self._connections.clear()
            self._pending.clear()
            self._asked, self._usual, self._ahead = [], [], {}
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
        PeerLost: a server does not listen in time.
    """
    try:
        wait_for_ports(endpoints, deadline())
    except PeerLost as lost:
        others = [Connection(each) for each in endpoints if each != lost.endpoint and listens(each)]
        report(others, lost)
        for connection in others:
            connection.close()
        raise


def _landed(value: Any, target: Any, name: str, endpoint: str) -> Any:
    """Write a received value into an array and return that."""
    if value.shape != target.shape or value.dtype != target.dtype:
        got, needs = (f"{each.dtype} {list(each.shape)}" for each in (value, target))
        fix = "Transpile the Programs of trainers and servers with the same arguments."
        raise PeerError(error_text(f"server {endpoint}: GetVariable", repr(name), got, needs, fix))
    target[...] = value
    return target


def _rows(call: Call, count: int) -> Any:
    """Return the answer to a look-up of so many rows."""
    rows = call.answer().value
    if not isinstance(rows, np.ndarray) or rows.ndim != 2 or len(rows) != count:
        got = "no array" if not isinstance(rows, np.ndarray) else f"an array of shape {list(rows.shape)}"
        raise PeerError(f"server {call.connection.endpoint}: a look-up of {count} rows was answered with {got}")
    return rows
