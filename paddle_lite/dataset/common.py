"""Find the files of data sets in a local cache, or download them.

A file is looked for in `$PADDLE_LITE_DATA_HOME/<data set>/`, then in `DATA_HOME/<data set>/` (PaddlePaddle's own cache,
`~/.cache/paddle/dataset`), and is downloaded to the latter if it is in neither.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import pkgutil
import secrets
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..core.errors import EnforceNotMet
from ..core.progress.bars import progress_bar
from ..core.tracebacks import user_level
from .shards import cluster_files_reader, split

__all__ = ["DATA_HOME", "DownloadError", "cluster_files_reader", "download", "md5file", "split"]

DATA_HOME = os.path.expanduser(os.path.join("~", ".cache", "paddle", "dataset"))

_CHUNK_BYTES = 1 << 16
_ATTEMPTS = 3
_TIMEOUT_SECONDS = 30.0


class DownloadError(EnforceNotMet, OSError, RuntimeError):
    """A file is not on this machine and could not be downloaded. Fluid raises a RuntimeError for it."""


def must_mkdirs(path: str | os.PathLike[str]) -> None:
    """Make a folder with all folders above it; one that is there is left alone."""
    os.makedirs(path, exist_ok=True)


def fetch_all() -> None:
    """Download the files of each data set of this package that are not on this machine.

    Raises:
        DownloadError: a file cannot be downloaded.
    """
    package = __name__.rpartition(".")[0]
    for name in sorted(module.name for module in pkgutil.iter_modules(importlib.import_module(package).__path__)):
        module = importlib.import_module(f"{package}.{name}")
        if module.__name__ != __name__ and callable(getattr(module, "fetch", None)):
            module.fetch()


def md5file(fname: str | os.PathLike[str]) -> str:
    """Return the MD5 checksum of a file as 32 hexadecimal digits.

    Arguments:
        fname: path of the file.

    Returns:
        A str of 32 hexadecimal digits, in lower case.

    Raises:
        OSError: the file cannot be read.

    Example:
        >>> import os, tempfile
        >>> import paddle_lite as paddle
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "empty")
        ...     open(path, "w").close()
        ...     paddle.dataset.common.md5file(path)
        'd41d8cd98f00b204e9800998ecf8427e'
    """
    digest = _md5()
    with open(os.fspath(fname), "rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
    return str(digest.hexdigest())


def download(url: str, module_name: str, md5sum: str | None, save_name: str | None = None) -> str:
    """Return the path of a file of a data set on this machine; download the file if it is missing.

    The file is looked for in `$PADDLE_LITE_DATA_HOME/<module_name>/`, then in `DATA_HOME/<module_name>/`. A file that
    exists is used whatever its checksum; a warning reports a checksum other than `md5sum`. A download goes to a
    temporary file in the destination folder, which is renamed once it is complete and its checksum is right.

    Arguments:
        url: URL of the published file.
        module_name: name of the data set, which is also the name of its folder.
        md5sum: checksum of the published file; None or "" accepts any.
        save_name: name of the file on this machine; None takes the last part of `url`.

    Returns:
        The path of the file, a str.

    Raises:
        DownloadError: the file is not on this machine and cannot be downloaded; the message says where to put it by
            hand.

    Example:
        >>> import os, pathlib, tempfile
        >>> import paddle_lite as paddle
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     paddle.dataset.common.DATA_HOME, usual = folder, paddle.dataset.common.DATA_HOME
        ...     source = pathlib.Path(folder, "words.txt")
        ...     _ = source.write_text("to be")
        ...     path = paddle.dataset.common.download(source.as_uri(), "speech", None)
        ...     paddle.dataset.common.DATA_HOME = usual
        ...     os.path.relpath(path, folder).split(os.sep)
        ['speech', 'words.txt']
    """
    name = save_name or url.split("/")[-1]
    cached = Path(DATA_HOME, module_name, name)
    home = os.environ.get("PADDLE_LITE_DATA_HOME")
    for path in [Path(home, module_name, name), cached] if home else [cached]:
        if path.is_file():
            _warn_if_checksum_differs(path, md5sum)
            return str(path)
    file = f"{module_name}/{name}"
    remedy = f"or as {file} into a folder that the environment variable PADDLE_LITE_DATA_HOME names."
    fetch(url, cached, md5sum, f"paddle.dataset: {file}", remedy)
    return str(cached)


def _md5() -> Any:
    """Return an MD5 hash object, also where a policy forbids MD5 for security: here it only detects damaged files."""
    return hashlib.md5(usedforsecurity=False)


def _warn_if_checksum_differs(path: Path, md5sum: str | None) -> None:
    """Warn when the checksum of a file is not that of the published one."""
    if md5sum and (found := md5file(path)) != md5sum:
        warnings.warn(
            f"{path} has MD5 {found}, the published file has {md5sum}. It is used as it is; delete it to download the "
            "published one.",
            stacklevel=user_level(),
        )


def fetch(url: str, path: Path, md5sum: str | None, what: str, remedy: str = "") -> None:
    """Download to `path`, completely or not at all; retry when the connection breaks or the checksum is wrong.

    Arguments:
        url: the URL of the file.
        path: the path to write.
        md5sum: the checksum; None or "" accepts any.
        what: what the file is, for the error.
        remedy: where else to put it by hand.

    Raises:
        DownloadError: it cannot be downloaded.
    """
    from http.client import HTTPException  # slow to import, like urllib, and only needed to download

    partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    reasons: list[str] = []
    while len(reasons) < _ATTEMPTS:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            found = _copy(url, partial, path.name)
            if not md5sum or found == md5sum:
                os.replace(partial, path)
                return
            reasons.append(f"what came has MD5 {found}, expected {md5sum}")
        except (OSError, HTTPException) as error:  # urllib's own errors are OSErrors
            reasons.append(str(error))
        finally:
            with suppress(OSError):  # usually it does not exist: it was renamed or never created
                partial.unlink()
    by_hand = f"Put the file at {path}, {remedy}" if remedy else f"Put the file at {path}."
    raise DownloadError(
        f"{what} is not on this machine and could not be downloaded from {url} in {_ATTEMPTS} attempts: "
        f"{'; '.join(dict.fromkeys(reasons))}. {by_hand}"
    )


def _copy(url: str, path: Path, name: str) -> str:
    """Copy the content of a URL into a file, showing progress; return the MD5 checksum."""
    from urllib.request import urlopen

    digest = _md5()
    done = 0
    with urlopen(url, timeout=_TIMEOUT_SECONDS) as response, open(path, "wb") as file:
        length = response.headers.get("Content-Length")
        total = int(length) if length else None
        with progress_bar(None, name, total, "B", True) as bar:
            while chunk := response.read(_CHUNK_BYTES):
                file.write(chunk)
                digest.update(chunk)
                done += len(chunk)
                bar.update(len(chunk))
    if total is not None and done < total:
        raise ConnectionError(f"the connection ended after {done} of {total} bytes")
    return str(digest.hexdigest())
