"""Where the workers of a job meet: `python rendezvous.py FD SIZE`, which the first worker starts.

FD is a socket that listens at the first worker's endpoint; standard input is a pipe from that worker. The process ends when
all workers have left. It uses the standard library only.

Each worker has a connection of lines of text, by which the others learn that it has ended:

    meet RANK SIZE PID NODE ENDPOINT        what a worker says first; NODE tells which workers share memory
    missing 1,2                             the answer, each 3 s, while workers are missing
    welcome                                 the answer when all have come
    at NUMBER CALL                          the call that a worker has reached, at most once a second
    wait NUMBER CALL                        the call in which it waits for others
    absent NUMBER 1,2                       the answer: who does not wait in that call
    differ TEXT                             the answer where others wait in another call
    started FILE ..                         MPI has started, and has these files of shared memory
    bye, all-bye                            a worker leaves; all have
    lost RANK TEXT                          a worker has ended without that
    refused TEXT                            a line was wrong

A second connection, `pmi RANK`, then speaks the protocol PMI-1, by which an MPI of MPICH's family finds the other processes.
"""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import socket
import sys
import time
import uuid

LONGEST = 1 << 16  # bytes of a line
SHARED = re.compile(r"/dev/shm/mpich_shm_[0-9a-f_]+")
EVERY = 3.0
PMI_ANSWERS = {
    "init": "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0",
    "get_maxes": "cmd=maxes rc=0 kvsname_max=256 keylen_max=64 vallen_max=4096",
    "get_appnum": "cmd=appnum rc=0 appnum=0",
    "get_my_kvsname": f"cmd=my_kvsname rc=0 kvsname=job-{uuid.uuid4().hex}",  # MPICH names shared memory after it
    "put": "cmd=put_result rc=0",
    "finalize": "cmd=finalize_ack rc=0",
}


class Connection:
    """A connection of a worker: its socket, what has come of a line, and who it is."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.pending = b""
        self.kind = ""
        self.rank = -1
        self.process = self.node = self.endpoint = ""
        self.last = (0, "no call yet")
        self.heard = time.monotonic()
        self.waiting = False

    def send(self, line: str) -> None:
        with contextlib.suppress(OSError):  # who is lost is seen where it is read
            self.sock.sendall(line.encode() + b"\n")

    def lines(self) -> list[str] | None:
        """Return the lines that have come; None where the connection has ended."""
        try:
            data = self.sock.recv(LONGEST)
        except OSError:
            data = b""
        self.pending += data
        if not data or len(self.pending) > 2 * LONGEST:
            return None
        *whole, self.pending = self.pending.split(b"\n")
        return [line.decode(errors="replace") for line in whole]

    def __str__(self) -> str:
        return f"worker {self.rank} ({self.endpoint}, process {self.process})"


class Rendezvous:
    """The connections of all workers."""

    def __init__(self, listening: socket.socket, size: int) -> None:
        self.listening, self.size = listening, size
        self.selector = selectors.DefaultSelector()
        self.selector.register(listening, selectors.EVENT_READ)
        self.workers: dict[int, Connection] = {}
        self.pmi: dict[int, Connection] = {}
        self.started: set[int] = set()
        self.left: set[int] = set()
        self.shared: set[str] = set()
        self.lost: dict[int, str] = {}
        self.values: dict[str, str] = {}
        self.at_barrier: set[int] = set()
        self.formed = self.parent = False
        self.reminded = time.monotonic()

    # --- connections --------------------------------------------------------------------------------------------------

    def serve(self, parent: int) -> None:
        """Answer until all workers have left, and the first one has ended."""
        self.selector.register(parent, selectors.EVENT_READ)
        self.parent = True
        while self.parent or self.workers:
            for key, _ in self.selector.select(0.5):
                if key.fileobj is self.listening:
                    accepted, _ = self.listening.accept()
                    accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    self.selector.register(accepted, selectors.EVENT_READ, Connection(accepted))
                elif key.data is None:
                    self.selector.unregister(parent)
                    self.parent = False
                else:
                    self.read(key.data)
            if not self.formed and time.monotonic() - self.reminded > EVERY:
                self.reminded = time.monotonic()
                self.to_all("missing " + self.ranks(set(range(self.size)) - self.workers.keys()))

    def read(self, connection: Connection) -> None:
        lines = connection.lines()
        for line in lines or ():
            try:
                self.take(connection, line)
            except (ValueError, KeyError, IndexError) as error:
                connection.send(f"refused {line[:80]!r}: {error}")
                lines = None
                break
        if lines is None:
            self.selector.unregister(connection.sock)
            connection.sock.close()
            self.ended(connection)

    def ended(self, connection: Connection) -> None:
        rank = connection.rank
        if connection.kind == "worker":
            del self.workers[rank]
            if rank not in self.left:
                number, call = connection.last
                silent = time.monotonic() - connection.heard
                text = f"{connection} has ended; its last call: number {number}, {call}, {silent:.1f} s before"
                self.lost[rank] = text
                self.to_all(f"lost {rank} {text}")
                for other in self.pmi.keys() - self.started:  # an MPI that starts cannot be told otherwise
                    with contextlib.suppress(OSError):
                        self.pmi[other].sock.shutdown(socket.SHUT_RDWR)
        elif connection.kind == "pmi":
            self.pmi.pop(rank, None)

    def to_all(self, line: str) -> None:
        for worker in list(self.workers.values()):
            worker.send(line)

    @staticmethod
    def ranks(which: set[int]) -> str:
        return ",".join(map(str, sorted(which)))

    # --- what workers say ---------------------------------------------------------------------------------------------

    def take(self, connection: Connection, line: str) -> None:
        """Do what a line says."""
        if connection.kind == "pmi":
            self.take_pmi(connection, line)
            return
        word, _, rest = line.partition(" ")
        if not connection.kind:
            (self.meet if word == "meet" else self.begin_pmi)(connection, word, rest)
            return
        connection.heard = time.monotonic()
        if word in ("at", "wait"):
            number, _, call = rest.partition(" ")
            connection.last, connection.waiting = (int(number), call), word == "wait"
            if word == "wait":
                self.compare(connection)
        elif word == "started":
            self.started.add(connection.rank)
            self.shared.update(name for name in rest.split() if SHARED.fullmatch(name))
        elif word == "bye":
            self.left.add(connection.rank)
            if len(self.left) == self.size:
                self.to_all("all-bye")
        else:
            raise ValueError("no such line")

    def meet(self, connection: Connection, word: str, rest: str) -> None:
        rank, size, process, node, endpoint = rest.split(" ", 4)
        if int(size) != self.size:
            raise ValueError(f"worker {rank} counts {size} workers, worker 0 counts {self.size}")
        if not 0 <= int(rank) < self.size:
            raise ValueError(f"ranks are 0 to {self.size - 1}")
        if int(rank) in self.workers:
            raise ValueError(f"there is a {self.workers[int(rank)]} already")
        connection.rank, connection.process, connection.node, connection.endpoint = int(rank), process, node, endpoint
        connection.kind = "worker"
        self.workers[connection.rank] = connection
        for each, text in self.lost.items():
            connection.send(f"lost {each} {text}")
        if len(self.workers) == self.size:
            self.formed = True
            self.values["PMI_process_mapping"] = self.mapping()
            self.to_all("welcome")

    def mapping(self) -> str:
        """Return which workers share memory, in the form of MPICH: (node, how many nodes, workers on each)."""
        runs: list[list[int]] = []
        nodes: list[str] = []
        for rank in range(self.size):
            node = self.workers[rank].node
            if node not in nodes:
                nodes.append(node)
            if not runs or runs[-1][0] != nodes.index(node):
                runs.append([nodes.index(node), 0])
            runs[-1][1] += 1
        if len(runs) == len(nodes) and len({count for _, count in runs}) == 1:
            return f"(vector,(0,{len(nodes)},{runs[0][1]}))"
        return "(vector," + ",".join(f"({node},1,{count})" for node, count in runs) + ")"

    def compare(self, waiting: Connection) -> None:
        """Tell who is not in the call that a worker waits in, or is in another one."""
        number, call = waiting.last
        same = {worker.rank for worker in self.workers.values() if worker.waiting and worker.last[0] >= number}
        for other in self.workers.values():
            if other.waiting and other.last[0] == number and other.last[1] != call:
                self.to_all(
                    f"differ {waiting} is in call {number}, {call}; {other} is in call {number}, {other.last[1]}"
                )
                return
        absent = self.ranks(set(range(self.size)) - same)
        for other in self.workers.values():
            if other.waiting and other.last[0] == number:
                other.send(f"absent {number} {absent}")

    # --- PMI-1 --------------------------------------------------------------------------------------------------------

    def begin_pmi(self, connection: Connection, word: str, rest: str) -> None:
        if word != "pmi" or not self.formed:
            raise ValueError("the first line is `meet ...`")
        connection.kind, connection.rank = "pmi", int(rest)
        self.pmi[connection.rank] = connection
        connection.send("ok")

    def take_pmi(self, connection: Connection, line: str) -> None:
        fields = dict(word.split("=", 1) for word in line.split() if "=" in word)
        command = fields["cmd"]
        if command == "barrier_in":
            self.at_barrier.add(connection.rank)
            if len(self.at_barrier) == self.size:
                self.at_barrier.clear()
                for other in self.pmi.values():
                    other.send("cmd=barrier_out rc=0")
            return
        if command == "put":
            self.values[fields["key"]] = line.split("value=", 1)[1]
        if command == "get":
            value = self.values.get(fields["key"])
            found = "rc=-1 msg=key_not_found" if value is None else f"rc=0 value={value}"
            connection.send(f"cmd=get_result {found}")
        elif command == "get_universe_size":
            connection.send(f"cmd=universe_size rc=0 size={self.size}")
        elif command in PMI_ANSWERS:
            connection.send(PMI_ANSWERS[command])
        elif command != "abort":
            connection.send(f"cmd={command}_result rc=-1 msg=not_supported")


def main() -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends after the workers
    with socket.socket(fileno=int(sys.argv[1])) as listening:
        rendezvous = Rendezvous(listening, int(sys.argv[2]))
        rendezvous.serve(0)
    if len(rendezvous.left) < rendezvous.size:  # MPI was not ended, which removes them
        for name in rendezvous.shared:
            with contextlib.suppress(OSError):
                os.remove(name)


if __name__ == "__main__":
    main()
