"""The service of a parameter server: gRPC on one side, an object with `send`, `get` and `look_up` on the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from ...core.errors import EnforceNotMet, PeerError, PeerLost
from .connection import OPTIONS
from .control import KEY, LOST_KEY, METADATA, pack_loss
from .control import SERVICE as CONTROL
from .grpc_package import grpc
from .wire import SERVICE, Message, decode

MOST_TEXT = 1500  # characters of an error that a trainer is told
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

    def counted(self, address: str, received: int, sent: int) -> None:
        """Count the bytes of a call."""


class Service:
    """A listening server.

    Arguments:
        endpoint: "HOST:PORT"; it listens on this address only.
        handler: what it does with messages.
        control: the methods of the service of paddle_lite's own.

    Raises:
        PeerError: the address cannot be taken.
    """

    def __init__(self, endpoint: str, handler: Handler, control: Mapping[str, Callable[[bytes, Any], bytes]]) -> None:
        module = grpc()
        methods = {
            "SendVariable": handler.send,
            "GetVariable": handler.get,
            "GetVariableNoBarrier": handler.get_now,
            "PrefetchVariable": handler.look_up,
            "CheckpointNotify": handler.notify,
            "DistributeNotify": handler.notify,
        }
        answers = {name: _answering(method, handler.counted) for name, method in methods.items()}
        self._threads = ThreadPoolExecutor(MOST_CALLS, thread_name_prefix="parameter-server")
        self._server = module.server(self._threads, options=(*OPTIONS, ("grpc.so_reuseport", 0)))
        for service, made in ((SERVICE, answers), (CONTROL, control)):
            handlers = {name: module.unary_unary_rpc_method_handler(method) for name, method in made.items()}
            self._server.add_generic_rpc_handlers((module.method_handlers_generic_handler(service, handlers),))
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


def abort(context: Any, error: EnforceNotMet) -> bytes:
    """End a call with the text of an error and, if a process of the job is lost, with which one."""
    if isinstance(error, PeerLost):
        context.set_trailing_metadata(((LOST_KEY, pack_loss(error)),))
    context.abort(grpc().StatusCode.ABORTED, str(error)[:MOST_TEXT])
    raise error


def _answering(
    method: Callable[[Message, str], Message], counted: Callable[[str, int, int], None]
) -> Callable[[bytes, Any], bytes]:
    """Return what gRPC calls with the bytes of a message; an error is sent to the trainer as its text."""
    greeted: set[str] = set()

    def answer(data: bytes, context: Any) -> bytes:
        address = context.peer()
        if address not in greeted:  # a process of paddle_lite says so until it is told that this is one, too
            if any(key == KEY for key, _ in context.invocation_metadata()):
                context.send_initial_metadata(METADATA)
            else:
                greeted.add(address)
        try:
            reply = method(decode(data), address).encoded()
        except EnforceNotMet as error:
            return abort(context, error)
        counted(address, len(data), len(reply))
        return reply

    return answer
