"""The other processes of a job, as operators and Executors see them: an interface, which paddle_lite.distributed implements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from ...core.errors import ModeError
from ...core.mode import services


class Peers(ABC):
    """The servers of a job, as its trainers call them, and the service of a server.

    A value is an array or SelectedRows. An endpoint is "HOST:PORT".
    """

    @abstractmethod
    def send(self, names: Sequence[str], values: Sequence[Any], endpoints: Sequence[str], trainer_id: int) -> None:
        """Start to send values to servers, one endpoint for each; `send_barrier` waits for them."""

    @abstractmethod
    def send_barrier(self, endpoints: Sequence[str], trainer_id: int) -> None:
        """Wait until all values have arrived, and tell the servers that this trainer has sent all of a step."""

    @abstractmethod
    def receive(self, names: Sequence[str], endpoints: Sequence[str], trainer_id: int, now: bool = False) -> list[Any]:
        """Return values of servers, one endpoint for each name: those after the update of this step, or those of `now`."""

    @abstractmethod
    def fetch_barrier(self, endpoints: Sequence[str], trainer_id: int) -> None:
        """Tell the servers that this trainer has received all values of a step."""

    @abstractmethod
    def look_up(self, ids: Any, tables: Sequence[str], endpoints: Sequence[str], heights: Sequence[int]) -> Any:
        """Return rows of a table that is cut over servers.

        Arguments:
            ids: int64 [n], each once, in increasing order.
            tables, endpoints, heights: the name, the server and the number of rows of each block.
        """

    @abstractmethod
    def leave(self) -> None:
        """Tell all servers that this trainer is done."""

    @abstractmethod
    def serve(self, program: Any, scope: Any, executor: Any) -> None:
        """Run the Program of a server until all trainers are done."""


class _Current:
    peers: Peers | None = None


def peers() -> Peers:
    """Return the Peers of this process.

    Raises:
        ModeError: nothing implements them.
    """
    if _Current.peers is None:
        if "peers" not in services:
            raise ModeError("operators that talk to other processes need the package paddle_lite.distributed")
        _Current.peers = services["peers"]()
    return _Current.peers


def leave() -> None:
    """Tell the servers that this process has talked to, if any, that it is done."""
    if _Current.peers is not None:
        _Current.peers.leave()
