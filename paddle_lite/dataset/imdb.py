"""IMDB: 50000 film reviews, half to train on and half to test with, each positive or negative.

A sample is `(words, label)`: the list of the numbers of the words in a dictionary, and 0 for a positive, 1 for a
negative review. The words are bytes in lower case, without the ASCII punctuation. The file is `aclImdb_v1.tar.gz`: a
text for each review, named `aclImdb/train/pos/0_9.txt` and so on. Source: A. L. Maas et al., "Learning Word Vectors for
Sentiment Analysis", ACL 2011.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ..core.errors import ArgumentTypeError, describe, message
from ..reader.source import Reader
from .archives import tar_files
from .common import download

__all__ = ["build_dict", "test", "train"]

URL = "https://dataset.bj.bcebos.com/imdb%2FaclImdb_v1.tar.gz"
MD5 = "7c2ac02c03563afcf9b574c7e56c153a"

Pattern = str | re.Pattern[str]
Words = dict[Any, int]  # bytes, and "<unk>"
Sample = tuple[list[int], int]

_EXPECTED = "aclImdb_v1.tar.gz, a gzip-compressed tar archive of texts such as aclImdb/train/pos/0_9.txt"
_CUTOFF = 150


def tokenize(pattern: Pattern) -> Iterator[list[bytes]]:
    """Yield the words of each review whose file name matches, in the order of the archive.

    Arguments:
        pattern: a regular expression that the start of the file names must match.

    Yields:
        Lists of words: lower case, without the ASCII punctuation.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format, or no name in it matches.
    """
    punctuation = string.punctuation.encode()
    for _, text in tar_files(download(URL, "imdb", MD5), pattern, _EXPECTED):
        yield text.translate(None, punctuation).lower().split()


def build_dict(pattern: Pattern, cutoff: int) -> Words:
    """Return a dictionary of the frequent words of the reviews whose file names match.

    Arguments:
        pattern: a regular expression that the start of the file names must match.
        cutoff: a word enters the dictionary if it occurs more often than this.

    Returns:
        A dict from words (bytes) to ints: 0 for the most frequent word; equally frequent words are in the order of
            their bytes. The last number belongs to "<unk>" (str), which stands for any other word.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format, or no name in it matches.

    Example:
        >>> import paddle_lite as paddle
        >>> words = paddle.dataset.imdb.build_dict(r"aclImdb/train/pos/.*\\.txt$", 150)  # doctest: +SKIP
        >>> words[b"the"], words["<unk>"] == len(words) - 1  # doctest: +SKIP
        (0, True)
    """
    counts = Counter(word for words in tokenize(pattern) for word in words)
    kept = [(-count, word) for word, count in counts.items() if count > cutoff]
    numbers: Words = {word: number for number, (_, word) in enumerate(sorted(kept))}
    numbers["<unk>"] = len(numbers)
    return numbers


def word_dict() -> Words:
    """Return the dictionary of all words that occur more than 150 times in the 50000 labelled reviews.

    Returns:
        A dict from words to ints as `build_dict` returns it, with 5147 entries.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> len(paddle.dataset.imdb.word_dict())  # doctest: +SKIP
        5147
    """
    return build_dict(r"aclImdb/((train)|(test))/((pos)|(neg))/.*\.txt$", _CUTOFF)


def reader_creator(pos_pattern: Pattern, neg_pattern: Pattern, word_idx: Words) -> Reader:
    """Return a reader of the reviews whose file names match, first the positive, then the negative ones.

    The reviews are loaded into memory by this call.

    Arguments:
        pos_pattern: a regular expression for the names of positive reviews.
        neg_pattern: a regular expression for the names of negative reviews.
        word_idx: dict from words to numbers, as `word_dict` returns it.

    Returns:
        A reader of `(words, label)`: a list of ints, and 0 for a positive, 1 for a negative review.

    Raises:
        ArgumentTypeError: `word_idx` is not a dictionary with "<unk>".
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format, or no name in it matches.
    """
    if not isinstance(word_idx, dict) or "<unk>" not in word_idx:
        needs = 'a dict from words (bytes) to numbers, with an entry for "<unk>"'
        fix = "Pass what paddle.dataset.imdb.word_dict() returns."
        raise ArgumentTypeError(message("paddle.dataset.imdb", "word_idx", describe(word_idx), needs, fix))
    unknown = word_idx["<unk>"]
    samples = [
        ([word_idx.get(word, unknown) for word in words], label)
        for label, pattern in enumerate([pos_pattern, neg_pattern])
        for words in tokenize(pattern)
    ]

    def imdb_reader() -> Iterator[Sample]:
        for numbers, label in samples:
            yield numbers.copy(), label

    return imdb_reader


def train(word_idx: Words) -> Reader:
    """Return a reader of the 25000 training reviews: the positive ones in the order of the archive, then the negative
    ones.

    Arguments:
        word_idx: dict from words to numbers, as `word_dict` returns it.

    Returns:
        A reader of `(words, label)`: a list of ints, and 0 for a positive, 1 for a negative review.

    Raises:
        ArgumentTypeError: `word_idx` is not a dictionary with "<unk>".
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> imdb = paddle.dataset.imdb
        >>> words, label = next(iter(imdb.train(imdb.word_dict())()))  # doctest: +SKIP
        >>> label  # doctest: +SKIP
        0
    """
    return reader_creator(r"aclImdb/train/pos/.*\.txt$", r"aclImdb/train/neg/.*\.txt$", word_idx)


def test(word_idx: Words) -> Reader:
    """Return a reader of the 25000 test reviews: the positive ones in the order of the archive, then the negative ones.

    Arguments:
        word_idx: dict from words to numbers, as `word_dict` returns it.

    Returns:
        A reader of `(words, label)`: a list of ints, and 0 for a positive, 1 for a negative review.

    Raises:
        ArgumentTypeError: `word_idx` is not a dictionary with "<unk>".
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> imdb = paddle.dataset.imdb
        >>> words, label = next(iter(imdb.test(imdb.word_dict())()))  # doctest: +SKIP
        >>> label  # doctest: +SKIP
        0
    """
    return reader_creator(r"aclImdb/test/pos/.*\.txt$", r"aclImdb/test/neg/.*\.txt$", word_idx)


def fetch() -> None:
    """Download the file unless it is on this machine already.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
    """
    download(URL, "imdb", MD5)
