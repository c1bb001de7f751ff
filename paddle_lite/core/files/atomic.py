"""Write a file or a folder atomically: a reader sees the old content or all of the new content, never a part of it."""

from __future__ import annotations

import contextlib
import os
import uuid
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO


@contextlib.contextmanager
def atomic_file(path: str, durable: bool = True) -> Iterator[BinaryIO]:
    """Open a file for writing that replaces `path` when the block ends without an error.

    Missing directories are created. The content is on the disk then; the name is after `sync_folder`.

    Arguments:
        path: the file.
        durable: whether to wait until the content is on the disk. Without it a file may be damaged after a loss of power: for files
            that can be made again and whose readers notice damage.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), 'a')
    >>> with atomic_file(path) as file:
    ...     _ = file.write(b'content')
    ...     os.path.exists(path)
    False
    >>> os.path.exists(path)
    True
    """
    folder = os.path.dirname(os.path.abspath(path))
    os.makedirs(folder, exist_ok=True)
    temporary = os.path.join(folder, f".{os.path.basename(path)}.{uuid.uuid4().hex[:12]}.part")
    try:
        with synced_file(temporary) if durable else open(temporary, "xb") as file:
            yield file
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.remove(temporary)
        raise


@contextlib.contextmanager
def synced_file(path: str) -> Iterator[BinaryIO]:
    """Open a new file for writing whose content is on the disk when the block ends without an error."""
    with open(path, "xb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def publish_folder(made: str, target: str, move: Callable[[str, str], Any] = os.rename) -> None:
    """Give a folder its name, under which it appears whole: its files, written by `atomic_file` or `synced_file`, are on the disk before.

    Arguments:
        made: the folder, on the file system of `target`.
        target: its new path, which does not exist.
        move: renames a folder.

    >>> import os, tempfile
    >>> home = tempfile.mkdtemp()
    >>> with atomic_file(os.path.join(home, 'new.part', 'a')) as file:
    ...     _ = file.write(b'content')
    >>> publish_folder(os.path.join(home, 'new.part'), os.path.join(home, 'new'))
    >>> os.listdir(home)
    ['new']
    """
    sync_folder(made)
    move(made, target)
    sync_folder(os.path.dirname(os.path.abspath(target)))


def sync_folder(folder: str) -> None:
    """Wait until the names of a folder's files are on the disk. Windows has no such call."""
    if os.name == "posix":
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        except OSError:  # some network shares cannot; the files themselves are on the disk
            pass
        finally:
            os.close(fd)
