"""Runs the servers and trainers of a distributed program: `job.py SERVERS TRAINERS COMMAND ...`.

The words of COMMAND and the environment variables may have the placeholders of `Process.fill`; the environment has the
variables that `paddle.distributed.launch_ps` sets, too. What the first trainer prints is passed on at once, what the others
print follows at their end. The exit status is that of the first trainer that fails; when it does, the job is ended and the
end of what each process printed follows. Servers are ended when the trainers have ended, since those of 1.8.5 never end.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO


@dataclass(frozen=True)
class Process:
    """A server, or a trainer, of a job."""

    role: str
    """ "pserver" or "trainer"."""
    number: int
    endpoints: list[str]
    """Of all servers."""
    trainers: int

    @property
    def endpoint(self) -> str:
        """The address of a server; a trainer has that of the first."""
        return self.endpoints[self.number if self.role == "pserver" else 0]

    def fill(self, text: str) -> str:
        """Return a text with the values of this process in its placeholders."""
        values = {
            "{role}": self.role,
            "{ROLE}": self.role.upper(),
            "{number}": str(self.number),
            "{trainers}": str(self.trainers),
            "{endpoints}": ",".join(self.endpoints),
            "{endpoint}": self.endpoint,
            "{hosts}": ",".join(endpoint.split(":")[0] for endpoint in self.endpoints),
            "{port}": self.endpoint.split(":")[1],
            "{ports}": ",".join(endpoint.split(":")[1] for endpoint in self.endpoints),
        }
        for placeholder, value in values.items():
            text = text.replace(placeholder, value)
        return text

    def environment(self) -> dict[str, str]:
        """Return the environment, with the variables that role makers read."""
        host, port = self.endpoint.split(":")
        return {
            "TRAINING_ROLE": self.role.upper(),
            "PADDLE_TRAINING_ROLE": self.role.upper(),
            "PADDLE_PSERVERS_IP_PORT_LIST": ",".join(self.endpoints),
            "PADDLE_TRAINERS_NUM": str(self.trainers),
            "PADDLE_TRAINER_ID": str(self.number),
            "POD_IP": host,
            "PADDLE_PORT": port,
            **{name: self.fill(value) for name, value in os.environ.items()},
        }


def run(servers: int, trainers: int, command: list[str]) -> int:
    """Run a job, and return its exit status."""
    endpoints = [f"127.0.0.1:{port}" for port in _free_ports(servers)]
    members = [Process("pserver", number, endpoints, trainers) for number in range(servers)]
    members += [Process("trainer", number, endpoints, trainers) for number in range(trainers)]
    with tempfile.TemporaryDirectory() as folder:
        logs = [Path(folder, f"{member.role}{member.number}") for member in members]
        started = [_start(member, command, log) for member, log in zip(members, logs)]
        try:
            with open(logs[servers], "rb") as first:
                status = _wait(started[servers:], first)
        finally:
            for process in started:
                process.terminate()
        if status:
            _pass_on(logs, 3000)
        else:
            _pass_on(logs[servers + 1 :])
        return status


def _start(member: Process, command: list[str], log: Path) -> subprocess.Popen[bytes]:
    words = [member.fill(word) for word in command]
    with open(log, "wb") as output:
        return subprocess.Popen(words, env=member.environment(), stdout=output, stderr=subprocess.STDOUT)


def _wait(trainers: list[subprocess.Popen[bytes]], first: BinaryIO) -> int:
    """Wait for the trainers, and pass on what the first prints."""
    while True:
        states = [trainer.poll() for trainer in trainers]
        shutil.copyfileobj(first, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        failed = [state for state in states if state]
        if failed or None not in states:
            return failed[0] % 256 if failed else 0
        time.sleep(0.05)


def _pass_on(logs: list[Path], most: int = 1 << 30) -> None:
    """Print the ends of what processes have printed."""
    for log in logs:
        print(f"== {log.name}", flush=True)
        sys.stdout.buffer.write(log.read_bytes()[-most:])
        sys.stdout.buffer.flush()


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


if __name__ == "__main__":
    sys.exit(run(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
