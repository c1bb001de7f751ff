"""Waiting until all trainers of a job are ready, by a file of each in Hadoop's file system."""

from __future__ import annotations

import os
import posixpath
import tempfile
import time
from typing import Any

from ...core.errors import ArgumentValueError, message
from ..fleet.parameter_server import fleet
from .fleet_client import HDFSClient

__all__ = ["check_all_trainers_ready"]

PAUSE = 10.0
"""Seconds between two looks into the folder."""

_VARIABLES = ("HADOOP_HOME", "FS_NAME", "FS_UGI")


def check_all_trainers_ready(ready_path: str, epoch: int) -> None:
    """Put a file into a folder of Hadoop's file system, and return when as many files are there as there are trainers.

    The environment says where Hadoop is: HADOOP_HOME, and FS_NAME and FS_UGI for the options fs.default.name and
    hadoop.job.ugi. The number of trainers and the one that this is are those of the `fleet` of parameter servers.

    Arguments:
        ready_path: the folder, which is made if it is not there. It should be another one for each epoch.
        epoch: a number in the name of the file.

    Raises:
        ArgumentValueError: a variable of the environment is not set; or the folder cannot be written.
    """
    where = "check_all_trainers_ready"
    absent = [name for name in _VARIABLES if name not in os.environ]
    if absent:
        needs = f"{', '.join(_VARIABLES)} in the environment"
        raise ArgumentValueError(message(where, "environment", f"no {', '.join(absent)}", needs))
    home, name, user = (os.environ[each] for each in _VARIABLES)
    client = HDFSClient(home, {"fs.default.name": name, "hadoop.job.ugi": user})
    _put(client, ready_path, f"ready.{epoch}.{fleet.worker_index()}.done")
    trainers = fleet.worker_num()
    while (ready := len(client.ls(ready_path))) != trainers:
        print(f"{ready} of {trainers} trainers are ready")
        time.sleep(PAUSE)
    print(f"all {trainers} trainers are ready")


def _put(client: Any, folder: str, name: str) -> None:
    """Put an empty file into a folder."""
    if not client.is_dir(folder):
        client.makedirs(folder)
    with tempfile.TemporaryDirectory() as own:
        path = os.path.join(own, name)
        with open(path, "w", encoding="utf8"):
            pass
        client.upload(hdfs_path=folder, local_path=path, overwrite=True, retry_times=0)
    if not client.is_exist(posixpath.join(folder, name)):
        needs = "a folder of Hadoop's file system that can be written"
        raise ArgumentValueError(message("check_all_trainers_ready", "ready_path", folder, needs))
