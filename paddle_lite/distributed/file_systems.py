"""File systems on which checkpoints lie: `paddle.distributed.fs_wrapper`."""

from __future__ import annotations

import os
import shutil
from abc import ABC, abstractmethod
from typing import Any, NoReturn

from ..core.errors import NotYetAvailable
from ..core.missing import missing_text

__all__ = ["BDFS", "FS", "LocalFS"]


class FS(ABC):
    """The interface of a file system. A subclass is a file system that `fleet.save_check_point` can write to."""

    @abstractmethod
    def list_dirs(self, fs_path: str) -> list[str]:
        """Return the names of the folders in a folder; [] if there is none."""

    @abstractmethod
    def ls_dir(self, fs_path: str) -> list[str]:
        """Return the names of all that is in a folder."""

    @abstractmethod
    def stat(self, fs_path: str) -> bool:
        """Return whether a path exists."""

    @abstractmethod
    def upload(self, local_path: str, fs_path: str) -> None:
        """Copy a file or folder of this machine."""

    @abstractmethod
    def download(self, fs_path: str, local_path: str) -> None:
        """Copy a file or folder to this machine."""

    @abstractmethod
    def mkdir(self, fs_path: str) -> None:
        """Make a folder, and those around it."""

    @abstractmethod
    def mv(self, fs_src_path: str, fs_dst_path: str) -> None:
        """Rename a file or folder."""

    @abstractmethod
    def rmr(self, fs_path: str) -> None:
        """Delete a folder."""

    @abstractmethod
    def rm(self, fs_path: str) -> None:
        """Delete a file."""

    @abstractmethod
    def delete(self, fs_path: str) -> None:
        """Delete a file or folder; do nothing if there is none."""

    @abstractmethod
    def need_upload_download(self) -> bool:
        """Return whether files have to be copied from and to this machine."""


class LocalFS(FS):
    """The file system of this machine.

    >>> import tempfile
    >>> from paddle_lite.distributed.fs_wrapper import LocalFS
    >>> fs, folder = LocalFS(), tempfile.mkdtemp()
    >>> fs.mkdir(f'{folder}/models/first')
    >>> fs.list_dirs(f'{folder}/models'), fs.stat(f'{folder}/other')
    (['first'], False)
    """

    def list_dirs(self, fs_path: str) -> list[str]:
        """Return the names of the folders in a folder; [] if there is none."""
        return (
            [name for name in self.ls_dir(fs_path) if os.path.isdir(f"{fs_path}/{name}")] if self.stat(fs_path) else []
        )

    def ls_dir(self, fs_path: str) -> list[str]:
        """Return the names of all that is in a folder.

        Raises:
            FileNotFoundError: there is no such folder.
        """
        return sorted(os.listdir(fs_path))

    def stat(self, fs_path: str) -> bool:
        """Return whether a path exists."""
        return os.path.exists(fs_path)

    def upload(self, local_path: str, fs_path: str) -> None:
        """Copy a file or folder."""
        _copy(local_path, fs_path)

    def download(self, fs_path: str, local_path: str) -> None:
        """Copy a file or folder."""
        _copy(fs_path, local_path)

    def mkdir(self, fs_path: str) -> None:
        """Make a folder, and those around it."""
        os.makedirs(fs_path, exist_ok=True)

    def mv(self, fs_src_path: str, fs_dst_path: str) -> None:
        """Rename a file or folder."""
        os.rename(fs_src_path, fs_dst_path)

    def rmr(self, fs_path: str) -> None:
        """Delete a folder."""
        shutil.rmtree(fs_path)

    def rm(self, fs_path: str) -> None:
        """Delete a file."""
        os.remove(fs_path)

    def delete(self, fs_path: str) -> None:
        """Delete a file or folder; do nothing if there is none."""
        if os.path.isdir(fs_path):
            self.rmr(fs_path)
        elif os.path.exists(fs_path):
            self.rm(fs_path)

    def need_upload_download(self) -> bool:
        """Return False: the files are on this machine."""
        return False


def _copy(source: str, target: str) -> None:
    if os.path.isdir(source):
        shutil.copytree(source, target)
    else:
        shutil.copy(source, target)


class BDFS:
    """The file system of a Hadoop cluster, which this version does not have.

    Raises:
        NotYetAvailable: always. A subclass of `FS` can take its place.
    """

    def __init__(self, *_: Any, **__: Any) -> None:
        _no_cluster()


def _no_cluster() -> NoReturn:
    raise NotYetAvailable(
        f"{missing_text('paddle.distributed.fs_wrapper.BDFS')}. Derive a class from FS for your cluster."
    )
