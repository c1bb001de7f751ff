"""What the two orders of calls, synchronous and asynchronous, share."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from ...core.dtype import to_numpy
from ...core.errors import PeerError, message
from ..rpc.wire import Message
from .updates import split_updates
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
    """

    def __init__(self, program: Any, listen: Any, scope: Any, executor: Any) -> None:
        self._scope, self._executor = scope, executor
        self._decay, self._updates = split_updates(program, listen)
        self._live = listen.attr("Fanin")
        self.finished = threading.Event()
        self.failure: Exception | None = None

    def notify(self, message: Message, address: str) -> Message:
        """Refuse a notice: this server saves when trainers ask for its values."""
        raise PeerError(f"this server does not take the notice {message.name!r}")

    def _value(self, name: str) -> Message:
        """Return a message with the value of a variable."""
        return Message(name, array_of(self._scope, name))

    def _store(self, name: str, value: Any, expected: Mapping[str, Any]) -> None:
        """Store a gradient.

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
        if variable is not None:
            shape, dtype = tuple(variable.shape), to_numpy(variable.dtype)
            if -1 not in shape and (tuple(value.shape) != shape or value.dtype != dtype):
                got = f"{value.dtype} {list(value.shape)}"
                needs = f"{dtype} {list(shape)}, the shape of the parameter"
                raise PeerError(message("SendVariable", name, got, needs))
        put(self._scope, name, value)

    def _decay_learning_rate(self) -> None:
        if self._decay is not None:
            self._decay.run(self._executor, self._scope)
