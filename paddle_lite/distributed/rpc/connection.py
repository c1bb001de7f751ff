"""The way from a trainer to one server, and the calls that are under way on it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from ...core.profiling.recording import Active
from ...kernels.interruptible import InterruptsLater
from .control import KEY, METADATA, STEP, VERSION
from .control import SERVICE as CONTROL
from .grpc_package import grpc as needed_grpc
from .heartbeats import PAUSE, Heart, deadline, retries
from .traffic import totals
from .wire import SERVICE, Message, decode

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


class Connection:
    """The way to one server.

    Arguments:
        endpoint: of the server.

    Attributes:
        ours: whether it is a server of paddle_lite; None before it has answered.
        whole_steps: whether it takes all messages of a step in one call.
        told: whether the server counts on this trainer.
        heart: what sends heartbeats to it; None for other servers.
    """

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self.channel = needed_grpc().insecure_channel(endpoint, options=OPTIONS)
        self.traffic = totals.peer(endpoint)
        self.ours: bool | None = None
        self.whole_steps = False
        self.told = False
        self.heart: Heart | None = None
        self._stubs: dict[str, Any] = {}

    def start(self, method: str, data: bytes) -> Any:
        """Start a call and return its future. Until the server has answered, calls say who we are.

        A server that answers heartbeats may keep a call for longer, while it waits for another trainer that lives.
        """
        stub = self._stubs.get(method)
        if stub is None:
            service = CONTROL if method == STEP else SERVICE
            stub = self._stubs[method] = self.channel.unary_unary(f"/{service}/{method}")
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
        name: of the variable, for errors.
        data: what is sent.
        failed: makes the error to raise from what gRPC raised.
        greeted: called when a server of paddle_lite has answered for the first time.
    """

    def __init__(
        self,
        connection: Connection,
        method: str,
        name: str,
        data: bytes,
        failed: Callable[[Call, Any], Exception],
        greeted: Callable[[Connection], None],
    ) -> None:
        self.connection, self.method, self.name, self._data = connection, method, name, data
        self._failed, self._greeted = failed, greeted
        self.started = time.monotonic()
        self._future = connection.start(method, self._data)
        if Active.recording is not None:
            self._record(Active.recording)

    def done(self) -> bool:
        """Return whether the answer is there."""
        return self._future.done()

    def answer(self) -> Message:
        """Wait for the answer and return it as a message; the errors are those of `answered`."""
        data = self.answered()
        return Message() if data is None else decode(data)

    def answered(self) -> Any:
        """Wait for the answer and return its bytes; None of a server of PaddlePaddle that has none. A server that cannot be connected is tried again.

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
            said = dict(self._future.initial_metadata() or ())
            self.connection.ours, self.connection.whole_steps = KEY in said, said.get(KEY) == VERSION
            if self.connection.ours:
                self._greeted(self.connection)
        if data is not None:
            traffic.received += len(data)
        return data

    def _record(self, recording: Any) -> None:
        """Report the call to the profiler when it is answered."""
        began, sent = time.perf_counter_ns(), len(self._data)

        def answered(future: Any) -> None:
            data = None if future.cancelled() or future.exception() is not None else future.result()
            name = f"{self.method} {self.name}"
            recording.transfer(self.connection.endpoint, name, began, sent, 0 if data is None else len(data))

        self._future.add_done_callback(answered)
