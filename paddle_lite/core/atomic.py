"""Files that are either the old one or the whole new one, never half of it."""

from __future__ import annotations

import contextlib
import os
import uuid
from collections.abc import Callable, Iterator
from typing import BinaryIO


@contextlib.contextmanager
def atomic_file(path: str) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of `path` when the block ends without an error.

    The directory is made where it is missing.
    """
    with atomic_files() as opened, opened(path) as file:
        yield file


@contextlib.contextmanager
def atomic_files() -> Iterator[Callable[[str], contextlib.AbstractContextManager[BinaryIO]]]:
    """A function that opens files to write to; all of them take their places when the block ends without an error.

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
