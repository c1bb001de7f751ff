"""The side of the trainers: calls of parameter servers."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...core.errors import IndexRangeError, PeerError
from ...core.errors import message as error_text
from ...core.flags import get_flags
from .needs import grpc as needed_grpc
from .wire import SERVICE, Message, decode

BATCH_BARRIER, FETCH_BARRIER, COMPLETE = "BATCH_BARRIER@RECV", "FETCH_BARRIER@RECV", "COMPLETE@RECV"
OPTIONS = (
    ("grpc.max_send_message_length", -1),
    ("grpc.max_receive_message_length", -1),
    ("grpc.enable_http_proxy", 0),
)
MOST_PENDING = 64  # sends that nobody has waited for
PAUSE = 0.5  # seconds before a call is tried again


def deadline() -> float:
    """Return how many seconds a call may take: the flag FLAGS_rpc_deadline, in milliseconds."""
    return get_flags(["FLAGS_rpc_deadline"])["FLAGS_rpc_deadline"] / 1000


class Call:
    """A call of a server that is under way.

    Arguments:
        endpoint, method: of the server.
        message: what is sent.
    """

    def __init__(self, stub: Any, endpoint: str, method: str, message: Message) -> None:
        self._stub, self.endpoint, self.method, self.name = stub, endpoint, method, message.name
        self._data = message.encoded()
        self._started = time.monotonic()
        self._future = stub.future(self._data, timeout=deadline())

    def done(self) -> bool:
        """Return whether the answer is there."""
        return self._future.done()

    def answer(self) -> Message:
        """Wait for the answer and return it. A server that cannot be connected is tried again.

        Raises:
            PeerError: the server does not answer, or refuses.
        """
        grpc = needed_grpc()
        tries = get_flags(["FLAGS_rpc_retry_times"])["FLAGS_rpc_retry_times"]
        while True:
            try:
                data = self._future.result()
                return Message() if data is None else decode(data)
            except grpc.RpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE or tries <= 0:
                    raise self._lost(error) from None
            tries -= 1
            time.sleep(PAUSE)
            self._future = self._stub.future(self._data, timeout=deadline())

    def _lost(self, error: Any) -> PeerError:
        grpc = needed_grpc()
        took = time.monotonic() - self._started
        if error.code() is grpc.StatusCode.ABORTED:
            return PeerError(f"server {self.endpoint}: {error.details()}")
        reason = {
            grpc.StatusCode.UNAVAILABLE: "is not reachable: it has ended, or was never started",
            grpc.StatusCode.DEADLINE_EXCEEDED: "has not answered",
        }.get(error.code(), f"failed ({error.code().name}: {error.details()})")
        return PeerError(
            f"server {self.endpoint} {reason}: {self.method} of {self.name!r}, {took:.1f} s after the call "
            f"(FLAGS_rpc_deadline={deadline() * 1000:.0f} ms, process {os.getpid()}). Start the job again from its latest checkpoint."
        )


class Servers:
    """The parameter servers of a job, as one trainer calls them."""

    def __init__(self) -> None:
        self._channels: dict[str, Any] = {}
        self._stubs: dict[tuple[str, str], Any] = {}
        self._pending: list[Call] = []
        self._trainer = 0
        self._told: set[str] = set()  # servers that count on this trainer

    # --- calls --------------------------------------------------------------------------------------------------------

    def _call(self, endpoint: str, method: str, message: Message) -> Call:
        stub = self._stubs.get((endpoint, method))
        if stub is None:
            if endpoint not in self._channels:
                self._channels[endpoint] = needed_grpc().insecure_channel(endpoint, options=OPTIONS)
            stub = self._stubs[endpoint, method] = self._channels[endpoint].unary_unary(f"/{SERVICE}/{method}")
        return Call(stub, endpoint, method, message)

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

    # --- what operators call ------------------------------------------------------------------------------------------

    def send(self, names: Sequence[str], values: Sequence[Any], endpoints: Sequence[str], trainer_id: int) -> None:
        """Start to send values to servers, one endpoint for each; `send_barrier` waits for them."""
        self._trainer = trainer_id
        self._settle(MOST_PENDING)
        for name, value, endpoint in zip(names, values, endpoints, strict=True):
            self._told.add(endpoint)
            self._pending.append(self._call(endpoint, "SendVariable", Message(name, value, trainer_id=trainer_id)))

    def send_barrier(self, endpoints: Sequence[str], trainer_id: int) -> None:
        """Wait until all values have arrived, and tell the servers that this trainer has sent all of a step."""
        self._trainer = trainer_id
        self._settle(0)
        self._told.update(endpoints)
        self._tell(endpoints, "SendVariable", BATCH_BARRIER)

    def receive(self, names: Sequence[str], endpoints: Sequence[str], trainer_id: int, now: bool = False) -> list[Any]:
        """Return values of servers, one endpoint for each name; see `Peers.receive`."""
        self._trainer = trainer_id
        calls = []
        for name, endpoint in zip(names, endpoints, strict=True):
            self._told.add(endpoint)
            message = Message(name, out_name=name, trainer_id=trainer_id)
            calls.append(self._call(endpoint, "GetVariableNoBarrier" if now else "GetVariable", message))
        values = [call.answer().value for call in calls]
        for name, endpoint, value in zip(names, endpoints, values, strict=True):
            if value is None:
                raise PeerError(f"server {endpoint}: GetVariable of {name!r} was answered without a value")
        return values

    def fetch_barrier(self, endpoints: Sequence[str], trainer_id: int) -> None:
        """Tell the servers that this trainer has received all values of a step."""
        self._trainer = trainer_id
        self._told.update(endpoints)
        self._tell(endpoints, "GetVariable", FETCH_BARRIER)

    def look_up(self, ids: Any, tables: Sequence[str], endpoints: Sequence[str], heights: Sequence[int]) -> Any:
        """Return rows of a table that is cut over servers; see `Peers.look_up`."""
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
                calls.append(self._call(endpoint, "PrefetchVariable", message))
        parts = [call.answer().value for call in calls]
        return np.concatenate(parts) if len(parts) != 1 else np.array(parts[0])

    def leave(self) -> None:
        """Tell all servers that this trainer is done, and close the connections."""
        try:
            if self._told:
                self._settle(0)
                self._tell(sorted(self._told), "SendVariable", COMPLETE)
        finally:
            for channel in self._channels.values():
                channel.close()
            self._channels.clear()
            self._stubs.clear()
            self._pending.clear()
            self._told.clear()
