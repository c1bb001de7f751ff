"""WMT 2016 multimodal task (Multi30K): 29000 pairs of English and German descriptions of pictures, tokenised.

A sample is `(source, target, next)`: lists of the numbers of words. The source begins with `<s>` and ends with `<e>`;
the target begins with `<s>`; `next` is the target shifted by one word, ending with `<e>`. The file is `wmt16.tar.gz`
with `wmt16/train`, `wmt16/val` and `wmt16/test`: an English and a German sentence in each line, separated by a tab.
Source: D. Elliott et al., "Multi30K: Multilingual English-German Image Descriptions", Workshop on Vision and Language,
2016.

A dictionary holds the marks `<s>`, `<e>` and `<unk>`, then the words of the training set, the most frequent first;
equally frequent words are in the order of their first appearance. Fluid stores dictionaries in files of the cache; here
each call computes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..core.errors import ArgumentValueError, describe, message
from ..reader.source import Reader
from .archives import reading, tar_file
from .common import download

__all__ = ["fetch", "get_dict", "test", "train", "validation"]

DATA_URL = "http://paddlemodels.bj.bcebos.com/wmt/wmt16.tar.gz"
DATA_MD5 = "0c38be43600334966403524a40dcd81e"

TOTAL_EN_WORDS = 11250
TOTAL_DE_WORDS = 19220

START_MARK = "<s>"
END_MARK = "<e>"
UNK_MARK = "<unk>"

Sample = tuple[list[int], list[int], list[int]]

_MARKS = [START_MARK, END_MARK, UNK_MARK]
_TOTAL = {"en": TOTAL_EN_WORDS, "de": TOTAL_DE_WORDS}
_EXPECTED = "wmt16.tar.gz, a gzip-compressed tar archive with wmt16/train, wmt16/val and wmt16/test"


def _pairs(path: str, name: str) -> Iterator[list[str]]:
    """Yield the English and the German sentence of each line."""
    with reading(path, _EXPECTED):
        for line in tar_file(path, name, _EXPECTED).decode().split("\n"):
            parts = line.strip().split("\t")
            if len(parts) == 2:
                yield parts


def _column(argument: str, language: str) -> int:
    """Return the column of a language in the lines of the files."""
    if language not in _TOTAL:
        needs = '"en" (English) or "de" (German)'
        raise ArgumentValueError(message("paddle.dataset.wmt16", argument, describe(language), needs))
    return list(_TOTAL).index(language)


def _dictionary(path: str, language: str, size: int, argument: str) -> dict[str, int]:
    """Return the numbers of the marks and of the most frequent words of a language, at most `size` entries."""
    if size < len(_MARKS):
        needs = f"3 or more words: {', '.join(_MARKS)}"
        raise ArgumentValueError(message("paddle.dataset.wmt16", argument, describe(size), needs))
    column = list(_TOTAL).index(language)
    counts = Counter(word for pair in _pairs(path, "wmt16/train") for word in pair[column].split())
    words = [word for word, _ in counts.most_common(min(size, _TOTAL[language]) - len(_MARKS))]
    return {word: number for number, word in enumerate(_MARKS + words)}


def _reader(name: str, src_dict_size: int, trg_dict_size: int, src_lang: str) -> Reader:
    """Return a reader of one file of the downloaded archive."""
    _column("src_lang", src_lang)
    return reader_creator(download(DATA_URL, "wmt16", DATA_MD5), name, src_dict_size, trg_dict_size, src_lang)


def reader_creator(tar_file: str, file_name: str, src_dict_size: int, trg_dict_size: int, src_lang: str) -> Reader:
    """Return a reader of one file of an archive.

    Arguments:
        tar_file: the path of the archive.
        file_name: the name of the file in it, such as "wmt16/train".
        src_dict_size, trg_dict_size: the numbers of entries of the dictionaries, made from "wmt16/train".
        src_lang: the language of the source, "en" or "de".

    Raises:
        ArgumentValueError: a size is below 3, or there is no such language.
        FileFormatError: the archive is truncated or has another format.
    """
    path, name, column = tar_file, file_name, _column("src_lang", src_lang)
    source_words = _dictionary(path, src_lang, src_dict_size, "src_dict_size")
    target_words = _dictionary(path, list(_TOTAL)[1 - column], trg_dict_size, "trg_dict_size")
    start, end, unknown = range(len(_MARKS))

    def wmt16_reader() -> Iterator[Sample]:
        for pair in _pairs(path, name):
            source = [source_words.get(word, unknown) for word in pair[column].split()]
            target = [target_words.get(word, unknown) for word in pair[1 - column].split()]
            yield [start, *source, end], [start, *target], [*target, end]

    return wmt16_reader


def train(src_dict_size: int, trg_dict_size: int, src_lang: str = "en") -> Reader:
    """Return a reader of the 29000 training pairs.

    Arguments:
        src_dict_size: number of entries of the source dictionary, the three marks included, at least 3; more than 11250
            English or 19220 German ones have no effect. Any other word is `<unk>`, 2.
        trg_dict_size: the same for the target dictionary.
        src_lang: the source language, "en" or "de"; the target language is the other one.

    Returns:
        A reader of `(source, target, next)`: lists of ints.

    Raises:
        ArgumentValueError: a size is below 3, or `src_lang` is another language.
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> source, target, following = next(iter(paddle.dataset.wmt16.train(10000, 10000)()))  # doctest: +SKIP
        >>> target[1:] == following[:-1]  # doctest: +SKIP
        True
    """
    return _reader("wmt16/train", src_dict_size, trg_dict_size, src_lang)


def test(src_dict_size: int, trg_dict_size: int, src_lang: str = "en") -> Reader:
    """Return a reader of the 1000 test pairs.

    Arguments:
        src_dict_size: number of entries of the source dictionary, the three marks included, at least 3; more than 11250
            English or 19220 German ones have no effect. Any other word is `<unk>`, 2.
        trg_dict_size: the same for the target dictionary.
        src_lang: the source language, "en" or "de"; the target language is the other one.

    Returns:
        A reader of `(source, target, next)`: lists of ints.

    Raises:
        ArgumentValueError: a size is below 3, or `src_lang` is another language.
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> len(next(iter(paddle.dataset.wmt16.test(10000, 10000, "de")())))  # doctest: +SKIP
        3
    """
    return _reader("wmt16/test", src_dict_size, trg_dict_size, src_lang)


def validation(src_dict_size: int, trg_dict_size: int, src_lang: str = "en") -> Reader:
    """Return a reader of the 1014 validation pairs.

    Arguments:
        src_dict_size: number of entries of the source dictionary, the three marks included, at least 3; more than 11250
            English or 19220 German ones have no effect. Any other word is `<unk>`, 2.
        trg_dict_size: the same for the target dictionary.
        src_lang: the source language, "en" or "de"; the target language is the other one.

    Returns:
        A reader of `(source, target, next)`: lists of ints.

    Raises:
        ArgumentValueError: a size is below 3, or `src_lang` is another language.
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> len(next(iter(paddle.dataset.wmt16.validation(10000, 10000)())))  # doctest: +SKIP
        3
    """
    return _reader("wmt16/val", src_dict_size, trg_dict_size, src_lang)


def get_dict(lang: str, dict_size: int, reverse: bool = False) -> dict:
    """Return the dictionary of a language.

    Arguments:
        lang: "en" or "de".
        dict_size: number of entries, the three marks included, at least 3.
        reverse: True: from numbers to words; False: from words to numbers.

    Returns:
        A dict from words to ints, or from ints to words.

    Raises:
        ArgumentValueError: the size is below 3, or `lang` is another language.
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> paddle.dataset.wmt16.get_dict("en", 10000)["<unk>"]  # doctest: +SKIP
        2
    """
    _column("lang", lang)
    words = _dictionary(download(DATA_URL, "wmt16", DATA_MD5), lang, dict_size, "dict_size")
    return {number: word for word, number in words.items()} if reverse else words


def fetch() -> None:
    """Download the file unless it is on this machine already.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
    """
    download(DATA_URL, "wmt16", DATA_MD5)
