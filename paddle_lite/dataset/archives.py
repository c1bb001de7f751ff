"""Reading published archives, with errors that name the file and say what it should hold."""

from __future__ import annotations

import gzip
import io
import os
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from ..core.errors import FileFormatError

Path = str | os.PathLike[str]

REMEDY = "Delete the file to have it downloaded again, or replace it by the published one."

_BROKEN = (tarfile.TarError, zipfile.BadZipFile, gzip.BadGzipFile, EOFError, zlib.error, UnicodeDecodeError)


def foreign(path: Path, found: str, expected: str) -> FileFormatError:
    """The error about a file that is not what it should be."""
    return FileFormatError(f"{os.fspath(path)}: {found}; expected {expected}. {REMEDY}")


@contextmanager
def reading(path: Path, expected: str) -> Iterator[None]:
    """Turn what a broken file raises into an error that names the file and what was expected."""
    try:
        yield
    except _BROKEN as error:
        raise foreign(path, str(error) or type(error).__name__, expected) from error


def tar_files(path: Path, pattern: str | re.Pattern[str], expected: str) -> Iterator[tuple[str, bytes]]:
    """Name and content of the files of a tar archive whose names match, in the order of the archive.

    Raises:
        FileFormatError: the archive is truncated or something else, or no name in it matches.
    """
    wanted = re.compile(pattern)
    found = False
    with reading(path, expected), tarfile.open(path) as archive:
        for member in archive:
            if member.isfile() and wanted.match(member.name):
                file = archive.extractfile(member)
                if file is not None:
                    content = file.read()
                    found = True
                    yield member.name, content
    if not found:
        raise foreign(path, f"no file in it has a name like {wanted.pattern}", expected)


def tar_file(path: Path, name: str, expected: str) -> bytes:
    """The content of one file of a tar archive."""
    return next(tar_files(path, re.escape(name) + "$", expected))[1]


def zip_file(path: Path, name: str, expected: str) -> bytes:
    """The content of one file of a zip archive."""
    with reading(path, expected), zipfile.ZipFile(path) as archive:
        try:
            return archive.read(name)
        except KeyError:
            raise foreign(path, f"it holds no {name}", expected) from None


def gunzipped(content: bytes, path: Path, expected: str) -> bytes:
    """What a gzip-compressed part of `path` holds."""
    with reading(path, expected):
        return gzip.GzipFile(fileobj=io.BytesIO(content)).read()
