"""Reads the projects and programs of `programs/*.toml`.

A file is a table `[project]` and one `[[program]]` for each program. The keys are the fields of Project and Program; a key
that is none of them is an error.
"""

from __future__ import annotations

import dataclasses
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["CATALOG", "Beside", "CatalogError", "Program", "Project", "read", "read_all"]

CATALOG = Path(__file__).resolve().parent
"""The folder that holds `programs/`, `data/` and `results/`."""

_COMMIT = re.compile(r"[0-9a-f]{40}")


class CatalogError(ValueError):
    """A file of `programs/` is wrong."""


@dataclass(frozen=True)
class Program:
    """A script, test or example of a project, and how it is run and compared."""

    name: str
    command: list[str]
    """What follows `python`, such as ["train.py", "--epochs", "1"]; a "{python}" in it is the side's interpreter."""
    what: str = ""
    """One phrase for the page."""
    folder: str = "."
    """Where it is run, from the project's root."""
    before: list[list[str]] = field(default_factory=list)
    """Commands that are run first on the same side, such as the training before a prediction."""
    data: list[str] = field(default_factory=list)
    """A script of `data/` with arguments, run in `folder` before the program: it writes synthetic data.

    A "+" begins another script.
    """
    datasets: list[str] = field(default_factory=list)
    """Data sets of `paddle.dataset` that it reads, which are downloaded, or taken from `--data`."""
    servers: int = 0
    """How many parameter servers run the command, which may have the placeholders of `job.py`."""
    trainers: int = 0
    """How many trainers run the command beside the servers."""
    environment: dict[str, str] = field(default_factory=dict)
    """Environment variables; what PYTHONPATH names, from `folder`, goes before the packages."""
    needs: list[str] = field(default_factory=list)
    """Packages that it needs here, as pip names them; their own needs are not installed with them."""
    needs_fluid: list[str] = field(default_factory=list)
    """The same for the Python of PaddlePaddle 1.8.5."""
    numbers: list[str] = field(default_factory=list)
    """Regular expressions; their groups are the numbers of the output that must agree. Without any, it must run."""
    enough: int = 0
    """Stop it, as a success, after that many numbers of the first expression: for programs that train for days."""
    rtol: float = 1e-3
    atol: float = 1e-5
    seed: int = 1
    """The seed of Programs, NumPy and `random`, set before the script starts; 0 leaves them alone."""
    cpu: bool = False
    """Whether `CUDAPlace` means the CPU on both sides, for programs that ask for nothing else."""
    limit: float = 180.0
    """Seconds after which a command is stopped."""
    reason: str = ""
    """Why it cannot work here, if it cannot."""

    @property
    def generators(self) -> list[list[str]]:
        """The scripts of `data/`, each with its arguments."""
        scripts: list[list[str]] = [[]]
        for word in self.data:
            if word == "+":
                scripts.append([])
            else:
                scripts[-1].append(word)
        return [script for script in scripts if script]

    def check(self, where: str) -> None:
        """Raise CatalogError unless the fields make sense together."""
        if not self.command:
            raise CatalogError(f"{where}: command is empty")
        if self.enough and not self.numbers:
            raise CatalogError(f"{where}: enough = {self.enough} counts numbers, and there is no expression in numbers")
        if bool(self.servers) != bool(self.trainers):
            raise CatalogError(f"{where}: servers = {self.servers}, trainers = {self.trainers}: a job needs both")
        for pattern in self.numbers:
            try:
                groups = re.compile(pattern).groups
            except re.error as error:
                raise CatalogError(f"{where}: numbers: {pattern!r} is no regular expression: {error}") from None
            if not groups:
                raise CatalogError(f"{where}: numbers: {pattern!r} has no group for the number, as in 'loss: (\\S+)'")


@dataclass(frozen=True)
class Beside:
    """Another repository that the programs of a project need, a clone in the project's root."""

    repository: str
    """OWNER/NAME on GitHub; NAME is the folder."""
    commit: str
    """Forty hexadecimal digits."""
    paths: list[str] = field(default_factory=lambda: ["."])
    """The parts of the repository that are needed."""

    @property
    def folder(self) -> str:
        """The folder of the clone, from the project's root."""
        return self.repository.rpartition("/")[2]

    def check(self, where: str) -> None:
        """Raise CatalogError unless the commit is whole."""
        _check_commit(self.commit, where)


@dataclass(frozen=True)
class Project:
    """Where a project comes from, and its programs."""

    name: str
    repository: str = ""
    """OWNER/NAME on GitHub."""
    commit: str = ""
    """Forty hexadecimal digits."""
    version: str = ""
    """What people call that commit: a branch or a release, for the page."""
    paths: list[str] = field(default_factory=lambda: ["."])
    """The parts of the repository that its programs need."""
    package: str = ""
    """Instead of a repository: a package as pip names it, such as "pgl==1.2.0"."""
    needs: list[str] = field(default_factory=list)
    """Packages that all its programs need here."""
    needs_fluid: list[str] = field(default_factory=list)
    beside: list[Beside] = field(default_factory=list)
    programs: list[Program] = field(default_factory=list)

    @property
    def source(self) -> str:
        """Where it comes from, in words."""
        source = self.package or f"github.com/{self.repository}, {self.version or self.commit[:10]}"
        clones = " and ".join(f"github.com/{clone.repository}" for clone in self.beside)
        return f"{source}; with a clone of {clones}" if clones else source

    def check(self, where: str) -> None:
        """Raise CatalogError unless the fields make sense together."""
        if bool(self.package) == bool(self.repository):
            raise CatalogError(f"{where}: needs either repository (and commit) or package")
        if self.repository:
            _check_commit(self.commit, where)
        names = [program.name for program in self.programs]
        for name in names:
            if names.count(name) > 1:
                raise CatalogError(f"{where}: two programs are named {name!r}")


def _check_commit(commit: str, where: str) -> None:
    if not _COMMIT.fullmatch(commit):
        raise CatalogError(f"{where}: commit = {commit!r}, needs all 40 hexadecimal digits")


def read_all(catalog: Path = CATALOG) -> list[Project]:
    """Return the projects of a catalog, in the order of their files' names."""
    return [read(file) for file in sorted((catalog / "programs").glob("*.toml"))]


def read(file: Path) -> Project:
    """Return the project of a file.

    Args:
        file: a .toml file; its name without the suffix is the project's.

    Raises:
        CatalogError: the file is no TOML, a key is missing or unknown, or a value is not of the key's type.
    """
    try:
        tables = tomllib.loads(file.read_text(encoding="utf8"))
    except tomllib.TOMLDecodeError as error:
        raise CatalogError(f"{file.name}: {error}") from None
    unknown = tables.keys() - {"project", "program"}
    if unknown or "project" not in tables:
        raise CatalogError(f"{file.name}: has the tables {sorted(tables)}, needs [project] and [[program]]")
    programs = []
    for entry in tables.get("program", []):
        where = f"{file.name}, program {entry.get('name', '?')}"
        programs.append(_made(Program, entry, where))
        for script, *_ in programs[-1].generators:
            if not (file.parent.parent / "data" / script).is_file():
                raise CatalogError(f"{where}: data: there is no {script} in the folder data beside programs")
    where = f"{file.name}, project"
    beside = [_made(Beside, entry, f"{where}, beside") for entry in tables["project"].get("beside", [])]
    entry = {"name": file.stem, **tables["project"], "beside": beside, "programs": programs}
    return _made(Project, entry, where)


def _made(kind: type, entry: dict[str, Any], where: str) -> Any:
    """Make a Project or a Program of a table."""
    fields = {each.name: each for each in dataclasses.fields(kind)}
    unknown = sorted(entry.keys() - fields.keys())
    if unknown:
        raise CatalogError(f"{where}: unknown key {unknown[0]!r}; the keys are {', '.join(fields)}")
    for name, value in entry.items():
        expected = str(fields[name].type)
        given = type(value).__name__
        if not (expected.startswith(given) or (expected == "float" and given == "int")):
            raise CatalogError(f"{where}: {name} = {value!r}, needs {expected}")
    needed = [
        name
        for name, each in fields.items()
        if each.default is dataclasses.MISSING and each.default_factory is dataclasses.MISSING and name not in entry
    ]
    if needed:
        raise CatalogError(f"{where}: the key {needed[0]!r} is missing")
    made = kind(**entry)
    made.check(where)
    return made
