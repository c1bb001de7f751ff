"""What each server holds of which variable."""

from __future__ import annotations

from typing import Any

from ...static.program.parts import Part
from .blocks import Trained
from .config import DistributedMode
from .job import Job
from .server import decay_operators, update_of


def held_parts(source: Any, job: Job) -> dict[str, list[Part]]:
    """Return the parts of each variable that servers hold: parameters, optimizer state, learning rates.

    Arguments:
        source: the Program of one process.
        job: the job.
    """
    block = source.global_block()
    parts: dict[str, list[Part]] = {}
    for trained in job.trained:
        for each in trained.blocks:
            parts.setdefault(trained.name, []).append(_part(trained, each, each.parameter))
    if job.mode == DistributedMode.GEO:
        return parts  # trainers have the rest themselves
    for trained in job.trained:
        for name in _state(block, trained, source):
            if name in parts:
                continue
            sliced = trained.cut and tuple(block.var(name).shape) == trained.shape
            own = name.startswith(trained.name)  # the state of this parameter, not a learning rate for all
            parts[name] = [
                _part(trained, each, name) if sliced else Part(name, each.endpoint, needed=own)
                for each in trained.blocks
            ]
    for op in decay_operators(source):
        for name in op.input_arg_names:
            variable = block.vars.get(name)
            if variable is not None and variable.persistable and name not in parts:
                parts[name] = [Part(name, endpoint, needed=False) for endpoint in job.endpoints]
    return parts


def of_server(parts: dict[str, list[Part]], program: Any, endpoint: str) -> dict[str, list[Part]]:
    """Return the parts that one server holds: those whose variables its Program has."""
    held = program.global_block().vars
    found = {}
    for name, each in parts.items():
        mine = [part for part in each if part.name in held and (part.rows is None or part.endpoint == endpoint)]
        if mine:
            found[name] = mine[:1]
    return found


def _part(trained: Trained, block: Any, name: str) -> Part:
    return Part(name, block.endpoint, block.begin, block.shape[0] if trained.cut else None)


def _state(block: Any, trained: Trained, source: Any) -> list[str]:
    """Return the names of what the update of a parameter keeps beside it."""
    names = dict.fromkeys(name for op in update_of(source, trained) for name in op.input_arg_names)
    return [name for name in names if name in block.vars and block.var(name).persistable]
