"""A Figure of Matplotlib that notebooks show without pyplot, and that is saved all or none."""

from __future__ import annotations

import io
import os

from matplotlib.figure import Figure as MatplotlibFigure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import LogFormatter

from ..core.errors import ArgumentValueError, message
from ..core.files.atomic import atomic_file

DPI = 144


def padded() -> ConstrainedLayoutEngine:
    """Return the layout of figures, in inches."""
    return ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.08)


class PlainLogFormatter(LogFormatter):
    """Writes 0.2 where Matplotlib writes 2 x 10^-1; which ticks have a text is Matplotlib's choice."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        return f"{x:g}" if super().__call__(x, pos) else ""


def plain_logarithmic() -> PlainLogFormatter:
    """Return the format of the numbers at a logarithmic axis."""
    return PlainLogFormatter(minor_thresholds=(2, 0.5))


class Figure(MatplotlibFigure):
    """A Figure of Matplotlib that a notebook shows and `save` writes into a file."""

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        file = io.BytesIO()
        self.savefig(file, format="png", dpi=DPI)
        wide, tall = self.get_size_inches()
        return file.getvalue(), {"width": round(wide * 72), "height": round(tall * 72)}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture into a file; missing folders are made, and an old file is replaced when the new one is complete.

        Arguments:
            path: the file, of which the suffix says the format: .png, .svg, .pdf ...

        Raises:
            ArgumentValueError: Matplotlib does not know the suffix.
        """
        format = os.path.splitext(os.fspath(path))[1][1:].lower()
        known = sorted(self.canvas.get_supported_filetypes())
        if format not in known:
            needs = f"a name that ends in one of .{', .'.join(known)}"
            raise ArgumentValueError(message("Figure.save", "path", repr(os.fspath(path)), needs))
        with atomic_file(os.fspath(path)) as file:
            self.savefig(file, format=format, dpi=DPI)
