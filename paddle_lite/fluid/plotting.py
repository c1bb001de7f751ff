"""`paddle.utils.Ploter`: curves of a training, drawn anew as they grow."""

from __future__ import annotations

import os

from ..core.errors import ArgumentValueError, message
from ..logs.reading import Series

__all__ = ["PlotData", "Ploter"]


class PlotData:
    """The points of one curve: `step` and `value`, lists of numbers."""

    def __init__(self) -> None:
        self.step: list[float] = []
        self.value: list[float] = []

    def append(self, step: float, value: float) -> None:
        """Add a point."""
        self.step.append(step)
        self.value.append(value)

    def reset(self) -> None:
        """Remove all points."""
        self.step = []
        self.value = []


class Ploter:
    """Curves in one picture. It needs Matplotlib, and does nothing where the environment variable DISABLE_PLOT is True.

    Arguments:
        args: the titles of the curves.

    >>> from paddle_lite.utils import Ploter
    >>> ploter = Ploter('training', 'test')
    >>> ploter.append('training', 0, 2.5)
    >>> ploter.append('training', 1, 1.5)
    >>> ploter.plot('losses.png')    # doctest: +SKIP
    """

    def __init__(self, *args: str) -> None:
        self.__args__ = args
        self.__plot_data__ = {title: PlotData() for title in args}

    def append(self, title: str, step: float, value: float) -> None:
        """Add a point to a curve.

        Arguments:
            title: the title of the curve.
            step: where the point is, such as the number of the batch.
            value: the value there.

        Raises:
            ArgumentValueError: there is no curve of this title.
        """
        if title not in self.__plot_data__:
            raise ArgumentValueError(message("Ploter.append", "title", repr(title), f"one of {list(self.__args__)}"))
        self.__plot_data__[title].append(step, value)

    def plot(self, path: str | None = None) -> None:
        """Draw the curves that have points.

        Arguments:
            path: the file of the picture; None shows it in the notebook, in place of the last one.

        Raises:
            MissingPackageError: Matplotlib is not installed.
            MissingKeyError: no curve has a point.
        """
        if os.environ.get("DISABLE_PLOT") == "True":
            return
        from ..plot.line_plots import curves

        drawn = {title: Series(data.step, data.value) for title, data in self.__plot_data__.items() if data.step}
        figure = curves(drawn, together=True)
        if path is not None:
            figure.save(path)
        else:
            from IPython import display  # type: ignore[import-not-found]

            display.clear_output(wait=True)
            display.display(figure)

    def reset(self) -> None:
        """Remove the points of all curves."""
        for data in self.__plot_data__.values():
            data.reset()
