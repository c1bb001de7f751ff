"""Keeps the numbers that a program printed on PaddlePaddle 1.8.5, so that paddle_lite can be judged where 1.8.5 is not installed."""

from __future__ import annotations

import dataclasses
import hashlib
from typing import Any

from .catalog import Program, Project

__all__ = ["digest", "kept", "numbers_of"]

_DECIDES = [
    "command",
    "folder",
    "before",
    "data",
    "datasets",
    "environment",
    "needs_fluid",
    "numbers",
    "enough",
    "seed",
    "cpu",
]
"""The fields of a program that decide what it prints on 1.8.5, and which numbers of that are compared."""


def digest(project: Project, program: Program) -> str:
    """Return a short text that changes when a program may print something else on 1.8.5."""
    code = (project.repository, project.commit, project.package, project.needs_fluid, project.beside)
    fields = dataclasses.asdict(program)
    decides = [fields[name] for name in _DECIDES]
    if program.trainers:
        decides += [program.servers, program.trainers]
    return hashlib.sha256(repr((code, decides)).encode()).hexdigest()[:12]


def kept(project: Project, program: Program, numbers: list[list[float]] | None) -> dict[str, Any]:
    """Return what a result keeps of a run on 1.8.5.

    Args:
        project: the project.
        program: its program.
        numbers: the numbers that each expression found; None if they change from run to run.
    """
    lines = None if numbers is None else [" ".join(map(str, found)) for found in numbers]
    return {"digest": digest(project, program), "numbers": lines}


def numbers_of(project: Project, program: Program, row: dict[str, Any]) -> list[list[float]] | None:
    """Return the numbers that a result keeps; None if they change from run to run.

    Raises:
        KeyError: it keeps none, or the program has changed since.
    """
    expected = row["expected"]
    if expected["digest"] != digest(project, program):
        raise KeyError("expected")
    lines = expected["numbers"]
    return None if lines is None else [[float(word) for word in line.split()] for line in lines]
