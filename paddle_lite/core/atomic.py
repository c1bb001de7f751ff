"""Atomic file writes: a reader sees the old content or all of the new content, never a part of it."""

from __future__ import annotations

import contextlib
import os
import uuid
from collections.abc import Callable, Iterator
from typing import BinaryIO


@contextlib.contextmanager
def atomic_file(path: str) -> Iterator[BinaryIO]:
    """Open a file for writing that replaces `path` when the block ends without an error.

    Missing directories are created.
    """
    with atomic_files() as opened, opened(path) as file:
        yield file


@contextlib.contextmanager
def atomic_files() -> Iterator[Callable[[str], contextlib.AbstractContextManager[BinaryIO]]]:
    """Yield a function that opens files for writing.

    All of them replace their targets when the block ends without an error.

    >>> import os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> with atomic_files() as opened:
    ...     for name in ('a', 'b'):
    ...         with opened(os.path.join(folder, name)) as file:
    ...             _ = file.write(name.encode())
    ...     os.path.exists(os.path.join(folder, 'a'))
    False
    >>> sorted(os.listdir(folder))
    ['a', 'b']
    """
    ready: list[tuple[str, str]] = []

    @contextlib.contextmanager
    def opened(path: str) -> Iterator[BinaryIO]:
        folder = os.path.dirname(os.path.abspath(path))
        os.makedirs(folder, exist_ok=True)
        temporary = os.path.join(folder, f".{os.path.basename(path)}.{uuid.uuid4().hex[:12]}.part")
        ready.append((temporary, path))
        with open(temporary, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())

    try:
        yield opened
        for temporary, path in ready:
            os.replace(temporary, path)
    except BaseException:
        for temporary, _ in ready:
            with contextlib.suppress(FileNotFoundError):
                os.remove(temporary)
        raise
