"""`curves`: what a log says, over the steps."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..core.errors import ArgumentTypeError, MissingKeyError, describe, message
from ..core.text import closest
from ..logs.numbers import as_array
from ..logs.reading import Series, read_log
from ..logs.writer import LogWriter
from .figures import COLORS, columns_for, make_logarithmic, new_figure, styled

__all__ = ["curves"]

WHERE = "plot.curves"
SMOOTHED_FROM = 200
"""Number of points from which a curve is drawn with its running mean."""
PHASES = ("train", "training", "eval", "val", "valid", "validation", "test", "dev")


def curves(
    log: Any,
    names: Sequence[str] | None = None,
    smooth: int | None = None,
    log_scale: bool = False,
    x_label: str = "step",
    title: str | None = None,
    columns: int | None = None,
    together: bool = False,
) -> Any:
    """Draw the numbers of a log over the steps: a panel for each metric, with the curves of training and evaluation in one.

    Arguments:
        log: a list or array of numbers; a dict name -> such a list; what `hapi.Model.fit` returns; a LogWriter; or the path of a log or
            its folder, as for `paddle_lite.utils.read_log`.
        names: the names to draw; None: all.
        smooth: the number of points of a running mean, which is drawn over the points; 1: none; None: 2 % of a curve of 200 points
            or more.
        log_scale: whether the vertical axes are logarithmic.
        x_label: what the horizontal axis counts.
        title: a title above all.
        columns: the number of panels side by side.
        together: whether all curves are in one panel, whatever their names.

    Returns:
        A Figure of Matplotlib with `save(path)`.

    Raises:
        ArgumentTypeError: `log` is none of these.
        MissingKeyError: `log` has no such name, or is empty.
        MissingPackageError: Matplotlib is not installed.

    >>> import paddle_lite as paddle
    >>> figure = paddle.plot.curves({'train/loss': [2.3, 1.1, 0.6], 'eval/loss': [2.0, 1.3, 0.9]}, x_label='epoch')
    >>> [axes.get_ylabel() for axes in figure.axes]
    ['loss']
    """
    found = series_of(log)
    if names is not None:
        for name in names:
            if name not in found:
                near = closest(name, found)
                fix = f"Did you mean {near!r}?" if near else ""
                raise MissingKeyError(message(WHERE, "names", repr(name), f"one of {', '.join(map(repr, found))}", fix))
        found = {name: found[name] for name in names}
    if not any(series.values for series in found.values()):
        raise MissingKeyError(message(WHERE, "log", "no numbers", "a log with at least one"))
    panels: dict[str, dict[str, Series]] = {}
    for name, series in found.items():
        metric, phase = ("value", name) if together or name in PHASES else _split(name)
        panels.setdefault(metric, {})[phase] = series
    rows, across = columns_for(len(panels), columns, 3)
    with styled():
        figure = new_figure(max(6.0, 4.4 * across), 3.6 * rows)
        grid = figure.subplots(rows, across, squeeze=False).flat
        for (metric, phases), axes in zip(panels.items(), grid, strict=False):
            for color, (phase, series) in zip(_colors(len(phases)), phases.items(), strict=True):
                _draw(axes, series, phase, color, smooth)
            axes.set(xlabel=x_label, ylabel=metric)
            if log_scale:
                make_logarithmic(axes)
            axes.grid(axis="y")
            axes.margins(x=0.02)
            if all(float(step).is_integer() for series in phases.values() for step in series.steps):
                axes.xaxis.get_major_locator().set_params(integer=True)
            if len(axes.get_legend_handles_labels()[0]) > 1 or "" not in phases:
                axes.legend()
        for axes in list(grid):
            axes.remove()
        if title:
            figure.suptitle(title)
    return figure


def series_of(log: Any) -> dict[str, Series]:
    """Return the numbers of a log by name."""
    if isinstance(log, LogWriter):
        log.flush()
        log = log.logdir
    if isinstance(log, (str, os.PathLike)):
        return read_log(log)
    log = getattr(log, "curves", log)  # of a hapi History
    if isinstance(log, Mapping):
        return {str(name): _series(name, values) for name, values in log.items()}
    if isinstance(log, (list, tuple, np.ndarray)) or hasattr(log, "numpy"):
        return {"loss": _series("loss", log)}
    needs = "a list of numbers, a dict of lists, a History, a LogWriter, or the path of a log"
    raise ArgumentTypeError(message(WHERE, "log", describe(log), needs))


def _series(name: Any, values: Any) -> Series:
    if isinstance(values, Series):
        return values
    array = as_array(values, WHERE, f"log[{name!r}]").astype(float).reshape(-1)
    return Series([float(n) for n in range(1, len(array) + 1)], array.tolist())


def _split(name: str) -> tuple[str, str]:
    """Return (metric, phase) of a name such as "train/loss", "eval_loss" or "loss/train"; the phase is "" if there is none."""
    for mark in "/_":
        head, found, tail = name.partition(mark)
        if found and head in PHASES:
            return tail, head
        head, found, tail = name.rpartition(mark)
        if found and tail in PHASES:
            return head, tail
    return name, ""


def _colors(count: int) -> list[str]:
    return [COLORS[i % len(COLORS)] for i in range(count)]


def _draw(axes: Any, series: Series, phase: str, color: str, smooth: int | None) -> None:
    """Draw one curve; of one that is smoothed the points are pale."""
    steps, values = np.asarray(series.steps, float), np.asarray(series.values, float)
    finite = np.isfinite(values)
    width = smooth if smooth is not None else max(1, len(values) // 50) if len(values) >= SMOOTHED_FROM else 1
    width = min(width, int(finite.sum()))
    if width > 1:
        axes.plot(steps, values, color=color, linewidth=0.7, alpha=0.3)
        mean = np.convolve(values[finite], np.full(width, 1 / width), "valid")
        label = f"{phase}, mean of {width}" if phase else f"mean of {width}"
        axes.plot(steps[finite][width - 1 :], mean, color=color, linewidth=1.8, label=label)
    else:
        marker = "o" if len(values) <= 30 else None
        axes.plot(steps, values, color=color, linewidth=1.6, marker=marker, markersize=3.5, label=phase or None)
    for step in steps[~finite]:
        axes.axvline(step, color=color, linewidth=0.8, linestyle=":")
    if not finite.all():
        axes.plot([], [], color=color, linestyle=":", label=f"{int((~finite).sum())} not finite")
