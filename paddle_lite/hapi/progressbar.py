"""The lines and bars that tell how far a training is."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterable
from typing import Any, TextIO

import numpy as np

from ..core.errors import ArgumentTypeError, describe, message
from ..core.progress.bars import EVERY
from ..core.progress.streams import is_watched

__all__ = ["ProgressBar"]


class ProgressBar:
    """Prints the number of a step with its values: as a bar, or as a line.

    Arguments:
        num: the number of all steps; None if it is not known.
        width: the width of the bar in characters; less in a narrow terminal.
        verbose: 0 prints nothing, 1 a bar, 2 a line for each `update`. A bar is drawn over the one before in a terminal
            and in a notebook; a file or a pipe gets a line each 10 seconds in its place, and after the last step.
        start: whether time is taken from now on; otherwise from `start()` on.
        file: the stream that is asked whether it is a terminal; what is printed goes to sys.stdout.

    Raises:
        ArgumentTypeError: `num` is an int less than 1.

    >>> bar = ProgressBar(num=20, verbose=2)
    >>> bar.update(3, [("loss", 0.5), ("acc", [1.0, 0.0001])])  # doctest: +ELLIPSIS
    step  3/20 - loss: 0.5000 - acc: 1.0000 1.0000e-04 - .../step
    """

    def __init__(
        self, num: int | None = None, width: int = 30, verbose: int = 1, start: bool = True, file: TextIO | None = None
    ) -> None:
        if isinstance(num, int) and num <= 0:
            raise ArgumentTypeError(message("ProgressBar", "num", describe(num), "None, or an int of 1 or more"))
        self._num, self._verbose = num, verbose
        self._width = min(width, self._get_max_width())
        self._total_width = 0
        self.file = sys.stdout if file is None else file
        self._watched = is_watched(self.file)
        self._said = 0.0
        self._start = time.time() if start else 0.0

    def _get_max_width(self) -> int:
        columns = shutil.get_terminal_size().columns
        return max(0, min(int(columns * 0.6), columns - 50))

    def start(self) -> None:
        """Take time from now on."""
        self.file.flush()
        self._start = time.time()

    def update(self, current_num: int, values: Iterable[tuple[str, Any]] | None = None) -> None:
        """Print the state after a step.

        Arguments:
            current_num: the number of steps that are done.
            values: (name, value) pairs; a value is a number, an array with one number, or a list of them.
        """
        per_step = (time.time() - self._start) / current_num if current_num else 0.0
        if self._verbose == 1 and self._watched:
            self._draw(current_num, values or (), per_step)
        elif self._verbose == 2 or (self._verbose == 1 and self._is_time(current_num)):
            sys.stdout.write(f"{self._count(current_num)}{_texts(values or ())} - {_speed(per_step)}\n")
            sys.stdout.flush()

    def _is_time(self, current: int) -> bool:
        """Return whether a log gets a line in the place of a bar: each 10 seconds, and after the last step."""
        now = time.time()
        due = current == self._num or now - max(self._said, self._start) >= EVERY
        if due:
            self._said = now
        return due

    def _count(self, current: int) -> str:
        if not self._num:
            return f"step {int(current):3d}"
        return f"step {int(current):{len(str(int(self._num)))}d}/{int(self._num)}"

    def _draw(self, current: int, values: Iterable[tuple[str, Any]], per_step: float) -> None:
        """Draw the bar over the one before."""
        before = self._total_width
        text = self._count(current)
        rest = ""
        if self._num is not None:
            filled = int(self._width * current / self._num)
            bar = "=" * (filled - 1) + (">" if current < self._num else "=") if filled > 0 else ""
            text += f" [{bar}{'.' * (self._width - filled)}]"
            if current < self._num:
                rest = f" - ETA: {_duration(per_step * (self._num - current))}"
        text += f"{_texts(values)}{rest} - {_speed(per_step)}"
        self._total_width = len(text)
        text += " " * (before - self._total_width)
        if self._num is None or current >= self._num:
            text += "\n"
        sys.stdout.write("\b" * before + "\r" + text)
        sys.stdout.flush()


def _texts(values: Iterable[tuple[str, Any]]) -> str:
    parts = []
    for name, value in values:
        numbers = value if isinstance(value, list) else [value]
        parts.append(f" - {name}:" + "".join(f" {_text(each)}" for each in numbers))
    return "".join(parts)


def _text(value: Any) -> str:
    if isinstance(value, np.ndarray) and value.size == 1 and value.dtype in (np.float32, np.float64):
        return _text(value.item())
    if not isinstance(value, (float, np.float32)):
        return str(value)
    return f"{value:.4f}" if abs(float(value)) > 1e-3 else f"{value:.4e}"


def _speed(per_step: float) -> str:
    if per_step >= 1 or per_step == 0:
        return f"{per_step:.0f}s/step"
    return f"{per_step * 1e3:.0f}ms/step" if per_step >= 1e-3 else f"{per_step * 1e6:.0f}us/step"


def _duration(seconds: float) -> str:
    hours, minutes, rest = int(seconds // 3600), int(seconds % 3600 // 60), int(seconds % 60)
    if seconds > 3600:
        return f"{hours}:{minutes:02d}:{rest:02d}"
    return f"{int(seconds // 60)}:{rest:02d}" if seconds > 60 else f"{int(seconds)}s"
