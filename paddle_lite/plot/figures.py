"""The style of the pictures of Matplotlib, which are made without its global state."""

from __future__ import annotations

import math
from typing import Any

from ..core.extras import import_extra

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#5A5A5A")
"""Colours that people with any kind of colour blindness tell apart (Okabe and Ito, 2008); the last one was black."""
MARK = "#D55E00"
STYLE = {
    "font.size": 10.0,
    "axes.titlesize": 11.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "grid.color": "#e4e4e4",
    "figure.facecolor": "white",
    "legend.frameon": False,
    "image.interpolation": "nearest",
}


def new_figure(width: float, height: float) -> Any:
    """Return an empty Figure; sizes in inches."""
    import_extra("matplotlib.figure", "plot", "paddle_lite.plot")
    from .saved_figure import Figure, padded

    return Figure(figsize=(width, height), layout=padded())


def make_logarithmic(axes: Any) -> None:
    """Make the vertical axis logarithmic."""
    from .saved_figure import plain_logarithmic

    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(plain_logarithmic())
    axes.yaxis.set_minor_formatter(plain_logarithmic())


def styled() -> Any:
    """Return a context in which axes are made with the style of the pictures here."""
    cycle = import_extra("cycler", "plot", "paddle_lite.plot").cycler(color=COLORS)
    return import_extra("matplotlib", "plot", "paddle_lite.plot").rc_context({**STYLE, "axes.prop_cycle": cycle})


def columns_for(count: int, columns: int | None, widest: int) -> tuple[int, int]:
    """Return (rows, columns) of a page of `count` panels; columns: as the user wants it, None for nearly a square."""
    columns = columns if columns is not None else min(widest, math.ceil(math.sqrt(count)))
    columns = max(1, min(columns, count))
    return -(-count // columns), columns
