"""Heartbeats: a trainer tells a server that it lives, and learns that the server does not."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from ...core.flags import get_flags
from .control import HEARTBEAT, SERVICE
from .grpc_package import grpc as needed_grpc

PAUSE = 0.5  # seconds before a call that could not be connected is tried again
LONGEST = 5.0


def deadline() -> float:
    """Return how many seconds a call may take: the flag FLAGS_rpc_deadline, in milliseconds."""
    return get_flags(["FLAGS_rpc_deadline"])["FLAGS_rpc_deadline"] / 1000


def retries() -> int:
    """Return how often a call is tried again that could not be connected: the flag FLAGS_rpc_retry_times."""
    return get_flags(["FLAGS_rpc_retry_times"])["FLAGS_rpc_retry_times"]


def interval() -> float:
    """Return how many seconds a server keeps a heartbeat before it answers it."""
    return min(deadline() / 4, LONGEST)


class Heart:
    """Sends heartbeats to a server of paddle_lite, in a thread of its own.

    A heartbeat is a call that the server answers after a while; then comes the next one. So a process that ends is
    noticed at once by the end of the call, and one that hangs by the deadline, on both sides.

    Arguments:
        endpoint: of the server.
        channel: the connection.
        body: returns the message.
        lost: called with the error of gRPC when the server is lost.
    """

    def __init__(self, endpoint: str, channel: Any, body: Callable[[], bytes], lost: Callable[[Any], None]) -> None:
        self._stub = channel.unary_unary(f"/{SERVICE}/{HEARTBEAT}")
        self._body, self._lost = body, lost
        self._stopped = threading.Event()
        self._future: Any = None
        self._thread = threading.Thread(target=self._beat, name=f"heartbeat to {endpoint}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the heartbeats."""
        self._stopped.set()
        if self._future is not None:
            self._future.cancel()
        if threading.current_thread() is not self._thread:
            self._thread.join(2)

    def _beat(self) -> None:
        grpc = needed_grpc()
        tries = retries()
        while not self._stopped.is_set():
            try:
                self._future = self._stub.future(self._body(), timeout=deadline())
                if self._stopped.is_set():
                    self._future.cancel()
                self._future.result()
                tries = retries()
            except (grpc.FutureCancelledError, ValueError):  # stopped; the channel is closed
                return
            except grpc.RpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE or tries <= 0:
                    if not self._stopped.is_set():
                        self._lost(error)
                    return
                tries -= 1
                self._stopped.wait(PAUSE)
