"""ControllerServer and SearchAgent: a controller for several processes, by lines of text over TCP."""

from __future__ import annotations

import logging
import socket
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock, Thread
from typing import Any

from ....core.errors import PeerError

__all__ = ["ControllerServer", "SearchAgent"]

_logger = logging.getLogger(__name__)


_AT_ONCE, _SECONDS = 32, 10  # connections that are answered at the same time, and how long each may take to send


class ControllerServer:
    """Answers agents: it returns tokens to try, and tells the controller their rewards.

    Arguments:
        controller: an EvolutionaryController.
        address: (host, port) to listen on; port 0 means any that is free.
        max_client_num: the number of connections that wait.
        search_steps: the number of rewards after which it ends; None means that `close` ends it.
        key: a word that agents must send with each reward.
    """

    def __init__(
        self,
        controller: Any = None,
        address: tuple[str, int] = ("", 0),
        max_client_num: int = 100,
        search_steps: int | None = None,
        key: str | None = None,
    ) -> None:
        self._controller, self._address = controller, address
        self._max_client_num, self._search_steps, self._key = max_client_num, search_steps, key
        self._closed = False
        self._port, self._ip = address[1], address[0]
        self._guard = Lock()
        self._thread: Thread | None = None
        self._socket_server: socket.socket | None = None

    def start(self) -> Any:
        """Begin to listen; return the thread that answers."""
        server = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        server.bind(self._address)
        server.listen(self._max_client_num)
        server.settimeout(0.2)
        self._socket_server = server
        self._ip, self._port = server.getsockname()
        self._thread = Thread(target=self.run, daemon=True)
        self._thread.start()
        return self._thread

    def close(self) -> None:
        """End."""
        self._closed = True
        if self._thread is not None:
            self._thread.join()

    def port(self) -> int:
        """Return the port it listens on."""
        return self._port

    def ip(self) -> str:
        """Return the address it listens on."""
        return self._ip

    def run(self) -> None:
        """Answer until `close`, or until there were `search_steps` rewards."""
        assert self._socket_server is not None
        with self._socket_server as server, ThreadPoolExecutor(_AT_ONCE, "ControllerServer") as answering:
            while not self._closed and not self._done():
                try:
                    connection, _ = server.accept()
                except TimeoutError:
                    continue
                answering.submit(self._serve, connection)  # one that sends nothing does not keep the others waiting
        self._closed = True

    def _serve(self, connection: socket.socket) -> None:
        """Answer a connection, and close it."""
        with connection:
            connection.settimeout(_SECONDS)
            try:
                self._answer(connection)
            except Exception as error:  # of the message, or of the controller
                _logger.warning("ControllerServer: a message that cannot be answered: %s", error)

    def _done(self) -> bool:
        steps = getattr(self._controller, "_iter", 0)
        return self._search_steps is not None and steps >= self._search_steps

    def _answer(self, connection: socket.socket) -> None:
        text = connection.recv(4096).decode()
        with self._guard:
            if text.strip("\n") != "next_tokens":
                key, tokens, reward = text.strip("\n").split("\t")
                if key != str(self._key):
                    raise ValueError(f"its key is {key!r}")
                self._controller.update([int(token) for token in tokens.split(",")], float(reward))
            new = self._controller.next_tokens()
        connection.sendall(",".join(str(token) for token in new).encode())


class SearchAgent:
    """Asks a ControllerServer for tokens, and sends it their rewards.

    Arguments:
        server_ip, server_port: where the server listens.
        key: its key.

    Raises:
        PeerError: from both methods: the server cannot be reached.
    """

    def __init__(self, server_ip: str | None = None, server_port: int | None = None, key: str | None = None) -> None:
        self.server_ip, self.server_port, self._key = server_ip, server_port, key

    def update(self, tokens: Sequence[int], reward: float) -> list[int]:
        """Send the reward of tokens; return the next tokens to try."""
        return self._ask(f"{self._key}\t{','.join(str(int(token)) for token in tokens)}\t{float(reward)!r}")

    def next_tokens(self) -> list[int]:
        """Return the next tokens to try."""
        return self._ask("next_tokens")

    def _ask(self, text: str) -> list[int]:
        where = (str(self.server_ip or "127.0.0.1"), int(self.server_port or 0))
        try:
            with socket.create_connection(where, timeout=30) as connection:
                connection.sendall(text.encode())
                answer = connection.recv(4096).decode()
        except OSError as error:
            raise PeerError(f"SearchAgent: the server at {where[0]}:{where[1]} cannot be reached: {error}") from error
        if not answer:
            raise PeerError(f"SearchAgent: the server at {where[0]}:{where[1]} refuses the message. Is the key right?")
        return [int(token) for token in answer.split(",")]
