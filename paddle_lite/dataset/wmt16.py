"""WMT 2016 multimodal task (Multi30K): 29000 pairs of English and German descriptions of pictures, tokenised.

A sample is `(source, target, next)`: lists of the numbers of words. The source stands between `<s>` and `<e>`; the target
begins with `<s>`; `next` is the target one word later, ending with `<e>`. The file is `wmt16.tar.gz` with `wmt16/train`,
`wmt16/val` and `wmt16/test`: an English and a German sentence a line, separated by a tab. Source: D. Elliott et al.,
"Multi30K: Multilingual English-German Image Descriptions", Workshop on Vision and Language, 2016.

A dictionary has the marks, then the words of the training set, the most frequent first, and equally frequent ones in the
order in which they appear. Fluid keeps dictionaries in files of the cache; here they are made anew.
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
    """The English and the German sentence of each line."""
    with reading(path, _EXPECTED):
        for line in tar_file(path, name, _EXPECTED).decode().split("\n"):
            parts = line.strip().split("\t")
            if len(parts) == 2:
                yield parts


def _column(argument: str, language: str) -> int:
    """Where a language stands in a line."""
    if language not in _TOTAL:
        needs = '"en" (English) or "de" (German)'
        raise ArgumentValueError(message("paddle.dataset.wmt16", argument, describe(language), needs))
    return list(_TOTAL).index(language)


def _dictionary(path: str, language: str, size: int, argument: str) -> dict[str, int]:
    """The marks and the most frequent words of a language, `size` at most."""
    if size < len(_MARKS):
        needs = f"3 or more words: {', '.join(_MARKS)}"
        raise ArgumentValueError(message("paddle.dataset.wmt16", argument, describe(size), needs))
    column = list(_TOTAL).index(language)
    counts = Counter(word for pair in _pairs(path, "wmt16/train") for word in pair[column].split())
    words = [word for word, _ in counts.most_common(min(size, _TOTAL[language]) - len(_MARKS))]
    return {word: number for number, word in enumerate(_MARKS + words)}


def _reader(name: str, src_dict_size: int, trg_dict_size: int, src_lang: str) -> Reader:
    """A reader of one file of the archive."""
    column = _column("src_lang", src_lang)
    path = download(DATA_URL, "wmt16", DATA_MD5)
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
    """The 29000 training pairs.

    Arguments:
        src_dict_size: words of the source dictionary with the three marks, at least 3; at most 11250 English and 19220
            German ones are taken. Any other word is `<unk>`, 2.
        trg_dict_size: the same of the target dictionary.
        src_lang: the source language, "en" or "de"; the target is the other one.

    Returns:
        A reader of `(source, target, next)`: lists of ints.

    Raises:
        ArgumentValueError: a size is below 3 or the language is another one.
        DownloadError: the file is neither on this machine nor to be had.
        FileFormatError: the archive is truncated or something else.

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
        src_dict_size, trg_dict_size, src_lang: as `train` takes them.

    Returns:
        A reader, as `train` returns it; its errors are those of `train`, too.

    Example:
        >>> import paddle_lite as paddle
        >>> len(next(iter(paddle.dataset.wmt16.test(10000, 10000, "de")())))  # doctest: +SKIP
        3
    """
    return _reader("wmt16/test", src_dict_size, trg_dict_size, src_lang)


def validation(src_dict_size: int, trg_dict_size: int, src_lang: str = "en") -> Reader:
    """Return a reader of the 1014 validation pairs.

    Arguments:
        src_dict_size, trg_dict_size, src_lang: as `train` takes them.

    Returns:
        A reader, as `train` returns it; its errors are those of `train`, too.

    Example:
        >>> import paddle_lite as paddle
        >>> len(next(iter(paddle.dataset.wmt16.validation(10000, 10000)())))  # doctest: +SKIP
        3
    """
    return _reader("wmt16/val", src_dict_size, trg_dict_size, src_lang)


def get_dict(lang: str, dict_size: int, reverse: bool = False) -> dict:
    """The dictionary of a language.

    Arguments:
        lang: "en" or "de".
        dict_size: words with the three marks, at least 3.
        reverse: from numbers to words; otherwise from words to numbers.

    Returns:
        The dictionary.

    Raises:
        ArgumentValueError: the size is below 3 or the language is another one.
        DownloadError: the file is neither on this machine nor to be had.
        FileFormatError: the archive is truncated or something else.

    Example:
        >>> import paddle_lite as paddle
        >>> paddle.dataset.wmt16.get_dict("en", 10000)["<unk>"]  # doctest: +SKIP
        2
    """
    _column("lang", lang)
    words = _dictionary(download(DATA_URL, "wmt16", DATA_MD5), lang, dict_size, "dict_size")
    return {number: word for word, number in words.items()} if reverse else words


def fetch() -> None:
    """Download the file, if it is not on this machine.

    Raises:
        DownloadError: the file is neither on this machine nor to be had.
    """
    download(DATA_URL, "wmt16", DATA_MD5)
