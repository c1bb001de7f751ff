"""Movie reviews of Cornell (polarity 2.0), as distributed with NLTK: 1000 negative and 1000 positive film reviews.

A sample is `(words, label)`: the list of the numbers of the words, and 0 for a negative, 1 for a positive review. The
file is `movie_reviews.zip`, in the folder `corpora`: tokenised texts named `movie_reviews/neg/cv000_29416.txt` and so
on. A word is a run of letters, digits and underscores, or a run of other characters without white space. Source: B.
Pang, L. Lee, "A Sentimental Education", ACL 2004.
"""

from __future__ import annotations

import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain

from .archives import format_error, reading
from .common import download

__all__ = ["get_word_dict", "test", "train"]

URL = "https://corpora.bj.bcebos.com/movie_reviews%2Fmovie_reviews.zip"
MD5 = "155de2b77c6834dd8eea7cbe88e93acb"
NUM_TRAINING_INSTANCES = 1600
NUM_TOTAL_INSTANCES = 2000

Sample = tuple[list[int], int]

_KINDS = ("neg", "pos")
_WORD = re.compile(r"\w+|[^\w\s]+")
_EXPECTED = "movie_reviews.zip, a zip archive of texts such as movie_reviews/neg/cv000_29416.txt"


@lru_cache(maxsize=1)
def _reviews() -> dict[str, list[list[str]]]:
    """Return the words of the reviews of each kind, in the order of the file names; they are read at the first call."""
    path = download(URL, "corpora", MD5, "movie_reviews.zip")
    with reading(path, _EXPECTED), zipfile.ZipFile(path) as archive:
        names = _sorted_names(archive)
        texts = {kind: [archive.read(name).decode("ascii").lower() for name in names[kind]] for kind in _KINDS}
    if not texts["neg"] or len(texts["neg"]) != len(texts["pos"]):
        found = f"{len(texts['neg'])} negative and {len(texts['pos'])} positive reviews"
        raise format_error(path, found, f"{_EXPECTED}, as many of both kinds")
    return {kind: [_WORD.findall(text) for text in texts[kind]] for kind in _KINDS}


def _names() -> dict[str, list[str]]:
    """Return the names of the reviews of each kind, sorted."""
    path = download(URL, "corpora", MD5, "movie_reviews.zip")
    with reading(path, _EXPECTED), zipfile.ZipFile(path) as archive:
        return _sorted_names(archive)


def _sorted_names(archive: zipfile.ZipFile) -> dict[str, list[str]]:
    return {kind: sorted(n for n in archive.namelist() if re.fullmatch(_name_pattern(kind), n)) for kind in _KINDS}


def _name_pattern(kind: str) -> str:
    """Return the regular expression that the names of the reviews of a kind match."""
    return rf"movie_reviews/{kind}/[^/]+\.txt"


def get_word_dict() -> list[tuple[str, int]]:
    """Return the words of all reviews with their numbers, the most frequent word first.

    Returns:
        A list of pairs of a word and its number. Equally frequent words are in the order of their first appearance,
            first in the negative, then in the positive reviews.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> paddle.dataset.sentiment.get_word_dict()[:2]  # doctest: +SKIP
        [(',', 0), ('the', 1)]
    """
    counts = Counter(chain.from_iterable(chain.from_iterable(_reviews()[kind] for kind in _KINDS)))
    return [(word, number) for number, (word, _) in enumerate(counts.most_common())]


def sort_files() -> list[str]:
    """Return the names of the files of all reviews, a negative and a positive one in turn."""
    names = _names()
    return list(chain.from_iterable(zip(*(names[kind] for kind in _KINDS), strict=True)))


def load_sentiment_data() -> list[Sample]:
    """Return all samples, a negative and a positive review in turn."""
    return list(_copies(0, None))


def reader_creator(data: Iterable[Sample]) -> Iterator[Sample]:
    """Yield the words and the label of each sample."""
    yield from data


@lru_cache(maxsize=1)
def _samples() -> list[Sample]:
    """Return all samples: a negative and a positive review in turn."""
    numbers = dict(get_word_dict())
    turns = chain.from_iterable(zip(*(_reviews()[kind] for kind in _KINDS), strict=True))
    return [([numbers[word] for word in words], place % 2) for place, words in enumerate(turns)]


def train() -> Iterator[Sample]:
    """Return an iterator of the first 1600 reviews, a negative and a positive one in turn.

    As in Fluid, this is an iterator and not a reader.

    Returns:
        An iterator of `(words, label)`: a list of ints, and 0 for a negative, 1 for a positive review.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> words, label = next(iter(paddle.dataset.sentiment.train()))  # doctest: +SKIP
        >>> label  # doctest: +SKIP
        0
    """
    return _copies(0, NUM_TRAINING_INSTANCES)


def test() -> Iterator[Sample]:
    """Return an iterator of the last 400 reviews, a negative and a positive one in turn.

    As in Fluid, this is an iterator and not a reader.

    Returns:
        An iterator of `(words, label)`: a list of ints, and 0 for a negative, 1 for a positive review.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> words, label = next(iter(paddle.dataset.sentiment.test()))  # doctest: +SKIP
        >>> label  # doctest: +SKIP
        0
    """
    return _copies(NUM_TRAINING_INSTANCES, None)


def _copies(start: int, stop: int | None) -> Iterator[Sample]:
    """Return an iterator of copies of the samples, so that changing a sample in place does not affect later ones."""
    return ((words.copy(), label) for words, label in _samples()[start:stop])


def fetch() -> None:
    """Download the file unless it is on this machine already.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
    """
    download(URL, "corpora", MD5, "movie_reviews.zip")


download_data_if_not_yet = fetch
