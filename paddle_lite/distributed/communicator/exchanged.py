"""What a trainer's Program sends to servers and receives from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.selected_rows import SelectedRows
from ...core.tensor import LoDTensor
from ...static.operators.peers import Peers
from ...static.operators.rpc import cut


@dataclass
class Sent:
    """A gradient that is sent.

    Attributes:
        names: of its parts, on the servers.
        endpoints: the server of each part.
        sections: the number of rows of each part.
        trainer_id: who sends it.
    """

    names: list[str]
    endpoints: list[str]
    sections: list[int]
    trainer_id: int

    def start(self, peers: Peers, value: Any) -> None:
        """Start to send a value."""
        peers.send(self.names, cut(value, self.sections), self.endpoints, self.trainer_id)

    def deliver(self, peers: Peers, value: Any) -> None:
        """Send a value and wait until it has arrived."""
        peers.deliver(self.names, cut(value, self.sections), self.endpoints, self.trainer_id)


@dataclass
class Received:
    """A parameter that is received.

    Attributes:
        target: its name here.
        names: of its parts, on the servers.
        endpoints: the server of each part.
        trainer_id: who receives it.
    """

    target: str
    names: list[str]
    endpoints: list[str]
    trainer_id: int


def sends_of(program: Any) -> dict[str, Sent]:
    """Return what a Program sends through a Communicator, by the names of the gradients."""
    found = {}
    for op in program.global_block().ops:
        if op.type == "send" and op.attr("sections"):
            names, endpoints = list(op.attr("send_varnames")), list(op.attr("epmap"))
            found[op.input("X")[0]] = Sent(names, endpoints, list(op.attr("sections")), op.attr("trainer_id"))
    return found


def receives_of(program: Any) -> list[Received]:
    """Return what a Program receives that a Communicator can receive for it."""
    return [
        Received(op.output("Out")[0], list(op.attr("recv_varnames")), list(op.attr("epmap")), op.attr("trainer_id"))
        for op in program.global_block().ops
        if op.type == "recv" and op.attr("recv_varnames")
    ]


def receive_all(peers: Peers, received: Sequence[Received], scope: Any) -> None:
    """Receive parameters and store them in a Scope."""
    if not received:
        return
    names = [name for each in received for name in each.names]
    endpoints = [endpoint for each in received for endpoint in each.endpoints]
    values = iter(peers.receive(names, endpoints, received[0].trainer_id))
    for each in received:
        parts = [next(values) for _ in each.names]
        store(scope, each.target, np.concatenate(parts) if len(parts) > 1 else parts[0])


def store(scope: Any, name: str, array: Any) -> None:
    """Store an array in a variable of a Scope."""
    held = scope.values.get(name)
    if isinstance(held, LoDTensor):
        held.array = array
    else:
        scope.values[name] = LoDTensor.of(array)


def kept(value: Any) -> Any:
    """Return a copy of a value, whose memory a Program may use again."""
    if isinstance(value, SelectedRows):
        return SelectedRows(np.array(value.rows), np.array(value.values), value.height)
    return np.array(value)


def merged(values: Sequence[Any], summed: bool) -> Any:
    """Return the sum, or the mean, of gradients."""
    share = 1 if summed else len(values)
    if len(values) == 1:
        return values[0]
    if isinstance(values[0], SelectedRows):
        rows = np.concatenate([each.rows for each in values])
        return SelectedRows(rows, np.concatenate([each.values for each in values]) / share, values[0].height)
    return np.sum(values, axis=0) / share
