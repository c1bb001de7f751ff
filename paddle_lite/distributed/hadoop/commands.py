"""The command `hadoop fs`, and what both clients of Fluid do with it."""

from __future__ import annotations

import logging
import os
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from ...core.errors import ArgumentTypeError, ArgumentValueError, FolderError, MissingFileError, describe, message

T = TypeVar("T")
_logger = logging.getLogger(__name__)


class HadoopCommands:
    """A client of Hadoop's file system: each method runs `HADOOP_HOME/bin/hadoop fs ...`, a second time if it fails.

    Arguments:
        hadoop_home: the folder of Hadoop, which has `bin/hadoop` in it.
        configs: options of each command, such as {"fs.default.name": "hdfs://host:port", "hadoop.job.ugi": "user,password"}.

    Raises:
        ArgumentTypeError: `configs` is no dict.
    """

    def __init__(self, hadoop_home: str, configs: Mapping[str, Any] | None) -> None:
        if configs is not None and not isinstance(configs, Mapping):
            needs = 'a dict, such as {"fs.default.name": "hdfs://host:port"}'
            raise ArgumentTypeError(message("HDFSClient", "configs", describe(configs), needs))
        options = [f"-D{key}={value}" for key, value in (configs or {}).items()]
        self.pre_commands = [os.path.join(str(hadoop_home), "bin", "hadoop"), "fs", *options]

    def _run(self, *command: str, retry_times: int = 1) -> tuple[bool, list[str]]:
        """Run a command until it succeeds, `retry_times` times more at most; return whether it did, and the lines it wrote.

        Raises:
            MissingFileError: Hadoop is not where `hadoop_home` says.
        """
        words = [*self.pre_commands, *command]
        done = None
        for _ in range(retry_times + 1):
            try:
                done = subprocess.run(words, capture_output=True, text=True, check=False)
            except (FileNotFoundError, NotADirectoryError, PermissionError) as error:
                fix = "Install Hadoop, and pass its folder as hadoop_home, e.g. os.environ['HADOOP_HOME']."
                needs = "the command of Hadoop"
                raise MissingFileError(message("HDFSClient", "hadoop_home/bin/hadoop", words[0], needs, fix)) from error
            if done.returncode == 0:
                return True, done.stdout.splitlines()
        assert done is not None
        _logger.info("%s: status %d, %s", " ".join(words), done.returncode, done.stderr.strip())
        return False, []

    def _listed(self, command: str, path: str) -> list[list[str]]:
        """Return the lines of a listing that describe a file or folder, in words; [] if the path does not exist."""
        if not self.is_exist(path):
            return []
        _, lines = self._run(command, path)
        return [words for line in lines if len(words := line.split(None, 7)) == 8]

    def is_exist(self, hdfs_path: str | None = None) -> bool:
        """Return whether a path exists."""
        return self._run("-test", "-e", str(hdfs_path))[0]

    def is_dir(self, hdfs_path: str | None = None) -> bool:
        """Return whether a path is a folder."""
        return self.is_exist(hdfs_path) and self._run("-test", "-d", str(hdfs_path))[0]

    def is_file(self, hdfs_path: str | None = None) -> bool:
        """Return whether a path is a file."""
        return self.is_exist(hdfs_path) and not self._run("-test", "-d", str(hdfs_path))[0]

    def delete(self, hdfs_path: str) -> bool:
        """Delete a file or folder; return whether it is gone, also if there was none."""
        if not self.is_exist(hdfs_path):
            return True
        return self._run("-rmr" if self.is_dir(hdfs_path) else "-rm", hdfs_path)[0]

    def rename(self, hdfs_src_path: str, hdfs_dst_path: str, overwrite: bool = False) -> bool:
        """Rename a file or folder; return whether it was done.

        Arguments:
            overwrite: whether to delete before what is at `hdfs_dst_path`.
        """
        if overwrite and self.is_exist(hdfs_src_path) and self.is_exist(hdfs_dst_path):
            self.delete(hdfs_dst_path)
        return self._run("-mv", hdfs_src_path, hdfs_dst_path)[0]

    @staticmethod
    def make_local_dirs(local_path: str) -> None:
        """Make a folder of this machine, and those around it; do nothing if it exists."""
        try:
            os.makedirs(local_path, exist_ok=True)
        except (FileExistsError, NotADirectoryError) as error:
            raise FolderError(
                message("make_local_dirs", "local_path", local_path, "a folder, or nothing there")
            ) from error

    def makedirs(self, hdfs_path: str) -> bool | None:
        """Make a folder; return whether it was done, None if it existed."""
        return None if self.is_exist(hdfs_path) else self._run("-mkdir", hdfs_path)[0]

    def ls(self, hdfs_path: str) -> list[str]:
        """Return the paths of what is in a folder; [] if it does not exist."""
        return [words[7] for words in self._listed("-ls", hdfs_path)]

    def _put(self, local_path: str, hdfs_path: str, retry_times: int = 5) -> bool:
        return self._run("-put", local_path, hdfs_path, retry_times=retry_times)[0]

    def _get(self, hdfs_path: str, local_path: str, retry_times: int = 1) -> bool:
        return self._run("-get", hdfs_path, local_path, retry_times=retry_times)[0]


def need_local(where: str, local_path: str) -> None:
    """Raise ArgumentValueError unless a path of this machine exists."""
    if not os.path.exists(local_path):
        raise ArgumentValueError(message(where, "local_path", local_path, "a file or folder of this machine"))


def files_in(folder: str) -> list[str]:
    """Return the paths of all files below a folder, in the order of their names; of a file, itself."""
    found = Path(folder)
    return [folder] if found.is_file() else [str(path) for path in sorted(found.rglob("*")) if path.is_file()]


def share_of(files: Sequence[T], index: int, count: int) -> list[T]:
    """Return one of `count` parts of a list; the first ones have an item more where it does not divide evenly."""
    size, more = divmod(len(files), count)
    start = index * size + min(index, more)
    return list(files[start : start + size + (index < more)])


def at_once(function: Callable[[Any], bool], values: Iterable[Any], count: int) -> list[bool]:
    """Call a function of each value, `count` calls at once."""
    with ThreadPoolExecutor(max(int(count), 1)) as pool:
        return list(pool.map(function, values))
