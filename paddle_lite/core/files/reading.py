"""Reading of files. Errors name the path, also where it is a folder or a pipe, or the disk fails."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from typing import BinaryIO

from ..errors import FileFormatError, message

_KINDS = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"))
_WAIT_NOT = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)  # a pipe would be waited for


@contextlib.contextmanager
def reading(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file to read in the block.

    Raises:
        FileNotFoundError, NotADirectoryError: there is nothing.
        FileFormatError: there is a folder, a pipe, a socket or a device.
        OSError: it cannot be read. The error names the path, also where reading fails later, in the block.

    >>> with reading(__file__) as file:
    ...     file.read(3)
    b'\"\"\"'
    """
    name = os.fspath(path)
    try:
        with open(name, "rb", opener=_opened) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise FileFormatError(message("reading", str(name), other_than_a_file(name), "a file"))
            yield file
    except OSError as error:
        if error.errno is not None and error.filename is None:
            error.filename = name
        if isinstance(error, (FileNotFoundError, NotADirectoryError)) or not other_than_a_file(name):
            raise
        raise FileFormatError(message("reading", str(name), other_than_a_file(name), "a file")) from None


def _opened(path: str, flags: int) -> int:
    return os.open(path, flags | _WAIT_NOT)


def other_than_a_file(path: str | os.PathLike[str]) -> str:
    """Return what stands at a path in the place of a file, "a pipe" for one; "" for a file, and for nothing.

    >>> import os, tempfile
    >>> other_than_a_file(tempfile.mkdtemp()), other_than_a_file(__file__)
    ('a folder', '')
    """
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return "a link to nothing" if os.path.islink(path) else ""
    except (OSError, ValueError):
        return ""
    if stat.S_ISREG(mode):
        return ""
    return next((name for is_kind, name in _KINDS if is_kind(mode)), "a device")


def absent(path: str | os.PathLike[str]) -> str:
    """Return how to say that there is no file at a path: that, or what there is."""
    found = other_than_a_file(path)
    return f"there is {found}, not a file" if found else "there is no such file"
