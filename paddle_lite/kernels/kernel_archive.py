"""Object files of kernels in one archive, to bring them to another machine with the same kind of processor.

An archive is a zip file. Its member `manifest.json` says what the object files depend on (`compiler/objects.py`); the others
are files of the cache, unchanged. It contains machine code, which runs when a program needs the kernel: take it only from
where you would take a program. Importing it writes files and runs nothing of it.
"""

from __future__ import annotations

import json
import os
import re
import zipfile
import zlib
from typing import Any, NamedTuple

from paddle_lite.core.errors import EnforceNotMet, FileFormatError, MissingFileError, VersionError, message
from paddle_lite.core.files.atomic import atomic_file
from paddle_lite.version import own_version

from . import installed_kernels, kernel_cache
from .compiler import objects

__all__ = ["Counted", "export_kernels", "import_kernels"]

MANIFEST, FORMAT = "manifest.json", 1
NAME = re.compile(r"[A-Za-z0-9_]{1,200}-[0-9a-f]{40}" + re.escape(kernel_cache.OBJECT))
LARGEST = 1 << 26  # bytes of a member
REFUSED = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error, UnicodeDecodeError)


class Counted(NamedTuple):
    """What was exported or imported.

    files: the number of kernels. bytes: their total size. new: how many of them were not there before.
    """

    files: int
    bytes: int
    new: int


def export_kernels(path: str) -> Counted:
    """Write the object files that this version has made for this processor, in the cache or at its installation, to an archive.

    Args:
        path: the file to write; one that exists is replaced.

    Returns:
        The number of kernels and their size.

    Raises:
        MissingFileError: there are none.
        OSError: the archive cannot be written.
    """
    made_by = objects.made_by()
    found = {
        os.path.basename(file): kernel_cache.read(file) for file in kernel_cache.files_of(made_by, kernel_cache.OBJECT)
    }
    if installed_kernels.maker() == made_by and not installed_kernels.ignored():
        found |= {name: installed_kernels.contents_of(name) for name in installed_kernels.names()}
    contents = {
        name: content
        for name, content in found.items()
        if NAME.fullmatch(name) and kernel_cache.payload_of(name, content) is not None
    }
    if not contents:
        needs = "compiled kernels of this version for this processor"
        fix = "Run the program once, or `python -m paddle_lite cache warm`."
        raise MissingFileError(message("cache export", "the cache", "none", needs, fix))
    manifest = {"format": FORMAT, "place": _place(), "files": sorted(contents)}
    with atomic_file(path) as target, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in [(MANIFEST, json.dumps(manifest, indent=1).encode()), *sorted(contents.items())]:
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)  # without a date: the same each time
    return Counted(len(contents), sum(map(len, contents.values())), len(contents))


def import_kernels(path: str) -> Counted:
    """Put the kernels of an archive into the cache. Either all of them are right, or none is written.

    Args:
        path: a file that `export_kernels` wrote.

    Returns:
        The number of kernels, their size, and how many were new.

    Raises:
        FileFormatError: the file is no archive of kernels, or is damaged.
        VersionError: the kernels were compiled for another processor, or by other versions.
        MissingFileError: there is no such file, or the cache is off.
        OSError: a file cannot be read or written.
    """
    place = kernel_cache.directory()
    if place is None:
        fix = "Unset PADDLE_LITE_KERNEL_CACHE, and set PADDLE_LITE_CACHE_DIR where there is no home directory."
        raise MissingFileError(message("cache import", "the cache", "no directory", "one to write to", fix))
    if not os.path.isfile(path):
        raise MissingFileError(message("cache import", "FILE", path, "an archive of `cache export`"))
    try:
        with zipfile.ZipFile(path) as archive:
            contents = _members(path, archive)
    except EnforceNotMet:
        raise
    except REFUSED as error:
        raise _damaged(path, str(error) or type(error).__name__) from error
    new = 0
    for name, content in contents.items():
        file = os.path.join(place, name)
        if kernel_cache.payload_of(name, kernel_cache.read(file)) is None:
            kernel_cache.write(file, content)
            new += 1
    return Counted(len(contents), sum(map(len, contents.values())), new)


def _place() -> dict[str, Any]:
    """Return what must be the same on both machines, by name."""
    return {"paddle_lite": own_version, **objects.place()}


def _members(path: str, archive: zipfile.ZipFile) -> dict[str, bytes]:
    """Return the checked files of an archive."""
    names = [member.filename for member in archive.infolist()]
    if names[:1] != [MANIFEST] or len(set(names)) != len(names) or len(names) > kernel_cache.MOST_FILES + 1:
        raise _damaged(path, "members that `cache export` does not write")
    for member in archive.infolist():
        if member.filename != MANIFEST and not NAME.fullmatch(member.filename):
            raise _damaged(path, f"a member named {member.filename[:100]!r}")
        if member.file_size > LARGEST or member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise _damaged(path, f"a member of {member.file_size} bytes, method {member.compress_type}")
    try:
        manifest = json.loads(archive.read(MANIFEST))
        form, place, files = manifest["format"], dict(manifest["place"]), list(manifest["files"])
    except (ValueError, KeyError, TypeError) as error:
        raise _damaged(path, "a manifest that cannot be read") from error
    if form != FORMAT:
        raise _damaged(path, f"an archive of format {form!r}, not {FORMAT}")
    _require_same(path, place)
    if sorted(names[1:]) != files:
        raise _damaged(path, "other files than its manifest names")
    found = {name: archive.read(name) for name in files}
    for name, content in found.items():
        if kernel_cache.payload_of(name, content) is None or kernel_cache.maker_of(content) != objects.made_by():
            raise _damaged(path, f"a damaged kernel, {name}")
    return found


def _damaged(path: str, got: str) -> FileFormatError:
    return FileFormatError(message("cache import", path, got, "an undamaged archive of `cache export`"))


def _require_same(path: str, place: dict[str, Any]) -> None:
    """Raise VersionError if kernels were made for another place than this one."""
    here = _place()
    differences = [
        _difference(name, place.get(name), here.get(name))
        for name in dict.fromkeys([*here, *place])
        if place.get(name) != here.get(name)
    ]
    if differences:
        fix = "Make the archive with these versions on a machine with this processor, or run `cache warm` here."
        raise VersionError(message("cache import", path, f"kernels for {'; '.join(differences)}", "the same", fix))


def _difference(name: str, there: Any, here: Any) -> str:
    """Return how a part of the place differs, in words."""
    if name == "features":
        flags = [set(each.split(",")) if isinstance(each, str) else set() for each in (there, here)]
        first, second = (", ".join(sorted(str(flag) for flag in a - b)) for a, b in (flags, flags[::-1]))
        return f"processor features {first or 'none'}, where this machine has {second or 'none'}"
    if name == "compiler":
        there, here = str(there)[:12], str(here)[:12]
        return f"the compiler of kernels {there}, here {here}"
    return f"{name} {str(there)[:100]}, here {here}"
