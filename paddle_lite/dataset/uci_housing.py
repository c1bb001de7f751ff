"""Boston housing: 506 districts, 13 features, median value of a home (Harrison and Rubinfeld, 1978; StatLib, UCI).

Each feature is normalised over all districts: the mean is subtracted, and the result is divided by the range. The
price, in 1000 dollars, is not changed. The first 80 % of the districts, in the order of the file, are the training set.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import FileFormatError
from ..reader.source import Reader
from .common import download

__all__ = ["test", "train"]

Rows = npt.NDArray[np.float64]
Sample = tuple[Rows, Rows]

URL = "http://paddlemodels.bj.bcebos.com/uci_housing/housing.data"
MD5 = "d4accdce7a25600298819f8e28e8d593"
FLUID_URL_MODEL = "https://github.com/PaddlePaddle/book/raw/develop/01.fit_a_line/fluid/fit_a_line.fluid.tar"
FLUID_MD5_MODEL = "6e6dd637ccd5993961f68bfbde46090b"
feature_names = ["CRIM", "ZN", "INDUS", "CHAS", "NOX", "RM", "AGE", "DIS", "RAD", "TAX", "PTRATIO", "B", "LSTAT"]

# None until `train`, `test`, `predict_reader` or `load_data` is called; then 404 x 14 and 102 x 14, float64: the
# normalised features, and the price.
UCI_TRAIN_DATA: Any = None
UCI_TEST_DATA: Any = None


def train() -> Reader:
    """Return a reader of the training set: the first 404 districts.

    Returns:
        A reader of `(features, price)`: float64 of shapes [13] and [1].

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the file is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> features, price = next(iter(paddle.dataset.uci_housing.train()()))  # doctest: +SKIP
        >>> features.shape, price.tolist()  # doctest: +SKIP
        ((13,), [24.0])
    """
    return _reader(_loaded()[0])


def test() -> Reader:
    """Return a reader of the test set: the last 102 districts.

    Returns:
        A reader of `(features, price)`: float64 of shapes [13] and [1].

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the file is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> features, price = next(iter(paddle.dataset.uci_housing.test()()))  # doctest: +SKIP
        >>> features.shape, price.tolist()  # doctest: +SKIP
        ((13,), [8.5])
    """
    return _reader(_loaded()[1])


def predict_reader() -> tuple[Rows]:
    """Return the features of the first test district, as an input to try a model on.

    As in Fluid, the result is not a reader in spite of the name.

    Returns:
        A tuple of one float64 array of shape [13].

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the file is truncated or has another format.
    """
    return (_loaded()[1][0, :-1].copy(),)


def fluid_model() -> str:
    """Return the path of an archive with a model that PaddlePaddle's book has trained; it is downloaded at the first call.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
    """
    return download(FLUID_URL_MODEL, "uci_housing", FLUID_MD5_MODEL, "fit_a_line.fluid.tar")


def feature_range(maximums: npt.ArrayLike, minimums: npt.ArrayLike) -> None:
    """Draw the range of each feature as a bar, into the file `image/ranges.png`.

    Arguments:
        maximums, minimums: the largest and the smallest value of each feature, [13].

    Raises:
        ImportError: Matplotlib is not installed.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure()
    axes = figure.add_subplot()
    low = np.asarray(minimums)
    places = range(len(low))
    axes.bar(places, np.asarray(maximums) - low, bottom=low, color="r", align="center")
    axes.set_title("feature scale")
    axes.set_xticks(places, feature_names[: len(low)])
    axes.set_xlim(-1, len(low))
    os.makedirs("image", exist_ok=True)
    FigureCanvasAgg(figure).print_png("image/ranges.png")


def fetch() -> None:
    """Download the file unless it is on this machine already.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
    """
    download(URL, "uci_housing", MD5)


def load_data(filename: str | os.PathLike[str], feature_num: int = 14, ratio: float = 0.8) -> None:
    """Set `UCI_TRAIN_DATA` and `UCI_TEST_DATA` from a file, unless they are set already.

    Arguments:
        filename: path of a text of numbers in rows of `feature_num`; the last number of a row is the target.
        feature_num: count of numbers in a row, the target included.
        ratio: share of the rows in the training set.

    Raises:
        FileFormatError: the file is truncated or has another format.
    """
    global UCI_TRAIN_DATA, UCI_TEST_DATA
    if UCI_TRAIN_DATA is not None:
        return
    data = _rows(filename, feature_num)
    features = data[:, :-1]
    span = features.max(axis=0) - features.min(axis=0)
    features -= features.sum(axis=0) / len(data)
    features /= span
    offset = int(len(data) * ratio)
    UCI_TRAIN_DATA, UCI_TEST_DATA = data[:offset], data[offset:]


def _rows(filename: str | os.PathLike[str], columns: int) -> Rows:
    """Return the numbers of a text file as a matrix with `columns` columns."""
    with open(os.fspath(filename), "rb") as file:
        words = file.read().split()
    try:
        numbers = np.array(words, dtype=np.float64)
    except ValueError as error:
        raise FileFormatError(f"{filename} is not a text of numbers ({error}); {_EXPECTED}") from error
    if not numbers.size or numbers.size % columns:
        raise FileFormatError(f"{filename} holds {numbers.size} numbers, not rows of {columns}; {_EXPECTED}")
    return numbers.reshape(-1, columns)


_EXPECTED = "expected housing.data of the UCI repository: 506 rows of 14 numbers. Delete the file to download it again."


def _loaded() -> tuple[Rows, Rows]:
    """Return the training set and the test set; they are read at the first call."""
    if UCI_TRAIN_DATA is None:
        load_data(download(URL, "uci_housing", MD5))
    return UCI_TRAIN_DATA, UCI_TEST_DATA


def _reader(rows: Rows) -> Reader:
    """Return a reader of copies of the samples, so that changing a sample in place does not affect later epochs."""

    def housing_reader() -> Iterator[Sample]:
        for row in rows.copy():
            yield row[:-1], row[-1:]

    return housing_reader
