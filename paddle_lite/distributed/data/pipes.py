"""Pipe commands: a shell command for each file of a data set, which reads the file and writes lines of slots.

The command `cat` changes nothing and is the default: then the file is read without a process.
"""

from __future__ import annotations

import atexit
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Generator
from contextlib import ExitStack, suppress
from typing import Any

from ...core.errors import MissingFileError, PipeCommandError, message

CHUNK = 1 << 20  # bytes that are read at once
UNCHANGED = "cat"  # the command that writes what it reads
_SHOWN = 20  # lines of a command's errors that an exception shows
_running: set[Pipe] = set()  # those whose commands run; what is left of them ends with this process
_GRACE = 10.0  # seconds that a command has to end after it has closed its output


class Pipe:
    """A file read through a shell command, whose standard input is the file. Its errors also go to `sys.stderr`.

    Arguments:
        command: the command; bash runs it, or else the system's shell.
        path: the file. With `download` it need not be on this machine.
        download: a command that gets the path as its last argument and writes the file's content; "" for a local file.
    """

    def __init__(self, command: str, path: str, download: str = "") -> None:
        self.command, self.path, self.download = command, path, download
        self._process: subprocess.Popen | None = None
        self._cancelled = False
        self._lock = threading.Lock()
        self._errors: deque[str] = deque(maxlen=_SHOWN)

    def chunks(self) -> Generator[bytes, None, None]:
        """Yield the output in pieces that end with a line; stop without an error after `cancel`.

        Raises:
            MissingFileError: there is no such file.
            PipeCommandError: the command fails, or does not end although it has closed its output.
        """
        if self.command.strip() == UNCHANGED and not self.download:
            with self._file() as file:
                yield from self._lines(file)
            return
        process = self._start()
        if process is None:
            return
        output: Any = process.stdout
        errors = threading.Thread(target=self._show_errors, args=(process.stderr,), daemon=True)
        errors.start()
        try:
            yield from self._lines(output)
            self._check_end(process, errors)
        finally:
            self.cancel()
            _running.discard(self)
            output.close()
            process.wait()
            errors.join(1.0)  # not longer: what the command has started may still hold its standard error

    def _file(self) -> Any:
        """Open the file.

        Raises:
            MissingFileError: there is no such file.
        """
        try:
            return open(self.path, "rb")
        except OSError as error:
            got = f"{self.path!r} ({error.strerror})"
            fix = "Check set_filelist."
            raise MissingFileError(message("dataset", "the file list", got, "files that can be read", fix)) from None

    def _lines(self, source: Any) -> Generator[bytes, None, None]:
        """Yield what a file or a pipe holds in pieces that end with a line, until `cancel`."""
        rest = b""
        while not self._cancelled and (chunk := source.read1(CHUNK)):
            end = chunk.rfind(b"\n") + 1
            if end:
                yield rest + chunk[:end]
                rest = chunk[end:]
            else:
                rest += chunk
        if rest and not self._cancelled:
            yield rest

    def cancel(self) -> None:
        """End the command and all that it started; any thread may call it, at any time."""
        with self._lock:
            self._cancelled = True
            if self._process is not None and self._process.poll() is None:
                _end(self._process)

    def _start(self) -> subprocess.Popen | None:
        """Start the command; None if it is cancelled."""
        command, source = self.command, subprocess.DEVNULL
        if self.download:
            command = f"{self.download} {shlex.quote(self.path)} | {{ {self.command}\n}}"
        bash = shutil.which("bash")
        words = [bash, "-o", "pipefail", "-c", command] if bash else command
        with self._lock, ExitStack() as opened:
            if self._cancelled:
                return None
            if not self.download:
                source = opened.enter_context(self._file())  # the process has its own copy
            self._process = subprocess.Popen(
                words,
                shell=not bash,
                stdin=source,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
            _running.add(self)
            return self._process

    def _show_errors(self, stream: Any) -> None:
        """Copy the errors of the command to `sys.stderr` as they come, and keep the last lines."""
        with stream:
            for line in stream:
                text = line.decode(errors="replace")
                self._errors.append(text)
                with suppress(Exception):  # a closed stderr is no error of the data
                    sys.stderr.write(text)

    def _check_end(self, process: subprocess.Popen, errors: threading.Thread) -> None:
        """Raise unless the command has ended well."""
        try:
            status = process.wait(_GRACE)
            ended = f"exit status {status}"
        except subprocess.TimeoutExpired:
            status, ended = 1, f"no end {_GRACE:g} s after it closed its output"
        if self._cancelled or status == 0:
            return
        errors.join(1.0)
        said = "".join(self._errors).strip() or "nothing"
        raise PipeCommandError(
            message(f"dataset: pipe command {self.command!r} of {self.path!r}", "its end", ended, "exit status 0")
            + f" It wrote to standard error: {said}"
        )


@atexit.register
def _end_all() -> None:
    """End the commands that still run, of loops that were left early."""
    for pipe in list(_running):
        pipe.cancel()


def _end(process: subprocess.Popen) -> None:
    """Kill a process and those that it started."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
