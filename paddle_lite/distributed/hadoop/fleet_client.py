"""The client of Hadoop's file system of `fluid.incubate.fleet`, which copies many files at once."""

from __future__ import annotations

import os
import posixpath
import shutil
from collections.abc import Sequence

from .commands import HadoopCommands, at_once, files_in, need_local, share_of

__all__ = ["HDFSClient"]


class HDFSClient(HadoopCommands):
    """A client of Hadoop's file system, which runs `hadoop fs`.

    Arguments:
        hadoop_home: the folder of Hadoop, which has `bin/hadoop` in it.
        configs: options of each command, such as {"fs.default.name": "hdfs://host:port", "hadoop.job.ugi": "user,password"}.

    Raises:
        ArgumentTypeError: `configs` is no dict.
        MissingFileError: from any method: Hadoop is not where `hadoop_home` says.
    """

    def cat(self, hdfs_path: str | None = None) -> str:
        """Return the text of a file without the line end after it; "" if it is a folder or does not exist."""
        return "\n".join(self._run("-cat", str(hdfs_path))[1]).rstrip("\n") if self.is_file(hdfs_path) else ""

    def lsr(self, hdfs_path: str, excludes: Sequence[str] = ()) -> list[str]:
        """Return the paths of all files below a folder; [] if it does not exist.

        Arguments:
            excludes: paths to leave out.
        """
        lines = [words for words in self._listed("-lsr", hdfs_path) if not words[0].startswith("d")]
        return [words[7] for words in lines if words[7] not in excludes]

    @staticmethod
    def split_files(files: Sequence[str], trainer_id: int, trainers: int) -> list[str]:
        """Return a trainer's part of a list of files; the first ones have a file more where it does not divide evenly.

        Arguments:
            files: the files.
            trainer_id: which part, from 0.
            trainers: the number of parts.

        >>> from paddle_lite.fluid.incubate.fleet.utils.hdfs import HDFSClient
        >>> HDFSClient.split_files(["a", "b", "c", "d", "e"], 0, 2)
        ['a', 'b', 'c']
        """
        return share_of(files, trainer_id, trainers)

    def download(
        self,
        hdfs_path: str,
        local_path: str,
        multi_processes: int = 5,
        overwrite: bool = False,
        retry_times: int = 5,
    ) -> list[str]:
        """Copy the files of a folder, or a file, into a folder of this machine, several at once.

        Arguments:
            hdfs_path: the folder, or a file.
            local_path: the folder of this machine, which is made.
            multi_processes: how many files to copy at once.
            overwrite: whether to replace files that are there; else they are left as they are.
            retry_times: how often to try again.

        Returns:
            The paths of the files on this machine.
        """
        self.make_local_dirs(local_path)

        def copy(path: str) -> bool:
            target = os.path.join(local_path, posixpath.basename(path))
            if os.path.exists(target):
                if not overwrite:
                    return False
                shutil.rmtree(target) if os.path.isdir(target) else os.remove(target)
            return self._get(path, target, retry_times)

        at_once(copy, self.ls(hdfs_path), multi_processes)
        return files_in(local_path)

    def upload(
        self,
        hdfs_path: str,
        local_path: str,
        multi_processes: int = 5,
        overwrite: bool = False,
        retry_times: int = 5,
    ) -> None:
        """Copy all files below a folder of this machine, or a file, into a folder of Hadoop's file system, several at once.

        Arguments:
            hdfs_path: the folder, which is made.
            local_path: the folder of this machine, or a file.
            multi_processes: how many files to copy at once.
            overwrite: whether to replace files that are there; else they are left as they are.
            retry_times: how often to try again.
        """
        if not os.path.exists(local_path):
            return
        self.makedirs(hdfs_path)

        def copy(path: str) -> bool:
            target = posixpath.join(hdfs_path, os.path.basename(path))
            if self.is_exist(target):
                if not overwrite:
                    return False
                self.delete(target)
            return self._put(path, hdfs_path, retry_times)

        at_once(copy, files_in(local_path), multi_processes)

    def upload_dir(self, dest_dir: str, local_dir: str, overwrite: bool = False) -> bool:
        """Copy a folder of this machine into a folder of Hadoop's file system; return whether it was done.

        Arguments:
            dest_dir: the folder into which it is copied, which is made.
            local_dir: the folder of this machine.
            overwrite: whether to replace a folder of its name.

        Raises:
            ArgumentValueError: there is no such folder on this machine.
        """
        need_local("HDFSClient.upload_dir", local_dir)
        local_dir = local_dir.rstrip("/")
        target = posixpath.join(dest_dir, os.path.basename(local_dir))
        if overwrite and self.is_exist(target):
            self.delete(target)
        self.makedirs(dest_dir)
        return self._put(local_dir, dest_dir)
