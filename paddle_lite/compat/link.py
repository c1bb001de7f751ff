"""`python -m paddle_lite link` and `unlink`: a package `paddle` in this environment, which means paddle_lite.

Scripts, notebooks, pytest, type checkers and editors then find `paddle` as they find any package. It is installed as the
distribution `paddle-lite-link`: `pip list` shows it, `pip uninstall` removes it, and its RECORD lists what was written.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import os
import sys
import sysconfig
import tempfile
from collections.abc import Mapping, Sequence
from importlib.machinery import PathFinder
from importlib.metadata import distributions
from pathlib import Path

from paddle_lite.core.errors import ModeError
from paddle_lite.version import own_version

from .link_stubs import stubs

DISTRIBUTION = "paddle-lite-link"
RECORDED = f"{DISTRIBUTION.replace('-', '_')}-"  # how the name of the folder with the metadata begins
ALIAS = '''"""`paddle` means paddle_lite in this environment: `python -m paddle_lite link` wrote this, `unlink` removes it."""

import sys

try:
    import paddle_lite.compat
except ModuleNotFoundError as error:
    if error.name != "paddle_lite":
        raise
    raise ModuleNotFoundError(
        "`paddle` is a link to paddle_lite, which is not installed here. Install paddle_lite, or remove the link: "
        "pip uninstall paddle-lite-link",
        name="paddle_lite",
    ) from None

del sys.modules[__name__]
paddle_lite.compat.install()  # registers the module paddle_lite in its place
'''
METADATA = f"""Metadata-Version: 2.1
Name: {DISTRIBUTION}
Version: {own_version}
Summary: `import paddle` means paddle_lite; `python -m paddle_lite unlink` removes it
Requires-Dist: paddle_lite
"""
WHEEL = """Wheel-Version: 1.0
Generator: paddle_lite
Root-Is-Purelib: true
Tag: py3-none-any
"""


def link(site: str | None = None) -> str:
    """Write the package `paddle` and what pip has to know of it; one that is there is replaced.

    Arguments:
        site: the folder for packages; None: that of this environment.

    Returns:
        What was done, one line.

    Raises:
        ModeError: another `paddle` is installed; or this environment belongs to the system's package manager.
        OSError: the folder cannot be written.
    """
    folder = Path(site or sysconfig.get_path("purelib"))
    _require_own_environment(site)
    _require_no_other(folder)
    files = {"paddle/__init__.py": ALIAS, **stubs()}
    records = f"{RECORDED}{own_version}.dist-info"
    about = {"METADATA": METADATA, "WHEEL": WHEEL, "INSTALLER": "paddle_lite\n", "top_level.txt": "paddle\n"}
    files |= {f"{records}/{name}": text for name, text in about.items()}
    folder.mkdir(parents=True, exist_ok=True)
    with _temporary(folder) as new:
        _write(Path(new), files, f"{records}/RECORD")
        _replace(folder, [*_written(folder)], [Path(new, name) for name in ("paddle", records)])
    return f"`import paddle` means paddle_lite {own_version} in {folder}. `python -m paddle_lite unlink` removes it."


def unlink(site: str | None = None) -> str:
    """Remove the package `paddle` that `link` has written.

    Arguments:
        site: the folder for packages; None: that of this environment.

    Returns:
        What was done, one line.

    Raises:
        ModeError: there is none, or its folder holds files that `link` has not written.
        OSError: the folder cannot be written.
    """
    folder = Path(site or sysconfig.get_path("purelib"))
    found = _written(folder)
    if not found:
        raise ModeError(f"python -m paddle_lite unlink: there is no link in {folder}: nothing to remove.")
    _require_nothing_added(folder, found)
    _replace(folder, found, [])
    return f"Removed `paddle` from {folder}."


def linked() -> str:
    """Return where this environment's link is and which version wrote it, for `info`."""
    folder = Path(sysconfig.get_path("purelib"))
    versions = [found.name.removeprefix(RECORDED).removesuffix(".dist-info") for found in _records(folder)]
    return f"{folder / 'paddle'} (of version {versions[0]})" if versions else "none (python -m paddle_lite link)"


# --- what is there -----------------------------------------------------------------------------------------------------


def _records(folder: Path) -> list[Path]:
    """Return the folders with the metadata of links."""
    return sorted(folder.glob(f"{RECORDED}*.dist-info"))


def _written(folder: Path) -> list[Path]:
    """Return the folders that `link` has written, the package first."""
    records = _records(folder)
    package = folder / "paddle"
    return [*([package] if records and package.is_dir() else []), *records]


def _require_nothing_added(folder: Path, found: Sequence[Path]) -> None:
    """Raise if a folder holds files that its RECORD does not list."""
    listed = set()
    for record in _records(folder):
        with open(record / "RECORD", encoding="utf8", newline="") as file:
            listed |= {row[0] for row in csv.reader(file)}
    files = [path for top in found for path in sorted(top.rglob("*")) if path.is_file() and path.suffix != ".pyc"]
    added = [path.relative_to(folder).as_posix() for path in files]
    added = [name for name in added if name not in listed and not name.endswith(("/RECORD", "/REQUESTED"))]
    if added:
        raise ModeError(
            f"python -m paddle_lite unlink: {', '.join(added[:5])} in {folder} was added since the link was made. "
            "Move it away first."
        )


def _require_own_environment(site: str | None) -> None:
    """Raise where only the system's package manager may write (PEP 668)."""
    marker = Path(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED")
    if site is None and sys.prefix == sys.base_prefix and marker.exists():
        raise ModeError(
            f"python -m paddle_lite link: the packages of {sys.prefix} belong to the system's package manager. Make an "
            "environment and link there: python -m venv ENV; ENV/bin/pip install paddle_lite; "
            "ENV/bin/python -m paddle_lite link."
        )


def _require_no_other(folder: Path) -> None:
    """Raise if PaddlePaddle, or another package of the name, is installed."""
    ours = os.path.realpath(folder / "paddle") if _records(folder) else None
    paths = [str(folder), *(path for path in sys.path if path and os.path.realpath(path) != os.getcwd())]
    for path in paths:
        spec = PathFinder.find_spec("paddle", [path])
        where = next(iter(spec.submodule_search_locations or [spec.origin or path]), path) if spec else None
        if where is not None and os.path.realpath(where) != ours:
            raise ModeError(_another(where))
    for found in distributions(path=paths):
        if (found.name or "").lower().startswith("paddlepaddle"):
            raise ModeError(_another(f"{found.name} {found.version}"))


def _another(what: str) -> str:
    return (
        f"python -m paddle_lite link: another `paddle` is installed: {what}. Uninstall it first, or link in an environment "
        "without it; `python -m paddle_lite run SCRIPT` runs a script beside it."
    )


# --- writing -----------------------------------------------------------------------------------------------------------


def _write(folder: Path, files: Mapping[str, str], record: str) -> None:
    """Write files, and the RECORD that lists them."""
    rows = []
    for name, text in files.items():
        path, data = folder / name, text.encode("utf8")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append([name, f"sha256={digest}", len(data)])
    with open(folder / record, "w", encoding="utf8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([*rows, [record, "", ""]])


def _temporary(folder: Path) -> tempfile.TemporaryDirectory[str]:
    """Return a folder beside the packages, from where renaming is atomic; it is removed after use."""
    return tempfile.TemporaryDirectory(prefix=".paddle_lite_link.", dir=folder, ignore_cleanup_errors=True)


def _replace(folder: Path, old: Sequence[Path], new: Sequence[Path]) -> None:
    """Move folders away and others in; whatever fails, all is as it was before."""
    moved: list[tuple[Path, Path]] = []
    with _temporary(folder) as away:
        try:
            for source, target in [(path, Path(away, path.name)) for path in old] + [
                (path, folder / path.name) for path in new
            ]:
                os.rename(source, target)
                moved.append((source, target))
        except OSError:
            for source, target in reversed(moved):
                os.rename(target, source)
            raise
