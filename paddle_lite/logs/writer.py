"""`LogWriter`: one line a step into files of TensorBoard, VisualDL, CSV or JSON lines."""

from __future__ import annotations

import os
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..core.errors import ArgumentTypeError, ArgumentValueError, ModeError, describe, message
from ..core.extras import import_extra
from .numbers import as_array, as_number
from .rows import Csv, JsonLines
from .tensorboard import Events

__all__ = ["LogWriter"]

FORMATS = ("tensorboard", "visualdl", "csv", "jsonl")
WHERE = "LogWriter"


def _opened(folder: str, format: str) -> Any:
    """Return a writer of a format."""
    if format == "tensorboard":
        return Events(folder, WHERE)
    if format == "visualdl":
        suffix = f".{uuid.uuid4().hex[:8]}"  # the name has the time in seconds only
        return import_extra("visualdl", "log", WHERE).LogWriter(logdir=folder, filename_suffix=suffix)
    return Csv(os.path.join(folder, "log.csv")) if format == "csv" else JsonLines(os.path.join(folder, "log.jsonl"))


class LogWriter:
    """Writes numbers, and also images and histograms, into files that TensorBoard, VisualDL or a table program shows.

    Arguments:
        logdir: the folder. TensorBoard and VisualDL make a file of a new name in it each time; `log.csv` and `log.jsonl` grow.
        to: "tensorboard", "visualdl", "csv" (a row a step) or "jsonl" (a JSON object a step), or a list of them. The first
            two need the extra `log`.

    Raises:
        ArgumentValueError: `to` is none of these.
        MissingPackageError: the package of the format is not installed.

    >>> import tempfile, paddle_lite as paddle
    >>> folder = tempfile.mkdtemp()
    >>> with paddle.utils.LogWriter(folder, to='csv') as log:
    ...     for step in range(2):
    ...         log.log({'loss': 1 / (1 + step), 'accuracy': 0.5}, step)
    >>> paddle.utils.read_log(folder)['loss'].values
    [1.0, 0.5]
    """

    def __init__(self, logdir: str | os.PathLike[str] = "runs", to: str | Sequence[str] = "tensorboard") -> None:
        self.logdir = os.fspath(logdir)
        formats = [to] if isinstance(to, str) else list(to)
        for format in formats:
            if format not in FORMATS:
                needs = f"one of {', '.join(map(repr, FORMATS))}, or a list of them"
                raise ArgumentValueError(message(WHERE, "to", describe(to), needs))
        self._writers = {format: _opened(self.logdir, format) for format in formats}
        self._next = 0
        self._closed = False

    def log(self, values: Mapping[str, Any], step: int | None = None) -> None:
        """Write numbers by name.

        Arguments:
            values: name -> a number, or a Variable or array of one element. A name such as "train/loss" belongs to a group.
            step: the number of the step; None: the one after the last.
        """
        step = self._stepped(step)
        for tag, value in values.items():
            self.add_scalar(tag, value, step)

    def add_scalar(self, tag: str, value: Any, step: int | None = None) -> None:
        """Write one number; `log` explains the arguments."""
        number, step = as_number(value, f"{WHERE}.add_scalar", tag), self._stepped(step)
        for writer in self._open():
            writer.add_scalar(tag, number, step)

    def add_histogram(self, tag: str, values: Any, step: int | None = None) -> None:
        """Write how numbers are distributed, such as those of a parameter.

        Arguments:
            tag: the name.
            values: an array or Variable of any shape; those that are not finite are left out.
            step: as of `log`.

        Raises:
            ModeError: no format of this writer has histograms.
            ArgumentValueError: none of the numbers is finite.
        """
        where = f"{WHERE}.add_histogram"
        array = as_array(values, where, "values").astype("float64").reshape(-1)
        finite = array[np.isfinite(array)]
        if not finite.size:
            raise ArgumentValueError(
                message(where, "values", f"{array.size} numbers, none of them finite", "one at least")
            )
        step = self._stepped(step)
        for writer in self._with_pictures("add_histogram"):
            writer.add_histogram(tag, finite, step)

    def add_image(self, tag: str, image: Any, step: int | None = None) -> None:
        """Write an image.

        Arguments:
            tag: the name.
            image: an array or Variable [height, width] or [height, width, 1, 3 or 4]: uint8, or floats from 0 to 1.
            step: as of `log`.

        Raises:
            ModeError: no format of this writer has images.
        """
        where = f"{WHERE}.add_image"
        array, step = as_array(image, where, "image"), self._stepped(step)
        if array.ndim == 2:
            array = array[:, :, None]
        if array.ndim != 3 or array.shape[2] not in (1, 3, 4):
            got, needs = (
                f"shape {list(array.shape)}",
                "[height, width], or [height, width, channels] with 1, 3 or 4 channels",
            )
            raise ArgumentTypeError(message(where, "image", got, needs))
        if array.dtype.kind == "f":
            array = (np.clip(array, 0, 1) * 255).round()
        array = array.astype("uint8")
        if array.shape[2] == 1:
            array = array.repeat(3, 2)  # VisualDL takes colours only
        for writer in self._with_pictures("add_image"):
            writer.add_image(tag, array, step)

    def add_figure(self, tag: str, figure: Any, step: int | None = None) -> None:
        """Write a picture of Matplotlib, such as those of `paddle_lite.plot`, as an image."""
        canvas = import_extra("matplotlib.backends.backend_agg", "plot", f"{WHERE}.add_figure").FigureCanvasAgg(figure)
        canvas.draw()
        self.add_image(tag, np.asarray(canvas.buffer_rgba())[:, :, :3], step)

    def flush(self) -> None:
        """Write what has not been written yet."""
        for writer in self._open():
            writer.flush()

    def close(self) -> None:
        """Write what has not been written yet, and close the files."""
        if not self._closed:
            self._closed = True
            for writer in self._writers.values():
                writer.close()

    def __enter__(self) -> LogWriter:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _stepped(self, step: int | None) -> int:
        step = self._next if step is None else int(step)
        self._next = step + 1
        return step

    def _open(self) -> list[Any]:
        if self._closed:
            raise ModeError(f"{WHERE}: the log in {self.logdir!r} has been closed. Open another LogWriter.")
        return list(self._writers.values())

    def _with_pictures(self, call: str) -> list[Any]:
        found = [writer for writer in self._open() if not isinstance(writer, (Csv, JsonLines))]
        if not found:
            raise ModeError(
                f"{WHERE}.{call}: files of {' and '.join(self._writers)} hold numbers only. Add to='tensorboard'."
            )
        return found
