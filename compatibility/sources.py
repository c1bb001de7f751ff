"""Gets the code of projects and the packages that they need, into a cache folder."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

from paddle_lite.core.files.paths import cache_dir

from .catalog import CATALOG, Beside, Project

__all__ = ["SourceError", "cache", "fetch", "packages"]


BUILD = CATALOG / "data" / "build.txt"
"""What builds packages of 2020 whose setup.py imports pkg_resources, which setuptools has dropped since."""


class SourceError(RuntimeError):
    """The code of a project, or a package, cannot be had."""


def cache(*parts: str) -> Path:
    """Return a path inside the cache folder of compatibility (see paddle_lite.core.files.paths)."""
    folder = cache_dir("compatibility", *parts)
    if folder is None:
        raise SourceError("there is no home directory to keep projects in: set PADDLE_LITE_CACHE_DIR to a folder")
    return Path(folder)


def fetch(project: Project, mirror: Path | None, python: str) -> Path:
    """Return a folder with the code of a project; it is made at the first call.

    Args:
        project: what to get.
        mirror: a folder with OWNER+NAME/repo, Git repositories to read instead of GitHub; None asks GitHub.
        python: the interpreter whose pip gets packages.

    Raises:
        SourceError: Git or pip failed; the message holds what they said.
    """
    parts = (project.repository, project.commit, project.paths, project.package, *project.beside)
    key = hashlib.sha256(repr(parts).encode())
    folder = cache("projects", f"{project.name}-{key.hexdigest()[:12]}")
    if not folder.is_dir():
        partial = folder.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        if project.package:
            _install([project.package], partial, python)
        else:
            _unpack(_repository(project, mirror), project, partial)
        for clone in project.beside:
            _unpack(_repository(clone, mirror), clone, partial / clone.folder)
        partial.rename(folder)
    return folder


def packages(names: list[str], python: str, tag: str) -> Path | None:
    """Return a folder for PYTHONPATH with these packages, without what they need themselves; None for no packages.

    Args:
        names: as pip names them.
        python: the interpreter to install them for.
        tag: a name of that interpreter.
    """
    if not names:
        return None
    key = hashlib.sha256(repr(sorted(names)).encode()).hexdigest()[:12]
    folder = cache("packages", f"{tag}-{key}")
    if not folder.is_dir():
        partial = folder.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        _install(names, partial, python)
        partial.rename(folder)
    return folder


def _install(names: list[str], folder: Path, python: str) -> None:
    command = [python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile", "--disable-pip-version-check"]
    limits = {name: str(BUILD) for name in ("PIP_CONSTRAINT", "PIP_BUILD_CONSTRAINT")}  # pip before 25.3, and since
    _run([*command, "--target", str(folder), *names], f"pip cannot install {', '.join(names)}", limits)


def _repository(project: Project | Beside, mirror: Path | None) -> Path:
    """Return a Git directory that has the commit."""
    name = project.repository.replace("/", "+")
    if mirror is not None:
        folder = mirror / name / "repo"
        if not folder.is_dir():
            raise SourceError(f"{folder} is not there; --mirror needs a Git repository for each project")
        return folder
    folder = cache("repositories", name)
    if not folder.is_dir():
        _run(["git", "init", "--quiet", "--bare", str(folder)], f"git cannot make {folder}")
    url = f"https://github.com/{project.repository}.git"
    _run(
        ["git", "-C", str(folder), "fetch", "--quiet", "--depth", "1", "--filter=blob:limit=4m", url, project.commit],
        f"git cannot fetch {project.commit} of {url}",
    )
    return folder


def _unpack(repository: Path, project: Project | Beside, folder: Path) -> None:
    """Write the files of a commit; those that the repository leaves out, such as large ones, are skipped."""
    git = ["git", "-C", str(repository)]
    listed = _run(
        [*git, "ls-tree", "-r", "-z", project.commit, "--", *project.paths], f"git cannot list {project.repository}"
    )
    rows = [row.split("\t", 1) for row in listed.decode().split("\0") if row]
    if not rows:
        raise SourceError(f"{project.repository}: commit {project.commit} has none of {', '.join(project.paths)}")
    with subprocess.Popen([*git, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as objects:
        assert objects.stdin is not None and objects.stdout is not None
        for facts, name in rows:
            mode, kind, digest = facts.split()
            if kind != "blob":
                continue  # another repository inside of this one
            objects.stdin.write(digest.encode() + b"\n")
            objects.stdin.flush()
            found = objects.stdout.readline().split()
            if found[1] == b"missing":
                continue
            content = objects.stdout.read(int(found[2]))
            objects.stdout.read(1)
            _write(folder / name, content, mode)
        objects.stdin.close()


def _write(path: Path, content: bytes, mode: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if mode == "120000":
        path.symlink_to(os.fsdecode(content))
        return
    path.write_bytes(content)
    if mode == "100755":
        path.chmod(0o755)


def _run(command: list[str], failed: str, more: dict[str, str] | None = None) -> bytes:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env={**os.environ, **(more or {})})
    if done.returncode:
        raise SourceError(f"{failed}:\n{done.stderr.decode(errors='replace').strip()[-1000:]}")
    return done.stdout
