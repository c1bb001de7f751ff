"""Logs as text: a row for each step, in a CSV file or as lines of JSON."""

from __future__ import annotations

import csv
import io
import json
import math
import os
from typing import Any

from ..core.errors import FileFormatError
from ..core.files.atomic import atomic_file

STEP = "step"


class Rows:
    """Collects the values of a step, and writes its row when another step begins.

    Arguments:
        path: the file; rows are added to one that exists.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._step: int | None = None
        self._values: dict[str, float] = {}
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)

    def add_scalar(self, tag: str, value: float, step: int) -> None:
        """Add a value."""
        if step != self._step:
            self.flush()
            self._step = step
        self._values[tag] = value

    def flush(self) -> None:
        """Write the row of the current step."""
        if self._values and self._step is not None:
            self._write(self._step, self._values)
        self._values = {}

    close = flush

    def _write(self, step: int, values: dict[str, float]) -> None:
        raise NotImplementedError

    def _append(self, text: str) -> None:
        with open(self.path, "a", encoding="utf8", newline="") as file:
            file.write(text)


class JsonLines(Rows):
    """A JSON object for each step. Numbers that JSON does not have are written as NaN, Infinity and -Infinity, as json does."""

    def _write(self, step: int, values: dict[str, float]) -> None:
        self._append(json.dumps({STEP: step, **values}) + "\n")


class Csv(Rows):
    """A row for each step; the first row has the names. The file is written anew when a name comes that is not among them."""

    def __init__(self, path: str, separator: str = ",") -> None:
        super().__init__(path)
        self._separator = separator
        self._names: list[str] = []
        if os.path.exists(path) and os.path.getsize(path):
            with open(os.fspath(path), encoding="utf8", newline="") as file:
                self._names = next(csv.reader(file, delimiter=separator))
            if self._names[0] != STEP:
                raise FileFormatError(
                    f"LogWriter: {path} exists, and its first column is {self._names[0]!r}, not {STEP!r}. "
                    "Remove it, or choose another folder."
                )

    def _write(self, step: int, values: dict[str, float]) -> None:
        new = [name for name in (STEP, *values) if name not in self._names]
        if new:
            rows: list[dict[str, Any]] = []
            if self._names:
                with open(self.path, encoding="utf8", newline="") as file:
                    rows = list(csv.DictReader(file, delimiter=self._separator))
            self._names += new
            with atomic_file(self.path) as binary:
                binary.write(self._text([dict(zip(self._names, self._names, strict=True)), *rows]).encode())
        self._append(self._text([{STEP: step, **{name: _shown(value) for name, value in values.items()}}]))

    def _text(self, rows: list[dict[str, Any]]) -> str:
        out = io.StringIO()
        csv.DictWriter(out, self._names, "", delimiter=self._separator, lineterminator="\n").writerows(rows)
        return out.getvalue()


def _shown(value: float) -> str:
    return f"{value:.10g}" if math.isfinite(value) else str(value)
