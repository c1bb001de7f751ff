"""Curves of the logs of PaddlePaddle 0.10's trainer: `paddle.utils.plotcurve`."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from typing import Any

from ..logs.reading import Series
from .line_plots import curves

__all__ = ["main", "plot_paddle_curve"]

_NUMBER = r"([-+]?\d*\.?\d+(?:[eE][-+]?\d+)?)"


def plot_paddle_curve(
    keys: Sequence[str], inputfile: Iterable[str], outputfile: Any, format: str = "png", show_fig: bool = False
) -> None:
    """Draw curves of numbers in lines such as `Pass=3 samples=100 AvgCost=0.6 Eval: error=0.3`.

    Arguments:
        keys: the names of the numbers, in the order in which they are in a line; AvgCost if there are none. Lines that
            lack one are left out.
        inputfile: the lines, such as an open file.
        outputfile: the path of the picture, or a file open for bytes.
        format: what it becomes: png, pdf, svg ...
        show_fig: also show the picture on the screen.

    Raises:
        MissingPackageError: Matplotlib is not installed.
    """
    names = list(keys) or ["AvgCost"]
    pattern = re.compile(r"Pass=\D*(\d+)" + "".join(rf".*?{re.escape(name)}=\D*?{_NUMBER}" for name in names))
    found = [[float(text) for text in match.groups()] for match in map(pattern.search, inputfile) if match]
    if not found:
        sys.stderr.write("No data to plot. Exiting!\n")
        return
    steps, *columns = (list(column) for column in zip(*found, strict=True))
    figure = curves({name: Series(steps, column) for name, column in zip(names, columns, strict=True)}, together=True)
    figure.savefig(outputfile, format=format)
    if show_fig:
        _show(figure)


def _show(figure: Any) -> None:
    """Show a picture on the screen until it is closed."""
    from matplotlib import pyplot

    pixels = io.BytesIO()
    figure.savefig(pixels, format="png")
    pixels.seek(0)
    pyplot.imshow(pyplot.imread(pixels))
    pyplot.axis("off")
    pyplot.show()


def main(argv: Sequence[str]) -> None:
    """Draw the curves that command-line arguments name: `plotcurve [-i LOG] [-o PICTURE] [--format png] [KEY ...]`."""
    import argparse

    parser = argparse.ArgumentParser(description="Draw curves of a trainer's log.")
    parser.add_argument("key", nargs="*")
    parser.add_argument("-i", "--input", default=None)
    parser.add_argument("-o", "--output", default=None)
    parser.add_argument("--format", default="png")
    given = parser.parse_args(argv)
    with open(given.input, encoding="utf8") if given.input else nullcontext(sys.stdin) as lines:
        plot_paddle_curve(given.key, lines, given.output or sys.stdout.buffer, given.format)
