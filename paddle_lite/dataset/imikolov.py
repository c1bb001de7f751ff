"""Penn Treebank sentences as prepared by T. Mikolov for language models: 42068 to train on, 3370 to test with.

A sample is a tuple of n numbers of words (n-grams) or a pair of a sentence and the same sentence one word later. The file
is `simple-examples.tgz`: a sentence a line, words separated by spaces, rare ones written as `<unk>`; the dictionary's
words are bytes. Source: M. P. Marcus et al., "Building a Large Annotated Corpus of English: The Penn Treebank", 1993;
T. Mikolov et al., "Recurrent Neural Network Based Language Model", Interspeech 2010.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..reader.source import Reader
from .archives import tar_file
from .common import download

__all__ = ["build_dict", "test", "train"]

URL = "https://dataset.bj.bcebos.com/imikolov%2Fsimple-examples.tgz"
MD5 = "30177ea32e27c525793142b6bf2c8e2d"

Words = dict[Any, int]  # bytes, and "<s>", "<e>", "<unk>"

_TRAIN = "./simple-examples/data/ptb.train.txt"
_TEST = "./simple-examples/data/ptb.valid.txt"
_EXPECTED = f"simple-examples.tgz, a gzip-compressed tar archive with {_TRAIN} and {_TEST}"


class DataType:
    """What a sample is: `NGRAM`, n words in a row, or `SEQ`, a sentence and the same one word later."""

    NGRAM = 1
    SEQ = 2


def build_dict(min_word_freq: int = 50) -> Words:
    """A dictionary of the frequent words of the training and test sentences.

    Arguments:
        min_word_freq: a word is taken if it occurs more often than this.

    Returns:
        The number of each word (bytes), and of "<s>" and "<e>" (str), which begin and end each sentence: 0 for the most
        frequent, equally frequent ones in the order of their letters; and of "<unk>" (str), the last one, for any other
        word. As in Fluid on Python 3, the `<unk>` of the texts is a word of its own, b"<unk>".

    Raises:
        DownloadError: the file is neither on this machine nor to be had.
        FileFormatError: the archive is truncated or something else.

    Example:
        >>> import paddle_lite as paddle
        >>> words = paddle.dataset.imikolov.build_dict()  # doctest: +SKIP
        >>> words[b"the"], words["<unk>"] == len(words) - 1  # doctest: +SKIP
        (0, True)
    """
    counts: Counter[Any] = Counter()
    for name in (_TRAIN, _TEST):
        for words in _sentences(name):
            counts.update([*words, "<s>", "<e>"])
    kept = [(-count, _letters(word), word) for word, count in counts.items() if count > min_word_freq]
    numbers = {word: number for number, (_, _, word) in enumerate(sorted(kept, key=lambda entry: entry[:2]))}
    numbers["<unk>"] = len(numbers)
    return numbers


def _letters(word: bytes | str) -> bytes:
    """What words are sorted by."""
    return word.encode() if isinstance(word, str) else word


def _sentences(name: str) -> Iterator[list[bytes]]:
    """The words of each line of a file of the archive."""
    for line in tar_file(download(URL, "imikolov", MD5), name, _EXPECTED).splitlines():
        yield line.split()


def reader_creator(filename: str, word_idx: Words, n: int, data_type: int) -> Reader:
    """A reader of the sentences of one file of the archive.

    Arguments:
        filename: name in the archive.
        word_idx: the number of each word, as `build_dict` returns it.
        n: words in an n-gram; or the longest sentence, its "<s>" counted, to be taken, any if it is 0 or less.
        data_type: `DataType.NGRAM` or `DataType.SEQ`.

    Returns:
        A reader of tuples of `n` ints, or of pairs of lists of ints.
    """
    where = "paddle.dataset.imikolov"
    if not isinstance(word_idx, dict) or not {"<s>", "<e>", "<unk>"} <= word_idx.keys():
        needs = 'a dict from words (bytes) to numbers, with entries for "<s>", "<e>" and "<unk>"'
        fix = "Pass what paddle.dataset.imikolov.build_dict() returns."
        raise ArgumentTypeError(message(where, "word_idx", describe(word_idx), needs, fix))
    if data_type not in (DataType.NGRAM, DataType.SEQ):
        raise ArgumentValueError(message(where, "data_type", describe(data_type), "DataType.NGRAM or DataType.SEQ"))
    if data_type == DataType.NGRAM and n < 0:
        raise ArgumentValueError(message(where, "n", describe(n), "the number of words in an n-gram, 0 or more"))
    begin, end, unknown = (word_idx[mark] for mark in ("<s>", "<e>", "<unk>"))

    def ngram_reader() -> Iterator[tuple[int, ...]]:
        for words in _sentences(filename):
            numbers = [begin, *(word_idx.get(word, unknown) for word in words), end]
            for stop in range(n, len(numbers) + 1):
                yield tuple(numbers[stop - n : stop])

    def sequence_reader() -> Iterator[tuple[list[int], list[int]]]:
        for words in _sentences(filename):
            numbers = [word_idx.get(word, unknown) for word in words]
            if n <= 0 or len(numbers) < n:
                yield [begin, *numbers], [*numbers, end]

    return ngram_reader if data_type == DataType.NGRAM else sequence_reader


def train(word_idx: Words, n: int, data_type: int = DataType.NGRAM) -> Reader:
    """The training sentences.

    Arguments:
        word_idx: the number of each word, as `build_dict` returns it.
        n: words in an n-gram; or the longest sentence, its "<s>" counted, to be taken, any if it is 0 or less.
        data_type: `DataType.NGRAM` or `DataType.SEQ`.

    Returns:
        A reader. `NGRAM`: tuples of `n` ints, for all places in each sentence with its "<s>" and "<e>"; a sentence that
        is shorter gives none. `SEQ`: pairs of lists of ints, `["<s>", words...]` and `[words..., "<e>"]`.

    Raises:
        ArgumentTypeError: `word_idx` is not a dictionary with "<s>", "<e>" and "<unk>".
        ArgumentValueError: `data_type` is neither of the two, or `n` is below 0 for n-grams.
        DownloadError: while reading, when the file is neither on this machine nor to be had.
        FileFormatError: while reading, when the archive is truncated or something else.

    Example:
        >>> import paddle_lite as paddle
        >>> imikolov = paddle.dataset.imikolov
        >>> len(next(iter(imikolov.train(imikolov.build_dict(), 5)())))  # doctest: +SKIP
        5
    """
    return reader_creator(_TRAIN, word_idx, n, data_type)


def test(word_idx: Words, n: int, data_type: int = DataType.NGRAM) -> Reader:
    """The test sentences: those of `ptb.valid.txt`, as in Fluid.

    Arguments:
        word_idx: the number of each word, as `build_dict` returns it.
        n: words in an n-gram; or the longest sentence, its "<s>" counted, to be taken, any if it is 0 or less.
        data_type: `DataType.NGRAM` or `DataType.SEQ`.

    Returns:
        A reader of the same form as of `train`.

    Raises:
        ArgumentTypeError: `word_idx` is not a dictionary with "<s>", "<e>" and "<unk>".
        ArgumentValueError: `data_type` is neither of the two, or `n` is below 0 for n-grams.
        DownloadError: while reading, when the file is neither on this machine nor to be had.
        FileFormatError: while reading, when the archive is truncated or something else.

    Example:
        >>> import paddle_lite as paddle
        >>> imikolov = paddle.dataset.imikolov
        >>> test = imikolov.test(imikolov.build_dict(), 0, imikolov.DataType.SEQ)  # doctest: +SKIP
    """
    return reader_creator(_TEST, word_idx, n, data_type)


def fetch() -> None:
    """Download the file, if it is not on this machine.

    Raises:
        DownloadError: the file is neither on this machine nor to be had.
    """
    download(URL, "imikolov", MD5)
