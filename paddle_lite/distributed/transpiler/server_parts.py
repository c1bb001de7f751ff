"""What each server holds of which variable."""

from __future__ import annotations

from typing import Any

from ...static.program.parts import Part
from .blocks import Trained
from .config import DistributedMode
from .growing import growing_arrays
from .job import Job
from .updates import decay_operators, state_of


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
            parts.setdefault(trained.name, []).append(_part(trained, each, each.parameter, trained.grows))
    if job.mode == DistributedMode.GEO:
        return parts  # trainers have the rest themselves
    for trained in job.trained:
        growing = growing_arrays(source, trained) if trained.grows else []
        for name in state_of(source, trained):
            if name in parts:
                continue
            sliced = trained.cut and tuple(block.var(name).shape) == trained.shape
            own = name.startswith(trained.name)  # the state of this parameter, not a learning rate for all
            parts[name] = [
                _part(trained, each, name, name in growing)
                if sliced or name in growing
                else Part(name, each.endpoint, needed=own)
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


def _part(trained: Trained, block: Any, name: str, grows: bool) -> Part:
    rows = block.shape[0] if trained.cut else None
    share = (trained.blocks.index(block), len(trained.blocks)) if grows else None
    return Part(name, block.endpoint, block.begin, rows, grows=share)
