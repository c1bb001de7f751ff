"""Checkpoints of which the newest one is always whole: a process may be killed at any moment."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..core.files.atomic import atomic_file, publish_folder, sync_folder
from ..io.variables import load_own, load_persistables, save_persistables
from ..static.program.program import Program, default_main_program

LATEST, MANIFEST = "LATEST", "checkpoint.json"
PREFIX, UNFINISHED = "step-", ".part"


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint that is whole.

    Attributes:
        path: its folder, which `fluid.io.load_persistables` reads, also PaddlePaddle's.
        step: the step to go on with: how many are done.
        state: what `save_checkpoint` was given to keep.
    """

    path: str
    step: int
    state: dict[str, Any]


def save_checkpoint(
    executor: Any,
    folder: str | os.PathLike[str],
    step: int,
    main_program: Any = None,
    state: Mapping[str, Any] | None = None,
    keep: int = 2,
) -> str:
    """Write everything that training needs to go on: parameters, tables, optimizer state, learning rates and their counter.

    The files come into a new folder, and are on the disk before the file LATEST names it: killed at any moment, a job has
    a whole checkpoint, this one or the one before. In a job with parameter servers one trainer calls this, the first by
    custom, and gets the values from the servers.

    Arguments:
        executor: a fluid.Executor.
        folder: where checkpoints are; each is a folder in it.
        step: how many steps are done.
        main_program: the Program that trains, of a trainer or of the only process; the default main Program where it is None.
        state: more to keep, such as an epoch or the position in the data; JSON must be able to hold it.
        keep: how many checkpoints are kept.

    Returns:
        The folder of the checkpoint.

    Raises:
        ArgumentTypeError, ArgumentValueError: an argument is wrong.
        MissingVariableError: a variable has no value yet.
        PeerLost: a server is lost.

    >>> import tempfile, paddle_lite.distributed as distributed, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
    ...     y = fluid.layers.fc(fluid.data('x', [None, 4]), 1)
    ...     exe = fluid.Executor(fluid.CPUPlace())
    ...     _ = exe.run(fluid.default_startup_program())
    ...     folder = tempfile.mkdtemp()
    ...     for step in (10, 20, 30):
    ...         _ = distributed.save_checkpoint(exe, folder, step, state={'epoch': step // 10})
    ...     distributed.load_checkpoint(exe, folder).state
    {'epoch': 3}
    >>> import os
    >>> sorted(os.listdir(folder))
    ['LATEST', 'step-20', 'step-30']
    """
    if not isinstance(step, int) or isinstance(step, bool) or step < 0:
        raise ArgumentValueError(
            message("save_checkpoint", "step", describe(step), "the number of steps that are done")
        )
    if not isinstance(keep, int) or keep < 1:
        raise ArgumentValueError(message("save_checkpoint", "keep", describe(keep), "1 or more"))
    manifest: dict[str, Any] = {"step": step, "state": dict(state or {})}
    try:
        json.dumps(manifest)
    except (TypeError, ValueError) as error:
        needs = "numbers, texts, lists and dicts, for it is kept as JSON"
        raise ArgumentTypeError(message("save_checkpoint", "state", f"{describe(state)} ({error})", needs)) from None
    home = Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    for left in home.glob(f"*{UNFINISHED}"):  # of a process that was killed
        shutil.rmtree(left, ignore_errors=True)
    made = home / f"{PREFIX}{step}.{uuid.uuid4().hex[:8]}{UNFINISHED}"
    save_persistables(executor, made, main_program)
    manifest["files"] = _sizes(made)
    with atomic_file(str(made / MANIFEST)) as file:
        file.write(json.dumps(manifest, indent=1).encode())
    target = home / f"{PREFIX}{step}"
    _publish(made, target, home)
    for old in sorted(_steps(home), reverse=True)[keep:]:
        if old != step:
            shutil.rmtree(home / f"{PREFIX}{old}", ignore_errors=True)
    return str(target)


def latest_checkpoint(folder: str | os.PathLike[str]) -> Checkpoint | None:
    """Find the newest whole checkpoint of `save_checkpoint`.

    Arguments:
        folder: where checkpoints are.

    Returns:
        The checkpoint; None if there is none.

    >>> import tempfile, paddle_lite.distributed as distributed
    >>> distributed.latest_checkpoint(tempfile.mkdtemp()) is None
    True
    """
    home = Path(folder)
    named = []
    with contextlib.suppress(OSError, UnicodeDecodeError):
        named = [(home / LATEST).read_text().strip()]
    if not home.is_dir():
        return None
    others = [f"{PREFIX}{step}" for step in sorted(_steps(home), reverse=True)]
    for name in [*(each for each in named if each in others), *others]:
        found = _whole(home / name)
        if found is not None:
            return found
    return None


def load_checkpoint(executor: Any, folder: str | os.PathLike[str], main_program: Any = None) -> Checkpoint | None:
    """Load the newest whole checkpoint, to go on with training. Each process of a job calls it after its startup Program.

    A parameter server reads its part of the values; a trainer reads what the servers do not hold, such as the moving
    averages of batch_norm; the only process of a job reads all.

    Arguments:
        executor: a fluid.Executor.
        folder: where checkpoints are.
        main_program: the Program of this process; the default main Program where it is None.

    Returns:
        The checkpoint, whose `step` is the one to go on with; None if there is none.

    Raises:
        MissingFileError, ShapeError: it is the checkpoint of another network.

    Example: see `save_checkpoint`.
    """
    found = latest_checkpoint(folder)
    if found is None:
        return None
    program = default_main_program() if main_program is None else main_program
    if isinstance(program, Program) and program._server_parts and _sends(program):
        load_own(executor, found.path, program)
    else:
        load_persistables(executor, found.path, program)
    return found


def _sends(program: Program) -> bool:
    """Return whether a Program is that of a trainer."""
    return any(op.type in ("send", "recv", "send_barrier") for op in program.global_block().ops)


def _publish(made: Path, target: Path, home: Path) -> None:
    """Give a finished folder its name, and name it in LATEST."""
    if target.exists():  # of a run that was killed before LATEST named it
        target.rename(home / f"{target.name}.{uuid.uuid4().hex[:8]}{UNFINISHED}")
    publish_folder(str(made), str(target))
    with atomic_file(str(home / LATEST)) as file:
        file.write(target.name.encode())
    sync_folder(str(home))


def _sizes(folder: Path) -> dict[str, int]:
    return {str(path.relative_to(folder)): path.stat().st_size for path in sorted(folder.rglob("*")) if path.is_file()}


def _steps(home: Path) -> list[int]:
    names = (path.name.removeprefix(PREFIX) for path in home.glob(f"{PREFIX}*"))
    return [int(name) for name in names if name.isdecimal()]


def _whole(folder: Path) -> Checkpoint | None:
    """Return the checkpoint of a folder; None unless all of its files are there, inside of it, with their sizes."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text())
        sizes = manifest["files"]
        if any(os.path.isabs(name) or ".." in Path(name).parts for name in sizes):
            return None
        if any((folder / name).stat().st_size != size for name, size in sizes.items()):
            return None
        return Checkpoint(str(folder), int(manifest["step"]), dict(manifest["state"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
