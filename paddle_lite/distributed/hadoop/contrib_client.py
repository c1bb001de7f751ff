"""The client of Hadoop's file system of `fluid.contrib.utils`, and transfers of many files."""

from __future__ import annotations

import os
import posixpath
import shutil
import zipfile

from ...core.errors import ArgumentTypeError, describe, message
from .commands import HadoopCommands, at_once, files_in, need_local, share_of

__all__ = ["HDFSClient", "getfilelist", "multi_download", "multi_upload"]


class HDFSClient(HadoopCommands):
    """A client of Hadoop's file system, which runs `hadoop fs`.

    Arguments:
        hadoop_home: the folder of Hadoop, which has `bin/hadoop` in it.
        configs: options of each command, such as {"fs.default.name": "hdfs://host:port", "hadoop.job.ugi": "user,password"}.

    Raises:
        ArgumentTypeError: `configs` is no dict.
        MissingFileError: from any method: Hadoop is not where `hadoop_home` says.
    """

    def upload(self, hdfs_path: str, local_path: str, overwrite: bool = False, retry_times: int = 5) -> bool:
        """Copy a file to a folder of Hadoop's file system, which is made; return whether it was done.

        Arguments:
            hdfs_path: the folder.
            local_path: a file of this machine; a folder is not copied, see `multi_upload`.
            overwrite: whether to delete the folder before, if it has a file of this name.
            retry_times: how often to try again.

        Raises:
            ArgumentValueError: there is no such file.
        """
        need_local("HDFSClient.upload", local_path)
        if os.path.isdir(local_path):
            return False
        if self.is_exist(hdfs_path):
            there = self.is_exist(f"{hdfs_path}/{os.path.basename(local_path)}")
            if there and not overwrite:
                return False
            if there:
                self.delete(hdfs_path)
                self.makedirs(hdfs_path)
        else:
            self.makedirs(hdfs_path)
        return self._put(local_path, hdfs_path, retry_times)

    def download(self, hdfs_path: str, local_path: str, overwrite: bool = False, unzip: bool = False) -> bool:
        """Copy a file or folder into a folder of this machine, which is made; return whether it was done.

        Arguments:
            hdfs_path: the file or folder.
            local_path: the folder.
            overwrite: whether to replace what has its name there; else nothing is done.
            unzip: whether to extract a zip archive.
        """
        if not self.is_exist(hdfs_path):
            print(f"HDFS path: {hdfs_path} do not exist")
            return False
        self.make_local_dirs(local_path)
        target = os.path.join(local_path, posixpath.basename(hdfs_path.rstrip("/")))
        if os.path.exists(target):
            if not overwrite:
                return False
            shutil.rmtree(target) if os.path.isdir(target) else os.remove(target)
        if not self._get(hdfs_path, local_path):
            return False
        if unzip and zipfile.is_zipfile(target):
            with zipfile.ZipFile(target) as archive:
                archive.extractall(local_path)
        return True

    def lsr(self, hdfs_path: str, only_file: bool = True, sort: bool = True) -> list[str]:
        """Return the paths of all that is below a folder; [] if it does not exist.

        Arguments:
            only_file: whether to leave folders out.
            sort: whether the oldest comes first.
        """
        lines = [words for words in self._listed("-lsr", hdfs_path) if not (only_file and words[0].startswith("d"))]
        return [words[7] for words in (sorted(lines, key=lambda words: words[5:7]) if sort else lines)]


def multi_download(
    client: HDFSClient, hdfs_path: str, local_path: str, trainer_id: int, trainers: int, multi_processes: int = 5
) -> list[str]:
    """Copy a trainer's part of the files below a folder to this machine, several at once.

    Arguments:
        client: an HDFSClient.
        hdfs_path: the folder.
        local_path: the folder of this machine; below it files have their paths below `hdfs_path`.
        trainer_id: which part of the files, from 0.
        trainers: the number of parts.
        multi_processes: how many files to copy at once.

    Returns:
        The paths of the files on this machine.

    Raises:
        ArgumentTypeError: `client` is no HDFSClient.
    """
    _need_client("multi_download", client)
    client.make_local_dirs(local_path)
    mine = share_of(client.lsr(hdfs_path, sort=False), trainer_id, trainers)
    targets = [os.path.join(local_path, posixpath.relpath(path, hdfs_path)) for path in mine]
    at_once(lambda k: client.download(mine[k], os.path.dirname(targets[k])), range(len(mine)), multi_processes)
    return targets


def multi_upload(
    client: HDFSClient,
    hdfs_path: str,
    local_path: str,
    multi_processes: int = 5,
    overwrite: bool = False,
    sync: bool = True,
) -> None:
    """Copy all files below a folder of this machine, several at once.

    Arguments:
        client: an HDFSClient.
        hdfs_path: the folder of Hadoop's file system; below it files have their paths below `local_path`.
        local_path: the folder of this machine.
        multi_processes: how many files to copy at once.
        overwrite: whether to replace files that are there.
        sync: accepted for Fluid code; the call ends when all files are there.

    Raises:
        ArgumentTypeError: `client` is no HDFSClient.
        ArgumentValueError: there is no such folder on this machine.
    """
    _need_client("multi_upload", client)
    need_local("multi_upload", local_path)

    def copy(path: str) -> bool:
        name = os.path.relpath(path, local_path).replace(os.sep, "/")
        target = posixpath.join(hdfs_path, name)
        if client.is_exist(target):
            if not overwrite:
                return False
            client.delete(target)
        return client._put(path, posixpath.dirname(target))

    files = files_in(local_path)
    for folder in sorted({os.path.dirname(os.path.relpath(path, local_path)) for path in files}):
        client.makedirs(posixpath.join(hdfs_path, folder.replace(os.sep, "/")).rstrip("/"))
    at_once(copy, files, multi_processes)


def getfilelist(path: str) -> None:
    """Print the paths of all files below a folder of this machine."""
    for name in files_in(path):
        print(name)


def _need_client(where: str, client: object) -> None:
    if not isinstance(client, HDFSClient):
        raise ArgumentTypeError(message(where, "client", describe(client), "an HDFSClient"))
