"""The connection of a worker to the other workers of its job, which also reports lost workers. The other side is rendezvous.py."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

from ...core.errors import ArgumentValueError, PeerError, message
from ...core.flags import get_flags
from ..rpc.ports import address
from . import rendezvous

POLL = 0.05
RESUME = "Start the job again from its latest checkpoint."


def deadline() -> float:
    """Return how many seconds a worker waits for others: the flag FLAGS_rpc_deadline, in milliseconds."""
    return get_flags(["FLAGS_rpc_deadline"])["FLAGS_rpc_deadline"] / 1000


def node() -> str:
    """Return a word that is the same for workers that share memory."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="utf8") as file:
            machine = file.read().strip()
        return f"{machine}:{os.stat('/dev/shm').st_dev}:{os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return socket.gethostname()


class Meeting:
    """The connection of a worker to the others. The first worker starts the process through which they are connected.

    Arguments:
        rank: the index of this worker.
        endpoints: the addresses of all workers; they meet at the first one.

    Raises:
        ArgumentValueError: the first endpoint is not an address of this machine, or is taken.
        PeerError: some workers do not come before the deadline, or one ends.
    """

    def __init__(self, rank: int, endpoints: Sequence[str]) -> None:
        self.rank, self.endpoints = rank, list(endpoints)
        self.problem = ""
        self.absent: tuple[int, str] = (0, "")
        self._formed = self._all_left = False
        self._missing = ""
        self._pending = b""
        self._process = self._begin(endpoints[0], len(endpoints)) if rank == 0 else None
        self._socket = self._connect()
        self._owner = os.getpid()
        os.register_at_fork(after_in_child=self._forget)
        endpoint = endpoints[rank]
        self._say(f"meet {rank} {len(endpoints)} {os.getpid()} {node()} {endpoint}")
        self._until(lambda: self._formed, self._not_formed)
        self._last = 0.0

    # --- connecting ---------------------------------------------------------------------------------------------------

    @staticmethod
    def _begin(endpoint: str, size: int) -> subprocess.Popen:
        """Listen at the endpoint of this worker, in a separate process that answers while this one is busy."""
        host, port = address(endpoint, "the endpoint of worker 0")
        try:
            listening = socket.create_server((host, port))
        except OSError as error:
            needs = "a free port of this machine, which is worker 0"
            raise ArgumentValueError(message("collective", "endpoint", f"{endpoint} ({error})", needs)) from None
        with listening:
            command = [sys.executable, "-S", "-E", rendezvous.__file__, str(listening.fileno()), str(size)]
            descriptors = [listening.fileno()]
            return subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=descriptors, start_new_session=True)

    def _connect(self) -> socket.socket:
        until, where = time.monotonic() + deadline(), address(self.endpoints[0], "the endpoint of worker 0")
        while True:
            try:
                made = socket.create_connection(where, timeout=max(0.1, until - time.monotonic()))
                made.settimeout(None)  # MPI reads from it, too
                made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return made
            except OSError as error:
                if time.monotonic() > until:
                    raise PeerError(
                        f"worker 0 ({self.endpoints[0]}) does not listen after {deadline():.0f} s (FLAGS_rpc_deadline): {error}. "
                        "Start it, or look into its log."
                    ) from None
                time.sleep(POLL)

    def _not_formed(self) -> str:
        names = [f"{rank} ({self.endpoints[int(rank)]})" for rank in self._missing.split(",") if rank]
        return f"workers {', '.join(names) or 'unknown'} have not come. Start them, or look into their logs."

    def pmi(self) -> socket.socket:
        """Return a connection that speaks the protocol PMI-1."""
        made = self._connect()
        made.sendall(f"pmi {self.rank}\n".encode())
        if made.recv(3) != b"ok\n":
            raise PeerError("the workers' rendezvous refuses the connection of MPI")
        return made

    def _forget(self) -> None:
        """Close the connection in a process that this one has forked, so that the end of this one is seen."""
        with contextlib.suppress(OSError):
            self._socket.close()
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()

    # --- lines --------------------------------------------------------------------------------------------------------

    def _say(self, line: str) -> None:
        with contextlib.suppress(OSError):  # its end is found where it is read
            self._socket.sendall(line.encode() + b"\n")

    def _read(self, seconds: float = 0.0) -> None:
        """Read the lines that have arrived, or arrive within some seconds."""
        self._socket.settimeout(seconds)
        try:
            data = self._socket.recv(65536)
        except (BlockingIOError, TimeoutError):
            return
        except OSError:
            data = b""
        finally:
            self._socket.settimeout(None)
        if not data:
            if not self._all_left:
                self.problem = (
                    self.problem or f"worker 0 ({self.endpoints[0]}) has ended, with the connection of all workers"
                )
            return
        *lines, self._pending = (self._pending + data).split(b"\n")
        for line in lines:
            self._take(line.decode())

    def _take(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word == "welcome":
            self._formed = True
        elif word == "missing":
            self._missing = rest
            print(f"waiting for workers {rest}", file=sys.stderr, flush=True)
        elif word == "absent":
            number, _, ranks = rest.partition(" ")
            self.absent = int(number), ranks
        elif word == "all-bye":
            self._all_left = True
        elif word == "lost":
            self.problem = self.problem or rest.partition(" ")[2]
        elif word == "differ":
            self.problem = f"workers make different calls: {rest}. All workers need the same calls in the same order"
        elif word == "refused":
            self.problem = f"worker {self.rank} cannot join: {rest}"

    def _until(self, condition: Callable[[], bool], otherwise: Callable[[], str]) -> None:
        """Read lines until a condition holds; raise a PeerError at the deadline, or when a worker is lost."""
        until = time.monotonic() + deadline()
        while not condition():
            self._read(POLL)
            if self.problem:
                self.fail()
            if time.monotonic() > until:
                raise PeerError(f"after {deadline():.0f} s (FLAGS_rpc_deadline): {otherwise()}")

    def fail(self) -> None:
        """Raise the PeerError of what has happened.

        Raises:
            PeerError: always.
        """
        raise PeerError(f"{self.problem}. {RESUME}")

    # --- what groups call ---------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Raise a PeerError if a worker is lost, or makes another call."""
        self._read()
        if self.problem:
            self.fail()

    def at(self, number: int, call: str) -> None:
        """Say which call this worker has reached, at most once a second."""
        now = time.monotonic()
        if now - self._last > 1.0:
            self._last = now
            self._say(f"at {number} {call}")
            self.check()

    def started(self) -> None:
        """Say that MPI has started, and which files of shared memory it has."""
        try:
            with open("/proc/self/maps", encoding="utf8") as file:
                names = {line.split()[-1] for line in file if "/dev/shm/" in line}
        except OSError:
            names = set()
        self._say("started " + " ".join(sorted(names)))

    def wait(self, number: int, call: str) -> None:
        """Say that this worker waits in a call."""
        self._say(f"wait {number} {call}")

    def missing_in(self, number: int) -> str:
        """Return the workers that have not said that they wait in a call, with their endpoints."""
        ranks = [int(rank) for rank in self.absent[1].split(",") if rank] if self.absent[0] == number else []
        return ", ".join(f"worker {rank} ({self.endpoints[rank]})" for rank in ranks) or "another worker"

    def leave(self) -> bool:
        """Say that this worker has made all its calls; wait for the others; return whether all have said so."""
        if self._owner != os.getpid():
            return False
        self._say("bye")
        with contextlib.suppress(PeerError):
            self._until(lambda: self._all_left, str)
        return self._all_left and not self.problem

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()
        if self._process is not None and self._owner == os.getpid():
            assert self._process.stdin is not None
            self._process.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):  # it ends after the last worker
                self._process.wait(5 if self._all_left else POLL)
            self._process = None


__all__ = ["RESUME", "Meeting", "deadline"]
