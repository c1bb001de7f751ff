"""Penn Treebank sentences as prepared by T. Mikolov for language models: 42068 to train on, 3370 to test with.

A sample is an n-gram (a tuple of the numbers of n words in a row) or a pair of a sentence and the same sentence shifted
by one word. The file is `simple-examples.tgz`: a line for each sentence, words separated by spaces, rare words written
as `<unk>`. The words of the dictionary are bytes. Source: M. P. Marcus et al., "Building a Large Annotated Corpus of
English: The Penn Treebank", 1993; T. Mikolov et al., "Recurrent Neural Network Based Language Model", Interspeech 2010.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
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
    """The kinds of samples: `NGRAM`, n words in a row, or `SEQ`, a sentence and the same sentence shifted by one word."""

    NGRAM = 1
    SEQ = 2


def build_dict(min_word_freq: int = 50) -> Words:
    """Return a dictionary of the frequent words of the training and test sentences.

    Arguments:
        min_word_freq: a word enters the dictionary if it occurs more often than this.

    Returns:
        A dict from words (bytes) to ints: 0 for the most frequent word; equally frequent words are in the order of
            their bytes. "<s>" and "<e>" (str), which begin and end each sentence, are counted as words. The last number
            belongs to "<unk>" (str), which stands for any other word. As in Fluid on Python 3, the `<unk>` of the texts
            is a word of its own, b"<unk>".

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> words = paddle.dataset.imikolov.build_dict()  # doctest: +SKIP
        >>> words[b"the"], words["<unk>"] == len(words) - 1  # doctest: +SKIP
        (0, True)
    """
    counts: Counter[Any] = Counter()
    for name in (_TRAIN, _TEST):
        word_count(_sentences(name), counts)
    kept = [(-count, _sort_key(word), word) for word, count in counts.items() if count > min_word_freq]
    numbers = {word: number for number, (_, _, word) in enumerate(sorted(kept, key=lambda entry: entry[:2]))}
    numbers["<unk>"] = len(numbers)
    return numbers


def word_count(f: Iterable[Any], word_freq: Any = None) -> Any:
    """Count the words of lines, and a "<s>" and an "<e>" for each line.

    Arguments:
        f: an iterable of lines, each a str, bytes or a list of words.
        word_freq: the counts to add to, from word to int; None begins with none.

    Returns:
        The counts, a Counter where None was given.
    """
    counts = Counter() if word_freq is None else word_freq
    for line in f:
        for word in (*(line if isinstance(line, list) else line.split()), "<s>", "<e>"):
            counts[word] = counts.get(word, 0) + 1
    return counts


def _sort_key(word: bytes | str) -> bytes:
    """Return the bytes of a word, by which equally frequent words are sorted."""
    return word.encode() if isinstance(word, str) else word


def _sentences(name: str) -> Iterator[list[bytes]]:
    """Yield the words of each line of a file of the archive."""
    for line in tar_file(download(URL, "imikolov", MD5), name, _EXPECTED).splitlines():
        yield line.split()


def reader_creator(filename: str, word_idx: Words, n: int, data_type: int) -> Reader:
    """Return a reader of the sentences of one file of the archive.

    Arguments:
        filename: name of the file in the archive.
        word_idx: dict from words to numbers, as `build_dict` returns it.
        n: for `NGRAM` the number of words in an n-gram; for `SEQ` an upper bound: sentences of `n` or more words are
            left out, unless `n` is 0 or less.
        data_type: `DataType.NGRAM` or `DataType.SEQ`.

    Returns:
        A reader. For `NGRAM` of tuples of `n` ints, one for each place in a sentence with its "<s>" and "<e>"; a
            sentence that is shorter yields none. For `SEQ` of pairs of lists of ints, `["<s>", words...]` and
            `[words..., "<e>"]`.

    Raises:
        ArgumentTypeError: `word_idx` is not a dictionary with "<s>", "<e>" and "<unk>".
        ArgumentValueError: `data_type` is neither of the two, or `n` is below 0 for n-grams.
        DownloadError: while reading, when the file is neither on this machine nor downloadable.
        FileFormatError: while reading, when the archive is truncated or has another format.
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
    """Return a reader of the training sentences.

    Arguments:
        word_idx: dict from words to numbers, as `build_dict` returns it.
        n: for `NGRAM` the number of words in an n-gram; for `SEQ` an upper bound: sentences of `n` or more words are
            left out, unless `n` is 0 or less.
        data_type: `DataType.NGRAM` or `DataType.SEQ`.

    Returns:
        A reader. For `NGRAM` of tuples of `n` ints, one for each place in a sentence with its "<s>" and "<e>"; a
            sentence that is shorter yields none. For `SEQ` of pairs of lists of ints, `["<s>", words...]` and
            `[words..., "<e>"]`.

    Raises:
        ArgumentTypeError: `word_idx` is not a dictionary with "<s>", "<e>" and "<unk>".
        ArgumentValueError: `data_type` is neither of the two, or `n` is below 0 for n-grams.
        DownloadError: while reading, when the file is neither on this machine nor downloadable.
        FileFormatError: while reading, when the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> imikolov = paddle.dataset.imikolov
        >>> len(next(iter(imikolov.train(imikolov.build_dict(), 5)())))  # doctest: +SKIP
        5
    """
    return reader_creator(_TRAIN, word_idx, n, data_type)


def test(word_idx: Words, n: int, data_type: int = DataType.NGRAM) -> Reader:
    """Return a reader of the test sentences: those of `ptb.valid.txt`, as in Fluid.

    Arguments:
        word_idx: dict from words to numbers, as `build_dict` returns it.
        n: for `NGRAM` the number of words in an n-gram; for `SEQ` an upper bound: sentences of `n` or more words are
            left out, unless `n` is 0 or less.
        data_type: `DataType.NGRAM` or `DataType.SEQ`.

    Returns:
        A reader. For `NGRAM` of tuples of `n` ints, one for each place in a sentence with its "<s>" and "<e>"; a
            sentence that is shorter yields none. For `SEQ` of pairs of lists of ints, `["<s>", words...]` and
            `[words..., "<e>"]`.

    Raises:
        ArgumentTypeError: `word_idx` is not a dictionary with "<s>", "<e>" and "<unk>".
        ArgumentValueError: `data_type` is neither of the two, or `n` is below 0 for n-grams.
        DownloadError: while reading, when the file is neither on this machine nor downloadable.
        FileFormatError: while reading, when the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> imikolov = paddle.dataset.imikolov
        >>> test = imikolov.test(imikolov.build_dict(), 0, imikolov.DataType.SEQ)  # doctest: +SKIP
    """
    return reader_creator(_TEST, word_idx, n, data_type)


def fetch() -> None:
    """Download the file unless it is on this machine already.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
    """
    download(URL, "imikolov", MD5)
