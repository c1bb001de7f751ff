"""Files that networks need, such as trained weights: from a folder on this machine, or downloaded to it."""

from __future__ import annotations

import os
import shutil
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import IO

from ..core.errors import ArgumentValueError, FileFormatError, describe, message
from ..dataset.common import fetch, md5file

__all__ = ["get_weights_path_from_url"]

WEIGHTS_HOME = os.path.expanduser(os.path.join("~", ".cache", "paddle", "hapi", "weights"))


def get_weights_path_from_url(url: str, md5sum: str | None = None) -> str:
    """Return the path of a file of weights in WEIGHTS_HOME (`~/.cache/paddle/hapi/weights`); download what is missing.

    Arguments:
        url: the URL of the file.
        md5sum: its checksum; None accepts any.

    Returns:
        The path of the file; of an archive the path of what it holds.

    Raises:
        ArgumentValueError: `url` is no URL.
        DownloadError: the file is not there and cannot be downloaded; the error says where to put it by hand.
    """
    return get_path_from_url(url, WEIGHTS_HOME, md5sum)


def get_path_from_url(url: str, root_dir: str, md5sum: str | None = None, check_exist: bool = True) -> str:
    """Return the path of a file in a folder; download it if it is not there, and unpack tar and zip archives.

    Arguments:
        url: the URL of the file, whose last part is the name of the file.
        root_dir: the folder.
        md5sum: the checksum of the file; None accepts any. A file with another one is downloaded again.
        check_exist: whether a file that is there is used.

    Returns:
        The path of the file. Of an archive the path of its only file or folder; else that of a folder with the name of
        the archive, into which it is unpacked.

    Raises:
        ArgumentValueError: `url` is no URL.
        DownloadError: the file is not there and cannot be downloaded; the error says where to put it by hand.
        FileFormatError: an archive holds files that lie outside of it.
    """
    if not isinstance(url, str) or "://" not in url:
        raise ArgumentValueError(message("get_path_from_url", "url", describe(url), "a URL, such as https://..."))
    path = Path(root_dir, url.split("/")[-1])
    if not (check_exist and path.is_file() and (not md5sum or md5file(path) == md5sum)):
        fetch(url, path, md5sum, f"paddle.hapi: {path.name}")
    if tarfile.is_tarfile(path):
        with tarfile.open(path) as tar:
            members = {member.name: member for member in tar.getmembers() if member.isfile()}
            return _unpack(path, ((name, tar.extractfile(each)) for name, each in members.items()), list(members))
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if not name.endswith("/")]
            return _unpack(path, ((name, archive.open(name)) for name in names), names)
    return str(path)


def _unpack(archive: Path, files: Iterator[tuple[str, IO[bytes] | None]], names: Sequence[str]) -> str:
    """Write the files of an archive; return the path of its only file or folder, or of a new one."""
    parts = [PurePosixPath(name).parts for name in names]
    outside = [name for name, part in zip(names, parts, strict=True) if ".." in part or name.startswith("/")]
    if outside or not names:
        fault = f"it holds {outside[0]!r}, which lies outside of it" if outside else "it is empty"
        raise FileFormatError(f"{archive}: {fault}; expected files in folders. Delete it to have it downloaded again.")
    tops = {part[0] for part in parts}
    single = len(tops) == 1
    folder = archive.parent if single else archive.with_suffix("")
    for name, content in files:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if content is not None:
            with content, open(target, "wb") as file:
                shutil.copyfileobj(content, file)
    return str(folder / tops.pop()) if single else str(folder)
