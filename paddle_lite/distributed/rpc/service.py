"""The service of a parameter server: gRPC on one side, an object with `send`, `get` and `look_up` on the other."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from ...core.errors import EnforceNotMet, PeerError
from .client import OPTIONS
from .needs import grpc
from .wire import SERVICE, Message, decode

MOST_CALLS = 4096  # calls that may wait at the same time; each has a thread while it waits


class Handler(Protocol):
    """What a server does with messages from the address of a trainer. Each method may wait; it returns the answer."""

    def send(self, message: Message, address: str) -> Message:
        """Take a value or a barrier."""

    def get(self, message: Message, address: str) -> Message:
        """Return a value, or take a barrier."""

    def get_now(self, message: Message, address: str) -> Message:
        """Return a value in any phase."""

    def look_up(self, message: Message, address: str) -> Message:
        """Return rows of a table."""

    def notify(self, message: Message, address: str) -> Message:
        """Take a notice, such as a request to save."""


class Service:
    """A listening server.

    Arguments:
        endpoint: "HOST:PORT"; it listens on this address only.
        handler: what it does with messages.

    Raises:
        PeerError: the address cannot be taken.
    """

    def __init__(self, endpoint: str, handler: Handler) -> None:
        module = grpc()
        methods = {
            "SendVariable": handler.send,
            "GetVariable": handler.get,
            "GetVariableNoBarrier": handler.get_now,
            "PrefetchVariable": handler.look_up,
            "CheckpointNotify": handler.notify,
            "DistributeNotify": handler.notify,
        }
        handlers = {name: module.unary_unary_rpc_method_handler(_answering(method)) for name, method in methods.items()}
        self._threads = ThreadPoolExecutor(MOST_CALLS, thread_name_prefix="parameter-server")
        self._server = module.server(self._threads, options=(*OPTIONS, ("grpc.so_reuseport", 0)))
        self._server.add_generic_rpc_handlers((module.method_handlers_generic_handler(SERVICE, handlers),))
        try:
            bound = self._server.add_insecure_port(endpoint)
        except RuntimeError:
            bound = 0
        if not bound:
            raise PeerError(
                f"server {endpoint}: the address cannot be taken: another process listens there, or it is not local"
            )
        self._server.start()

    def stop(self, grace: float = 1.0) -> None:
        """Take no more calls, and end those that are under way after `grace` seconds."""
        self._server.stop(grace).wait()
        self._threads.shutdown(wait=False, cancel_futures=True)


def _answering(method: Callable[[Message, str], Message]) -> Callable[[bytes, Any], bytes]:
    """Return what gRPC calls with the bytes of a message; an error is sent to the trainer as its text."""

    def answer(data: bytes, context: Any) -> bytes:
        try:
            return method(decode(data), context.peer()).encoded()
        except EnforceNotMet as error:
            context.abort(grpc().StatusCode.ABORTED, str(error))
            raise

    return answer
