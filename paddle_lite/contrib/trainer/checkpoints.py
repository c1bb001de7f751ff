"""Checkpoints of a Trainer: folders `checkpoint_0`, `checkpoint_1` ... with the variables of a Program and where the training was."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Mapping, Sequence
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, FileFormatError, describe, message
from ...core.files.saves import saving
from ...io.variables import is_persistable, load_vars, save_vars

SUCCESS_MARK_FILENAME, CHECKPOINT_PREFIX, CHECKPOINT_SEPARATOR = "_SUCCESS", "checkpoint", "_"
MODEL_DIR, TRAINER_PREFIX = "__model__", "trainer"
_FOLDER = re.compile(rf"{CHECKPOINT_PREFIX}{CHECKPOINT_SEPARATOR}(\d+)")
_OF_ONE_RUN = ("@GRAD", ".trainer_", ".block")


class CheckpointConfig:
    """Says where and how often a Trainer writes checkpoints.

    Arguments:
        checkpoint_dir: the folder; the working directory where it is None.
        max_num_checkpoints: how many checkpoints are kept.
        epoch_interval: write in every n-th epoch.
        step_interval: write in every n-th step of these epochs.

    Raises:
        ArgumentValueError: an interval is less than 1.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.contrib.trainer.CheckpointConfig('checkpoints', step_interval=5).step_interval
    5
    """

    def __init__(
        self,
        checkpoint_dir: str | None = None,
        max_num_checkpoints: int = 3,
        epoch_interval: int = 1,
        step_interval: int = 10,
    ) -> None:
        for name, value in (("epoch_interval", epoch_interval), ("step_interval", step_interval)):
            if value < 1:
                raise ArgumentValueError(message("CheckpointConfig", name, repr(value), "1 or more"))
        self.checkpoint_dir = os.getcwd() if checkpoint_dir is None else checkpoint_dir
        self.max_num_checkpoints = max_num_checkpoints
        self.epoch_interval, self.step_interval = epoch_interval, step_interval
        self.epoch_id = self.step_id = 0
        self.load_serial: int | None = None
        self.pserver_id: int | None = None
        self.lookup_table_name: str | None = None


def is_checkpoint_variable(var: Any) -> bool:
    """Return whether a checkpoint holds a Variable: whether it lasts, and is not of one process or one run."""
    return is_persistable(var) and not any(mark in var.name for mark in _OF_ONE_RUN)


def serials(checkpoint_dir: str, finished: bool = False) -> list[int]:
    """Return the numbers of the checkpoints in a folder, in order; those that are written to their end, if `finished`."""
    if not os.path.isdir(checkpoint_dir):
        return []
    found = {int(match[1]): name for name in os.listdir(checkpoint_dir) if (match := _FOLDER.fullmatch(name))}
    mark = os.path.join(MODEL_DIR, SUCCESS_MARK_FILENAME)
    return sorted(
        number
        for number, name in found.items()
        if not finished or os.path.isfile(os.path.join(checkpoint_dir, name, mark))
    )


def folder_of(checkpoint_dir: str, serial: int, *parts: str) -> str:
    """Return the folder of a checkpoint, or one in it."""
    return os.path.join(checkpoint_dir, f"{CHECKPOINT_PREFIX}{CHECKPOINT_SEPARATOR}{serial}", *parts)


def save_checkpoint(
    executor: Any,
    checkpoint_dir: str,
    trainer_id: int,
    main_program: Any,
    trainer_args: Mapping[str, Any] | None = None,
    max_num_checkpoints: int = 3,
) -> None:
    """Write a checkpoint: the variables of a Program that last, and numbers of the training.

    Arguments:
        executor: a fluid.Executor.
        checkpoint_dir: the folder of all checkpoints.
        trainer_id: the number of this process; process 0 writes the variables.
        main_program: the Program.
        trainer_args: what to keep beside the variables, for example `{'epoch_id': 3, 'step_id': 20}`.
        max_num_checkpoints: how many checkpoints are kept; the oldest ones are removed.

    Raises:
        ArgumentTypeError: `checkpoint_dir`, `main_program` or `trainer_args` has another type.
    """
    where = "save_checkpoint"
    _need(where, checkpoint_dir, main_program)
    if trainer_args is not None and not isinstance(trainer_args, Mapping):
        raise ArgumentTypeError(message(where, "trainer_args", describe(trainer_args), "a dict, or None"))
    serial = max(serials(checkpoint_dir), default=-1) + 1
    folder = folder_of(checkpoint_dir, serial)
    with saving(_of_trainer(folder, trainer_id)) as opened:
        for name, value in (trainer_args or {}).items():
            with opened(name) as file:
                file.write(f"{value}\n".encode())
    if trainer_id == 0:
        model = os.path.join(folder, MODEL_DIR)
        save_vars(executor, model, main_program, predicate=is_checkpoint_variable)
        with saving(model) as opened, opened(SUCCESS_MARK_FILENAME) as file:
            file.write(time.ctime().encode())
    _keep(checkpoint_dir, max_num_checkpoints)


def load_checkpoint(
    executor: Any,
    checkpoint_dir: str,
    main_program: Any,
    role_id: int = 0,
    is_trainer: bool = True,
    load_trainer_args: Sequence[str] | None = None,
) -> list[str] | None:
    """Read the newest checkpoint of a folder into the global scope, or the numbers beside it; nothing where there is none.

    Arguments:
        executor: a fluid.Executor.
        checkpoint_dir: the folder of all checkpoints.
        main_program: the Program whose variables are read.
        role_id: the number of this process.
        is_trainer: whether this process trains; a parameter server reads nothing here.
        load_trainer_args: names of numbers to return; the variables are read where it is None.

    Returns:
        None, or the numbers as texts.

    Raises:
        ArgumentTypeError: `checkpoint_dir` or `main_program` has another type.
        FileFormatError: the checkpoint does not hold a number.
    """
    _need("load_checkpoint", checkpoint_dir, main_program)
    serial = max(serials(checkpoint_dir, finished=True), default=None)
    if serial is None or not is_trainer:
        return None
    if load_trainer_args is None:
        folder = folder_of(checkpoint_dir, serial, MODEL_DIR)
        load_vars(executor, folder, main_program, predicate=is_checkpoint_variable)
        return None
    return [_number(_of_trainer(folder_of(checkpoint_dir, serial), role_id), name) for name in load_trainer_args]


def clean_checkpoint(checkpoint_dir: str, delete_dir: bool = False) -> None:
    """Remove all checkpoints of a folder.

    Arguments:
        checkpoint_dir: the folder.
        delete_dir: whether to remove the folder, too, if it is empty then.

    Raises:
        ArgumentTypeError: `checkpoint_dir` is no text.
    """
    _need("clean_checkpoint", checkpoint_dir, None)
    _keep(checkpoint_dir, 0)
    if delete_dir and os.path.isdir(checkpoint_dir) and not os.listdir(checkpoint_dir):
        os.rmdir(checkpoint_dir)


def _need(where: str, checkpoint_dir: Any, main_program: Any) -> None:
    if not isinstance(checkpoint_dir, (str, os.PathLike)):
        raise ArgumentTypeError(message(where, "checkpoint_dir", describe(checkpoint_dir), "the path of a folder"))
    if where != "clean_checkpoint" and main_program is None:
        raise ArgumentTypeError(message(where, "main_program", "None", "a Program"))


def _of_trainer(folder: str, number: int) -> str:
    return os.path.join(folder, f"{TRAINER_PREFIX}{CHECKPOINT_SEPARATOR}{number}")


def _number(folder: str, name: str) -> str:
    path = os.path.join(folder, name)
    if not os.path.isfile(path):
        raise FileFormatError(f"load_checkpoint: {folder} has no file {name}, which a checkpoint of a Trainer has.")
    with open(path, encoding="utf8") as file:
        return file.read().strip()


def _keep(checkpoint_dir: str, count: int) -> None:
    found = serials(checkpoint_dir)
    for serial in found[: max(len(found) - count, 0)]:
        shutil.rmtree(folder_of(checkpoint_dir, serial), ignore_errors=True)
