"""Conversion and checking of the values that are fed to `Executor.run`."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from ...core.dtype import VarType, in_own_dtype, to_numpy
from ...core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, RaggedError, ShapeError, describe, message
from ...core.lod import LoD
from ...core.selected_rows import SelectedRows
from ...core.tensor import LoDTensor
from ...core.text import closest
from ...core.tracebacks import user_level
from ..program.program import Program
from ..program.variable import Variable
from .promotion import as_numpy_1_had_it, is_restored
from .scope import Scope


class Reader(Protocol):
    """A reader in a Program's `_readers`: a loader that the user starts, and that then feeds every run.

    names: the names of the Variables that it feeds.
    started: whether `start()` was called since the last `reset()`.
    """

    names: list[str]
    started: bool

    def next_feeds(self, count: int) -> list[dict[str, LoDTensor]]:
        """Return the next `count` batches, perhaps fewer at the end; raise EOFException if there are no more."""


def with_reader_batches(
    program: Program, parts: Sequence[Mapping[str, Any]], keep: bool = False
) -> Sequence[Mapping[str, Any]]:
    """Return the feeds of all places, each extended by a batch of each reader of the Program, which takes precedence.

    A reader that was not started is skipped if all its Variables are fed; with `keep`, so is any other reader.

    Raises:
        EOFException: a reader has no more batches.
        ModeError: a reader was not started.
    """
    for reader in program._readers:
        if (keep or not reader.started) and all(name in part for part in parts for name in reader.names):
            continue
        batches = reader.next_feeds(len(parts))
        parts = [{**part, **batch} for part, batch in zip(parts, batches, strict=False)]
    return parts


def warn_of_unknown(program: Program, feed: Mapping[str, Any]) -> None:
    """Warn of each name in a feed that no Variable of the Program has: its value is not used."""
    known = program.global_block().vars
    for name in feed:
        if name not in known and isinstance(name, str):
            fix = (
                f"Did you mean {close!r}?" if (close := closest(name, known)) else "It was not declared, or was pruned."
            )
            warnings.warn(
                message("Executor.run", "feed", f"the unknown name {name!r}", "names of Variables of the Program", fix),
                UserWarning,
                stacklevel=user_level(),
            )


def convert_feed(program: Program, feed: Mapping[str, Any]) -> dict[str, tuple[np.ndarray, LoD | None]]:
    """Return name -> (array, LoD); names that the Program does not have are ignored, as in Fluid.

    Raises:
        ArgumentTypeError: a value is not an array, or a name not a string.
        ShapeError, DtypeError: a value does not fit its data Variable.
    """
    block = program.global_block()
    values: dict[str, tuple[np.ndarray, LoD | None]] = {}
    for name, value in feed.items():
        if not isinstance(name, str):
            raise ArgumentTypeError(message("Executor.run", "feed", f"the key {describe(name)}", "names"))
        variable = block.vars.get(name)
        if variable is None:
            continue
        lod = None
        if isinstance(value, LoDTensor):
            value, lod = value.array, value.levels
            if value is None:
                raise ArgumentValueError(
                    message("Executor.run", f"feed[{name!r}]", "an empty LoDTensor", "one that was set")
                )
        array = in_own_dtype(value) if isinstance(value, np.ndarray) else _array(name, value, variable)
        if variable.need_check_feed:
            if array.dtype == np.float64 and variable.dtype == VarType.FP32 and is_restored():
                array = as_numpy_1_had_it(array, f"feed[{name!r}]")
            check_feed(variable, array, lod is not None)
        values[name] = (array, lod)
    return values


def lods_of(program: Program, values: Mapping[str, tuple[Any, LoD | None]], scope: Scope) -> dict[str, LoD]:
    """Return name -> LoD of the fed values, and of persistable Variables with LoD levels that are in the scope."""
    version, names = program._ragged
    if version != program.changes:
        names = [name for name, v in program.global_block().vars.items() if v.persistable and v.lod_level > 0]
        program._ragged = (program.changes, names)
    lods = {name: lod for name, (_, lod) in values.items() if lod is not None}
    for name in names:
        held = None if name in values else scope.find_value(name)
        if isinstance(held, LoDTensor) and held.levels is not None:
            lods[name] = held.levels
    return lods


def _array(name: str, value: Any, variable: Variable) -> Any:
    """Convert a number, as [1], or a list to the Variable's dtype; GPU arrays and sparse gradients are returned unchanged."""
    if isinstance(value, SelectedRows):
        return value
    if np.isscalar(value) and not isinstance(value, (str, bytes)):
        return np.array([value]).astype(to_numpy(variable.dtype))
    if hasattr(value, "shape") and hasattr(value, "dtype") and hasattr(value, "get"):
        return value
    if isinstance(value, (list, tuple)):
        try:
            return np.asarray(value, to_numpy(variable.dtype))
        except (TypeError, ValueError):
            needs = "an array: lists of equal lengths"
            fix = "Ragged data goes in as fluid.create_lod_tensor(data, lengths, place)."
            raise RaggedError(message("Executor.run", f"feed[{name!r}]", describe(value), needs, fix)) from None
    needs = "an ndarray, a LoDTensor, a number or a list"
    raise ArgumentTypeError(message("Executor.run", f"feed[{name!r}]", describe(value), needs))


def check_feed(variable: Variable, array: Any, ragged: bool = False) -> None:
    """Raise unless an array fits the shape and dtype that a data Variable was declared with.

    As in Fluid, the last dimensions may be missing, and ragged rows may be of any number.

    Raises:
        ShapeError: the rank does not fit, or the size of a known dimension, which the text names.
        DtypeError: the dtype differs.
    """
    where, name = "Executor.run", f"feed[{variable.name!r}]"
    if array.dtype != to_numpy(variable.dtype):
        needs = f"dtype {to_numpy(variable.dtype)}, as declared"
        raise DtypeError(
            message(where, name, f"dtype {array.dtype}", needs, f"Convert it: .astype('{to_numpy(variable.dtype)}').")
        )
    shape = [None if n < 0 else n for n in variable.shape]
    if not (0 < len(array.shape) <= len(shape) or array.shape == variable.shape):
        got = f"shape {list(array.shape)} of {len(array.shape)} dimensions"
        raise ShapeError(message(where, name, got, f"{shape}, {len(shape)} dimensions, as declared"))
    for axis, (n, declared) in enumerate(zip(array.shape, shape, strict=False)):
        if declared is not None and n != declared and not (ragged and axis == 0):
            got = f"shape {list(array.shape)}, which has {n} in dimension {axis}"
            raise ShapeError(message(where, name, got, f"{declared} there: {shape}, as declared"))
