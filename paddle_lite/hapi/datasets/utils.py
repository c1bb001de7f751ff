"""Where the files of data sets are."""

from __future__ import annotations

import os

from ...core.errors import MissingFileError
from ...dataset.common import download as download_file


def _check_exists_and_download(
    path: str | None, url: str, md5: str | None, module_name: str, download: bool = True
) -> str:
    """Return a path if it exists, else that of the published file.

    Arguments:
        path: the path, or None.
        url, md5, module_name: of the published file, as for `paddle.dataset.common.download`.
        download: whether the published file may be used.

    Raises:
        MissingFileError: `path` does not exist, and `download` is False.
        DownloadError: the published file is not on this machine and cannot be downloaded.
    """
    if path and os.path.exists(path):
        return path
    if not download:
        raise MissingFileError(
            f"{module_name or 'data set'}: {path!r} does not exist, and download is False. Pass the path of the file, or "
            "download=True."
        )
    return download_file(url, module_name, md5)
