"""Save several files into a folder, all or none, and load them so.

`saving` writes the files into a folder of its own inside the target folder, `.save-<id>.part`. When all of them are on the
disk, it writes a journal there that says where each belongs: from that moment on the save counts. Then it renames the files to
their places and removes its folder. While it renames it holds a lock on the target folder, and `loading` shares that lock, so
that no load reads some files of one save and some of another.

A process that dies before the journal is there has saved nothing; the next save removes its folder. If it dies later, the next load
or save renames the rest. What stays in the folder are the files that PaddlePaddle writes, nothing else.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
import time
import uuid
from collections.abc import Callable, Iterator
from typing import BinaryIO

from ..errors import FolderError, message
from .atomic import atomic_file, sync_folder, synced_file
from .locks import folder_lock, try_lock

BEGIN, END = ".save-", ".part"
JOURNAL, LOCK = "journal", "lock"
_LARGEST_JOURNAL = 64 << 20  # bytes; a path of a file takes a hundred
_BLOCKED_RENAMES = 50  # how often Windows is asked again to replace a file that another process reads


Opener = Callable[[str], contextlib.AbstractContextManager[BinaryIO]]


@contextlib.contextmanager
def saving(folder: str | os.PathLike[str]) -> Iterator[Opener]:
    """Yield a function that opens a file of a folder for writing, given its path relative to the folder.

    The files replace those of their names when the block ends without an error: all, or none if there is an error or the process
    ends. The folder is created if it does not exist.

    Arguments:
        folder: the folder; "" is the working directory.

    Raises:
        FolderError: a folder stands where a file is to be, or a file where a folder is to be.

    >>> import os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> with saving(folder) as opened:
    ...     for name in ('a', 'b'):
    ...         with opened(name) as file:
    ...             _ = file.write(name.encode())
    ...     os.path.exists(os.path.join(folder, 'a'))
    False
    >>> sorted(os.listdir(folder))
    ['a', 'b']
    """
    save = _Save(os.path.abspath(folder))
    try:
        yield save.opened
        save.commit()
    finally:
        save.close()


class _Save:
    """A save: the folder of its files, once there is one, and the paths where they belong."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.staging: str | None = None
        self.lock: int | None = None  # a locked file, which shows that the process is alive
        self.targets: list[str] = []

    @contextlib.contextmanager
    def opened(self, path: str) -> Iterator[BinaryIO]:
        if self.staging is None:
            self._begin()
        self.targets.append(path)
        try:
            with synced_file(os.path.join(self.staging, str(len(self.targets) - 1))) as file:  # type: ignore[arg-type]
                yield file
        except OSError as error:
            if error.errno is not None and error.filename is None:  # writing names no file, as on a full disk
                error.filename = os.path.join(self.root, path)
            raise

    def _begin(self) -> None:
        _make_folder(self.root)
        with folder_lock(self.root):
            self.staging = os.path.join(self.root, f"{BEGIN}{uuid.uuid4().hex[:12]}{END}")
            os.mkdir(self.staging)
            self.lock = os.open(os.path.join(self.staging, LOCK), os.O_RDWR | os.O_CREAT, 0o600)
            try_lock(self.lock)

    def commit(self) -> None:
        """Let the files take their places."""
        if self.staging is None:
            return
        for path in self.targets:
            _check_target(self.root, path)
        with folder_lock(self.root):
            _settle(self.root)
            with atomic_file(os.path.join(self.staging, JOURNAL)) as journal:
                journal.write(json.dumps(self.targets).encode())
            sync_folder(self.staging)
            _finish(self.root, self.staging)

    def close(self) -> None:
        """Remove the files unless they have to take their places yet."""
        if self.lock is not None:
            os.close(self.lock)
        if self.staging is not None and not _has_journal(self.staging):
            shutil.rmtree(self.staging, ignore_errors=True)


@contextlib.contextmanager
def loading(folder: str | os.PathLike[str]) -> Iterator[None]:
    """Let no save change the folder while the block reads several of its files.

    A save whose process died while it renamed its files is finished first.

    Raises:
        FolderError: there is such a save, and the folder cannot be written.
    """
    root = os.path.abspath(folder)
    if not os.path.isdir(root):  # whoever reads says what is missing
        yield
        return
    while True:
        with folder_lock(root, shared=True):
            if not any(_has_journal(path) for path in _saves(root)):
                yield
                return
        with folder_lock(root):
            _settle(root)


def is_unfinished(name: str) -> bool:
    """Return whether the name of a file or folder is that of a save which is not finished."""
    return name.startswith(".") and name.endswith(END)


def _saves(root: str) -> list[str]:
    """Return the folders of unfinished saves."""
    with os.scandir(root) as entries:
        return [
            e.path
            for e in entries
            if e.name.startswith(BEGIN) and e.name.endswith(END) and e.is_dir(follow_symlinks=False)
        ]


def _has_journal(staging: str) -> bool:
    return os.path.lexists(os.path.join(staging, JOURNAL))


def _settle(root: str) -> None:
    """Finish the saves that have a journal, and remove those of dead processes that have none. The folder is locked."""
    for staging in _saves(root):
        if _has_journal(staging):
            try:
                _finish(root, staging)
            except FolderError:
                raise
            except OSError as error:
                got = f"a save that was cut off, which cannot be finished here ({error})"
                fix = "Load it once as a user who may write there."
                raise FolderError(message("load", root, got, "a folder that can be written", fix)) from None
        elif _is_dead(staging):
            shutil.rmtree(staging, ignore_errors=True)


def _is_dead(staging: str) -> bool:
    """Return whether the process of a save has ended."""
    try:
        fd = os.open(os.path.join(staging, LOCK), os.O_RDWR)
    except FileNotFoundError:
        return True  # it is made under the lock of the folder, so it is removed here
    except OSError:
        return False  # of another user
    try:
        return try_lock(fd)
    finally:
        os.close(fd)


def _finish(root: str, staging: str) -> None:
    """Rename the files of a save with a journal to their places; those that are not there any more have been renamed before."""
    journal = os.path.join(staging, JOURNAL)
    moves = [(os.path.join(staging, str(number)), target) for number, target in enumerate(_targets(journal))]
    moves = [(source, target) for source, target in moves if _is_file(source)]
    for _, target in moves:  # all are right before one moves
        _check_target(root, target)
    there = [(source, _inside(root, target)) for source, target in moves]
    for source, path in there:
        _replace(source, path)
    for each in {root, *(os.path.dirname(path) for _, path in there)}:
        sync_folder(each)
    os.remove(journal)
    shutil.rmtree(staging, ignore_errors=True)


def _targets(journal: str) -> list[str]:
    """Return the paths that a journal lists."""
    if not _is_file(journal) or os.path.getsize(journal) > _LARGEST_JOURNAL:
        raise _damaged(journal, f"more than {_LARGEST_JOURNAL >> 20} MiB")
    with open(journal, "rb") as file:
        content = file.read()
    try:
        targets = json.loads(content)
    except (ValueError, RecursionError):
        targets = None
    if not isinstance(targets, list) or not all(isinstance(target, str) for target in targets):
        raise _damaged(journal, "other content")
    return targets


def _is_file(path: str) -> bool:
    """Return whether there is a file; raise where something stands in its place that no save makes: a link, a pipe, a folder."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return False
    if not stat.S_ISREG(mode):
        raise _damaged(path, "a link, a pipe or a folder")
    return True


def _damaged(path: str, got: str) -> FolderError:
    """Return the error for a file of an unfinished save that no save has made."""
    fix = "Another program has changed it: remove its folder, and save again."
    needs = "a list of paths" if path.endswith(JOURNAL) else "a file"
    return FolderError(message("load", f"{os.path.basename(path)} of {os.path.dirname(path)}", got, needs, fix))


def _inside(root: str, target: str) -> str:
    """Return the path of a target; raise if it is not inside of the folder, by ".." or by a link."""
    path = os.path.normpath(os.path.join(root, target))
    real, place = os.path.realpath(root), os.path.realpath(os.path.dirname(path))
    if os.path.commonpath([root, path]) != root or path == root or os.path.commonpath([real, place]) != real:
        raise FolderError(message("save", "file", repr(target), f"a path inside of {root}"))
    return path


def _replace(source: str, path: str) -> None:
    """Rename a file over another. Windows refuses while another process has that open, so ask again for a while."""
    for _ in range(_BLOCKED_RENAMES if os.name == "nt" else 0):
        try:
            os.replace(source, path)
            return
        except PermissionError:
            time.sleep(0.02)
    os.replace(source, path)


def _make_folder(folder: str) -> None:
    """Create a folder and those above it; raise where a file stands in the way."""
    try:
        os.makedirs(folder, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        fix = "Remove or rename that file, or save into another folder."
        raise FolderError(
            message("save", "folder", f"{folder}, which is a file or inside of one", "a folder", fix)
        ) from None


def _check_target(root: str, target: str) -> None:
    """Raise if a file cannot take its place: a folder has its name, a file has that of its folder, or there can be no such name."""
    try:
        path = _inside(root, target)
        _make_folder(os.path.dirname(path))
        with contextlib.suppress(FileNotFoundError):
            os.lstat(path)
    except FolderError:
        raise
    except (OSError, ValueError) as error:  # after the journal is written it could never be finished
        why = error.strerror if isinstance(error, OSError) else error
        got, fix = f"{target!r} ({why})", "Save under another name."
        raise FolderError(message("save", "file", got, "a path that the file system takes", fix)) from None
    if os.path.isdir(path):
        fix = "Remove or rename that folder, or save under another name."
        raise FolderError(message("save", "file", f"{path}, which is a folder", "the path of a file", fix))
