"""Read the archives of published data sets; errors name the file and the format that was expected."""

from __future__ import annotations

import errno
import gzip
import io
import lzma
import os
import re
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from ..core.errors import FileFormatError

Path = str | os.PathLike[str]

REMEDY = "Delete the file to have it downloaded again, or replace it by the published one."

_BROKEN = (
    tarfile.TarError, zipfile.BadZipFile, gzip.BadGzipFile, EOFError, zlib.error, lzma.LZMAError, UnicodeDecodeError, ValueError,
    NotImplementedError, RuntimeError, IndexError, OverflowError, struct.error, MemoryError,
)  # fmt: skip
"""What the archive modules raise for damaged archives, encrypted ones, and those of compressions that they do not have."""


def format_error(path: Path, found: str, expected: str) -> FileFormatError:
    """Return the error that reports a file whose content does not have the expected format."""
    return FileFormatError(f"{os.fspath(path)}: {found}; expected {expected}. {REMEDY}")


@contextmanager
def reading(path: Path, expected: str) -> Iterator[None]:
    """Convert the errors of the archive modules into a FileFormatError that names the file and the expected format."""
    try:
        yield
    except _BROKEN as error:
        if isinstance(error, FileFormatError):
            raise
        raise format_error(path, str(error) or type(error).__name__, expected) from error
    except OSError as error:
        if error.errno != errno.EINVAL:  # a place before the beginning of the file
            raise
        raise format_error(path, str(error), expected) from error


def tar_files(path: Path, pattern: str | re.Pattern[str], expected: str) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each file of a tar archive whose name matches `pattern`, in the order of the archive.

    Raises:
        FileFormatError: the archive is truncated or has another format, or no name in it matches.
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
        raise format_error(path, f"no file in it has a name like {wanted.pattern}", expected)


def tar_file(path: Path, name: str, expected: str) -> bytes:
    """Return the content of one file of a tar archive."""
    return next(tar_files(path, re.escape(name) + "$", expected))[1]


def zip_file(path: Path, name: str, expected: str) -> bytes:
    """Return the content of one file of a zip archive."""
    with reading(path, expected), zipfile.ZipFile(path) as archive:
        try:
            if archive.getinfo(name).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise zipfile.BadZipFile(f"{name} is compressed in another way than by deflate")
            return archive.read(name)
        except KeyError:
            raise format_error(path, f"it holds no {name}", expected) from None


def gunzipped(content: bytes, path: Path, expected: str) -> bytes:
    """Return the decompressed content of a gzip-compressed file that is a member of the archive `path`."""
    with reading(path, expected):
        return gzip.GzipFile(fileobj=io.BytesIO(content)).read()
