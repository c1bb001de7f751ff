"""The other processes of a job, as operators and Executors see them: an interface, which paddle_lite.distributed implements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from threading import RLock
from typing import Any

from ...core.errors import ModeError
from ...core.mode import services
from ...core.selected_rows import SelectedRows


class Background(ABC):
    """What sends and receives for a trainer while its Program runs: a running Communicator.

    Attributes:
        notifies: whether a trainer tells the servers of its steps, by `Peers.notify`.
    """

    notifies = True

    @abstractmethod
    def take(self, names: Sequence[str], values: Sequence[Any], sent_as: Sequence[str]) -> None:
        """Take what an operator `send` has.

        Arguments:
            names, values: the inputs of the operator.
            sent_as: its attribute send_varnames.
        """

    @abstractmethod
    def end_step(self) -> None:
        """Wait until everything that was taken in this step is sent, and what comes back is received."""


class Peers(ABC):
    """The servers of a job, as its trainers call them, and the service of a server.

    A value is an array or SelectedRows. An endpoint is "HOST:PORT".

    Attributes:
        background: the running Communicator; None where operators send and receive themselves.
    """

    background: Background | None = None

    @abstractmethod
    def expect(self, endpoints: Sequence[str]) -> None:
        """Note all servers of the job, in their order, so that those are told of a loss, too, that were not called yet."""

    @abstractmethod
    def send(self, names: Sequence[str], values: Sequence[Any], endpoints: Sequence[str], trainer_id: int) -> None:
        """Start to send values to servers, one endpoint for each; `send_barrier` waits for them."""

    @abstractmethod
    def deliver(self, names: Sequence[str], values: Sequence[Any], endpoints: Sequence[str], trainer_id: int) -> None:
        """Send values to servers and wait until these have arrived; any thread may call it."""

    @abstractmethod
    def send_barrier(self, endpoints: Sequence[str], trainer_id: int) -> None:
        """Wait until all values have arrived, and tell the servers that this trainer has sent all of a step."""

    @abstractmethod
    def settle(self) -> None:
        """Wait until all values have arrived."""

    @abstractmethod
    def receive(
        self, names: Sequence[str], endpoints: Sequence[str], trainer_id: int, now: bool = False, changed: bool = False,
        out: Sequence[Any] | None = None,
    ) -> list[Any]:  # fmt: skip
        """Return values of servers, one endpoint for each name.

        Arguments:
            now: the present values, rather than those after the update of this step.
            changed: of tables, the rows that have changed, as SelectedRows; None if a server has none.
            out: arrays that take the values, each as soon as it is here, and are returned.
        """

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
    def grown(self, names: Sequence[str], endpoints: Sequence[str], trainer_id: int) -> list[SelectedRows]:
        """Return the rows of arrays of tables that the Program does not declare, by their ids.

        Arguments:
            names, endpoints: the name and the server of each part of an array.
        """

    @abstractmethod
    def save_table(self, table: str, folder: str, endpoints: Sequence[str], trainer_id: int) -> None:
        """Have each server write its part of a table into a folder that they all see, and wait until they have.

        Arguments:
            table: the table; the file of server N is folder/table_N.
            folder: where the files come.
            endpoints: the servers, in the order of their parts.
        """

    @abstractmethod
    def notify(self, names: Sequence[str], values: Sequence[Any], endpoints: Sequence[str], trainer_id: int) -> None:
        """Tell the servers of PaddlePaddle among these how many steps this trainer makes, by the names of its counters."""

    @abstractmethod
    def stepped(self, examples: int) -> None:
        """Count a step that this trainer begins, on a batch of so many examples."""

    @abstractmethod
    def leave(self) -> None:
        """Tell all servers that this trainer is done."""

    @abstractmethod
    def serve(self, program: Any, scope: Any, executor: Any) -> None:
        """Run the Program of a server until all trainers are done."""


class _Current:
    peers: Peers | None = None
    lock = RLock()  # of threads that ask for them first


def peers() -> Peers:
    """Return the Peers of this process.

    Raises:
        ModeError: nothing implements them.
    """
    with _Current.lock:
        if _Current.peers is None:
            if "peers" not in services:
                raise ModeError("operators that talk to other processes need the package paddle_lite.distributed")
            _Current.peers = services["peers"]()
        return _Current.peers


def leave() -> None:
    """Tell the servers that this process has talked to, if any, that it is done."""
    if _Current.peers is not None:
        _Current.peers.leave()
