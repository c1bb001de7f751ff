"""Data sets with a local cache: `paddle.dataset`. One module for each data set; `common` finds and downloads files."""

from ..core.missing import missing_names as _missing_names
from . import (
    cifar,
    common,
    conll05,
    digits,
    flowers,
    image,
    imdb,
    imikolov,
    mnist,
    movielens,
    sentiment,
    uci_housing,
    wmt14,
    wmt16,
)

__getattr__ = _missing_names(__name__)

__all__ = [
    "cifar",
    "common",
    "conll05",
    "digits",
    "flowers",
    "image",
    "imdb",
    "imikolov",
    "mnist",
    "movielens",
    "sentiment",
    "uci_housing",
    "wmt14",
    "wmt16",
]
