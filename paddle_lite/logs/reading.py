"""`read_log`: the numbers of a log, whatever wrote it."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from ..core.errors import FileFormatError, MissingFileError
from ..core.extras import import_extra
from .rows import STEP

__all__ = ["Series", "read_log"]

STEPS = (STEP, "steps", "global_step", "iteration", "iter", "batch", "epoch", "Step")
"""Names of columns that count steps: the first one that a file has."""


class Series(NamedTuple):
    """The values of one name, and the numbers of the steps at which they were logged."""

    steps: list[float]
    values: list[float]


def read_log(path: str | os.PathLike[str]) -> dict[str, Series]:
    """Return the numbers of a log by name.

    Arguments:
        path: a file of TensorBoard (events.out.tfevents...), of VisualDL (vdlrecords...), a CSV file whose first row has the names, or
            a file with a JSON object a line; or a folder with such files. A column or key "step" (or "iteration", "epoch") counts
            the steps, otherwise rows are counted. Files of TensorBoard and VisualDL need the extra `log`.

    Returns:
        name -> Series(steps, values), in the order of their first occurrence.

    Raises:
        MissingFileError: there is no such file, or a folder has no log.
        FileFormatError: a file is not what its name says.
        MissingPackageError: a package is not installed.
    """
    path = os.fspath(path)
    if not os.path.exists(path):
        raise MissingFileError(f"read_log: there is no {path}.")
    if not os.path.isdir(path):
        return _read(path)
    files = sorted(os.path.join(path, name) for name in os.listdir(path) if _reader(name) is not None)
    if not files:
        raise MissingFileError(
            f"read_log: {path} has no log: no file events.out.tfevents*, vdlrecords*, *.csv or *.jsonl."
        )
    found: dict[str, Series] = {}
    for file in files:
        for name, series in _read(file).items():
            old = found.setdefault(name, Series([], []))
            if old != series:  # the same log in two formats
                old.steps.extend(series.steps)
                old.values.extend(series.values)
    return found


def _read(path: str) -> dict[str, Series]:
    reader = _reader(os.path.basename(path))
    if reader is None:
        needs = "events.out.tfevents*, vdlrecords*, *.csv or *.jsonl"
        raise FileFormatError(f"read_log: the name of {path} does not say what it is; needs {needs}.")
    try:
        return reader(path)
    except (ValueError, csv.Error) as error:
        raise FileFormatError(f"read_log: {path} cannot be read: {error}") from None


def _reader(name: str) -> Callable[[str], dict[str, Series]] | None:
    if "tfevents" in name:
        return _tensorboard
    if name.startswith("vdlrecords"):
        return _visualdl
    return {".csv": _csv, ".tsv": _csv, ".jsonl": _jsonl}.get(os.path.splitext(name)[1])


def _tensorboard(path: str) -> dict[str, Series]:
    module = import_extra("tensorboard.backend.event_processing.event_accumulator", "log", "read_log")
    events = module.EventAccumulator(path, size_guidance={module.SCALARS: 0, module.TENSORS: 0})
    events.Reload()
    tags = events.Tags()
    found = {tag: _series((e.step, e.value) for e in events.Scalars(tag)) for tag in tags["scalars"]}
    for tag in tags["tensors"]:  # TensorFlow 2 writes numbers as tensors
        each = [(e.step, e.tensor_proto.float_val) for e in events.Tensors(tag)]
        if all(len(values) == 1 for _, values in each):
            found[tag] = _series((step, values[0]) for step, values in each)
    return found


def _visualdl(path: str) -> dict[str, Series]:
    reader = import_extra("visualdl", "log", "read_log").LogReader(file_path=path)
    tags = reader.get_tags().get("scalar", [])
    return {tag: _series((record.id, record.value) for record in reader.get_data("scalar", tag)) for tag in tags}


def _series(points: Iterable[tuple[float, float]]) -> Series:
    each = list(points)
    return Series([step for step, _ in each], [value for _, value in each])


def _csv(path: str) -> dict[str, Series]:
    with open(os.fspath(path), encoding="utf-8-sig", newline="") as file:
        separator = "\t" if path.endswith(".tsv") else ","
        return of_rows(csv.DictReader(file, delimiter=separator))


def _jsonl(path: str) -> dict[str, Series]:
    with open(os.fspath(path), encoding="utf8") as file:
        rows = [json.loads(line) for line in file if line.strip()]
    if not all(isinstance(row, dict) for row in rows):
        raise ValueError("a line is no JSON object")
    return of_rows(rows)


def of_rows(rows: Iterable[Mapping[str, Any]]) -> dict[str, Series]:
    """Return the numbers of rows, which are dicts, by name; what is no number is left out."""
    found: dict[str, Series] = {}
    for place, row in enumerate(rows):
        counted = next((name for name in STEPS if _number(row.get(name)) is not None), None)
        step = place if counted is None else _number(row[counted])
        for name, value in row.items():
            number = _number(value)
            if name != counted and number is not None and step is not None:
                series = found.setdefault(name, Series([], []))
                series.steps.append(step)
                series.values.append(number)
    return found


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        return float(value)
    except ValueError:
        return None
