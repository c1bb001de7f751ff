"""Processes of Python for tests, forked from one that has imported the library: a child begins in hundredths of a second.

`run("script.py", "word")` does what `python script.py word` does, without the second that imports take. A test of a start, of what is imported
when, or of the interpreter's options starts Python itself, by subprocess; so does this module where there is no fork().
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from paddle_lite.compat import launch

ROOT = Path(__file__).resolve().parents[1]
READ_ONCE = ("PADDLE_LITE_", "PYTHON", "OMP_", "OPENBLAS_", "MKL_", "NUMBA_", "MPL", "LD_", "MALLOC_")
"""How the variables begin that a module reads at its import, or Python at its start: children with others have another server."""


class Child:
    """A process that runs beside the test.

    text, errors: what it has printed and what it has written to its standard error, when it has been waited for.
    """

    def __init__(self, process: subprocess.Popen[bytes] | _Forked, out: IO[bytes], err: IO[bytes]) -> None:
        self._process, self._files = process, (out, err)
        self.pid = process.pid
        self.text = self.errors = ""

    def wait(self, timeout: float = 90) -> int:
        """Wait for its end, at most so many seconds, and return its exit status, less than 0 for a signal."""
        status = self._process.wait(timeout)
        if not self._files[0].closed:
            self.text, self.errors = map(_read, self._files)
            for file in self._files:
                file.close()
        return status

    def kill(self) -> None:
        """End it, unless it has ended."""
        if self._process.returncode is None:
            self._process.kill()
            self.wait()


def start(*words: Any, cwd: Any = ROOT, env: Mapping[str, str] | None = None, joined: bool = False) -> Child:
    """Start `python *words`, and do not wait for it.

    Arguments:
        words: a script, "-m" and a module, or "-c" and a text; then what they find in sys.argv.
        cwd: its working directory.
        env: its environment; None: that of the test, with this project first on the path.
        joined: whether what it writes to its standard error is in `text`.
    """
    words = tuple(map(str, words))
    environment = {**os.environ, "PYTHONPATH": str(ROOT)} if env is None else dict(env)
    out, more = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115
    err = out if joined else more
    if hasattr(os, "fork"):
        process: Any = _Forked((words, str(cwd), environment), out.fileno(), err.fileno())
    else:
        process = subprocess.Popen([sys.executable, *words], cwd=cwd, env=environment, stdout=out, stderr=err)
    return Child(process, out, more)


def run(*words: Any, timeout: float = 90, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run `python *words` to its end: the arguments of `start`, the result of subprocess.run."""
    child = start(*words, **more)
    try:
        status = child.wait(timeout)
    finally:
        child.kill()
    return subprocess.CompletedProcess(words, status, child.text, child.errors)


def under_run() -> dict[str, str]:
    """Return the environment in which `python -m paddle_lite run` starts a program, with this project on the path."""
    found = launch.environment()
    return {**found, "PYTHONPATH": os.pathsep.join([found["PYTHONPATH"], str(ROOT)])}


def _read(file: IO[bytes]) -> str:
    """Return all that a file holds."""
    file.seek(0)
    return file.read().decode().replace(os.linesep, "\n")


class _Server:
    """A process of tests/child_server.py, which forks children."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.connection, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, str(ROOT / "tests" / "child_server.py"), str(theirs.fileno())]
            self.process = subprocess.Popen(
                command,
                env=environment,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )

    def fork(self, request: tuple[tuple[str, ...], str, dict[str, str]], *files: int) -> None:
        """Have a child forked that uses these files."""
        data = pickle.dumps(request)
        socket.send_fds(self.connection, [struct.pack("!I", len(data))], files)
        self.connection.sendall(data)


_servers: dict[frozenset[tuple[str, str]], _Server] = {}


def end() -> None:
    """End the servers of this process, and wait for them: what children have taken is then the time of the tests."""
    while _servers:
        _, server = _servers.popitem()
        server.connection.shutdown(socket.SHUT_RDWR)  # closes it for processes that tests have forked, too
        server.connection.close()
        server.process.wait()


class _Forked:
    """What subprocess.Popen is, for a child of a server."""

    def __init__(self, request: tuple[tuple[str, ...], str, dict[str, str]], out: int, err: int) -> None:
        environment = request[2]
        key = frozenset(each for each in environment.items() if each[0].startswith(READ_ONCE))
        if key not in _servers:
            _servers[key] = _Server({name: each for name, each in environment.items() if not name.startswith("FLAGS_")})
        self._told, theirs = os.pipe()
        _servers[key].fork(request, out, err, theirs)
        os.close(theirs)
        self.returncode: int | None = None
        self.pid = self._number()

    def _number(self) -> int:
        """Read the next number of the two that the server's process tells: the child's, and its exit status."""
        data = os.read(self._told, 4)
        if len(data) < 4:
            raise ChildProcessError("the server of tests/children.py has ended")
        number: int = struct.unpack("!i", data)[0]
        return number

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end, and return the exit status."""
        if self.returncode is None:
            if not select.select([self._told], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("a child", timeout or 0)
            self.returncode = self._number()
            os.close(self._told)
        return self.returncode

    def kill(self) -> None:
        """End the child, unless it has ended."""
        if not select.select([self._told], [], [], 0)[0]:
            os.kill(self.pid, signal.SIGKILL)
