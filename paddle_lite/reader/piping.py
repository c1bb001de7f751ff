"""`PipeReader`: read the output of a command line by line."""

from __future__ import annotations

import codecs
import shlex
import subprocess
import zlib
from collections.abc import Iterator
from typing import Any

from ..core.errors import ArgumentTypeError, ArgumentValueError, EnforceNotMet, describe, message

__all__ = ["PipeError", "PipeReader"]

FILE_TYPES = ("plain", "gzip")


class PipeError(EnforceNotMet, RuntimeError):
    """The command of a `PipeReader` failed, or its output is not a gzip file."""


class PipeReader:
    r"""Reads the output of a command, such as `hadoop fs -cat /data/part-0` or `cat data.gz`.

    Arguments:
        command: the command and its arguments; it is run without a shell.
        bufsize: the number of bytes to read at a time.
        file_type: "plain", or "gzip" to decompress the output.

    Raises:
        ArgumentTypeError: `command` is not a str.
        ArgumentValueError: `file_type` is unknown, or `command` is empty.

    >>> import paddle_lite as paddle
    >>> list(paddle.io.PipeReader('echo one two').get_line(line_break=' '))
    ['one', 'two\n']
    """

    def __init__(self, command: str, bufsize: int = 8192, file_type: str = "plain") -> None:
        if not isinstance(command, str):
            raise ArgumentTypeError(message("PipeReader", "command", describe(command), "a str"))
        if not command.strip():
            raise ArgumentValueError(message("PipeReader", "command", "an empty one", "a command"))
        if file_type not in FILE_TYPES:
            raise ArgumentValueError(message("PipeReader", "file_type", describe(file_type), "'plain' or 'gzip'"))
        self.command, self.bufsize, self.file_type = command, bufsize, file_type

    def get_line(self, cut_lines: bool = True, line_break: str = "\n") -> Iterator[str]:
        """Run the command and read its output as UTF-8.

        Arguments:
            cut_lines: whether to yield lines; otherwise pieces as they arrive.
            line_break: the separator of lines; it is removed.

        Returns:
            A generator of strings.

        Raises:
            PipeError: the command does not exist; or, after the last line, the command has failed.
        """
        rest = ""
        for text in self._pieces():
            if not cut_lines:
                yield text
                continue
            *lines, rest = (rest + text).split(line_break)
            yield from lines
        if rest:
            yield rest

    def _pieces(self) -> Iterator[str]:
        """Yield the output in pieces; closing the generator early kills the command."""
        unpacked: Any = zlib.decompressobj(32 + zlib.MAX_WBITS) if self.file_type == "gzip" else None
        decoder = codecs.getincrementaldecoder("utf-8")()
        arguments = shlex.split(self.command)
        try:
            started = subprocess.Popen(arguments, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        except OSError as error:
            raise PipeError(f"PipeReader: `{self.command}` cannot be run: {error}.") from None
        with started as process:
            assert process.stdout is not None
            try:
                while piece := process.stdout.read(self.bufsize):
                    if text := decoder.decode(piece if unpacked is None else unpacked.decompress(piece)):
                        yield text
            except zlib.error as error:
                raise PipeError(f"PipeReader: what `{self.command}` printed is no gzip file: {error}.") from None
            except GeneratorExit:
                process.kill()
                raise
        if process.returncode:
            raise PipeError(f"PipeReader: `{self.command}` has failed, with exit code {process.returncode}.")
