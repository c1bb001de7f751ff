"""WMT 2014, English to French: pairs of sentences with dictionaries of 30000 words, as prepared for Fluid.

A sample is `(source, target, next)`: lists of the numbers of words. The source begins with `<s>` and ends with `<e>`;
the target begins with `<s>`; `next` is the target shifted by one word, ending with `<e>`. The file is `wmt14.tgz`, a
tar archive with `src.dict` and `trg.dict` (a word in each line) and `train/train`, `test/test` and `gen/gen` (a pair of
sentences in each line, separated by a tab). Source: O. Bojar et al., "Findings of the 2014 Workshop on Statistical
Machine Translation", WMT 2014.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..core.errors import ArgumentValueError, describe, message
from ..reader.source import Reader
from .archives import format_error, reading, tar_files
from .common import download

__all__ = ["get_dict", "test", "train"]

URL_TRAIN = "http://paddlemodels.bj.bcebos.com/wmt/wmt14.tgz"
MD5_TRAIN = "0791583d57d5beb693b9414c5b36798c"
URL_DEV_TEST = "http://www-lium.univ-lemans.fr/~schwenk/cslm_joint_paper/data/dev+test.tgz"
MD5_DEV_TEST = "7d7897317ddd8ba0ae5c5fa7248d3ff5"
URL_MODEL = "http://paddlemodels.bj.bcebos.com/wmt%2Fwmt14.tgz"
MD5_MODEL = "0cb4a5366189b6acba876491c8724fa3"

Sample = tuple[list[int], list[int], list[int]]

START = "<s>"
END = "<e>"
UNK = "<unk>"
UNK_IDX = 2

_LONGEST = 80
_EXPECTED = "wmt14.tgz, a gzip-compressed tar archive with src.dict, trg.dict, train/train, test/test and gen/gen"


def _dictionary(path: str, suffix: str, size: int) -> dict[str, int]:
    """Return the numbers of the first `size` words of a dictionary of the archive."""
    if size < UNK_IDX + 1:
        raise ArgumentValueError(
            message("paddle.dataset.wmt14", "dict_size", describe(size), f"3 or more words: {START}, {END} and {UNK}")
        )
    with reading(path, _EXPECTED):
        text = next(tar_files(path, f".*{suffix}$", _EXPECTED))[1].decode()
    words = {word.strip(): number for number, word in enumerate(text.removesuffix("\n").split("\n")[:size])}
    if not {START, END} <= words.keys():
        raise format_error(path, f"{suffix} lacks {START} or {END} among its first {size} words", _EXPECTED)
    return words


def reader_creator(tar_file: str, file_name: str, dict_size: int) -> Reader:
    """Return a reader of the pairs in the files of an archive whose names end with `file_name`.

    Arguments:
        tar_file: path of the archive.
        file_name: end of the names of the files, such as "train/train".
        dict_size: number of words in each dictionary, at least 3: the first ones of the file. Any other word is
            `<unk>`, 2.

    Returns:
        A reader of `(source, target, next)`: lists of ints. Pairs in which a sentence has more than 80 words (in the
            source `<s>` and `<e>` count) are left out.

    Raises:
        ArgumentValueError: `dict_size` is below 3.
        FileFormatError: the archive is truncated or has another format.
    """
    source_words, target_words = (_dictionary(tar_file, suffix, dict_size) for suffix in ("src.dict", "trg.dict"))

    def wmt14_reader() -> Iterator[Sample]:
        with reading(tar_file, _EXPECTED):
            for _, content in tar_files(tar_file, f".*{file_name}$", _EXPECTED):
                for line in content.decode().split("\n"):
                    parts = line.strip().split("\t")
                    if len(parts) != 2:
                        continue
                    source = [source_words.get(word, UNK_IDX) for word in [START, *parts[0].split(), END]]
                    target = [target_words.get(word, UNK_IDX) for word in parts[1].split()]
                    if max(len(source), len(target)) <= _LONGEST:
                        yield source, [target_words[START], *target], [*target, target_words[END]]

    return wmt14_reader


def train(dict_size: int) -> Reader:
    """Return a reader of the training pairs.

    Arguments:
        dict_size: number of words in each dictionary, at least 3: the first ones of the file. Any other word is
            `<unk>`, 2.

    Returns:
        A reader of `(source, target, next)`: lists of ints. Pairs in which a sentence has more than 80 words (in the
            source `<s>` and `<e>` count) are left out.

    Raises:
        ArgumentValueError: `dict_size` is below 3.
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> source, target, following = next(iter(paddle.dataset.wmt14.train(30000)()))  # doctest: +SKIP
        >>> target[1:] == following[:-1]  # doctest: +SKIP
        True
    """
    return reader_creator(download(URL_TRAIN, "wmt14", MD5_TRAIN), "train/train", dict_size)


def test(dict_size: int) -> Reader:
    """Return a reader of the test pairs.

    Arguments:
        dict_size: number of words in each dictionary, at least 3: the first ones of the file. Any other word is
            `<unk>`, 2.

    Returns:
        A reader of `(source, target, next)`: lists of ints. Pairs in which a sentence has more than 80 words (in the
            source `<s>` and `<e>` count) are left out.

    Raises:
        ArgumentValueError: `dict_size` is below 3.
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> len(next(iter(paddle.dataset.wmt14.test(30000)())))  # doctest: +SKIP
        3
    """
    return reader_creator(download(URL_TRAIN, "wmt14", MD5_TRAIN), "test/test", dict_size)


def gen(dict_size: int) -> Reader:
    """Return a reader of the pairs on which to show generated translations.

    Arguments:
        dict_size: number of words in each dictionary, at least 3: the first ones of the file. Any other word is
            `<unk>`, 2.

    Returns:
        A reader of `(source, target, next)`: lists of ints. Pairs in which a sentence has more than 80 words (in the
            source `<s>` and `<e>` count) are left out.

    Raises:
        ArgumentValueError: `dict_size` is below 3.
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format.
    """
    return reader_creator(download(URL_TRAIN, "wmt14", MD5_TRAIN), "gen/gen", dict_size)


def get_dict(dict_size: int, reverse: bool = True) -> tuple[dict, dict]:
    """Return the dictionaries of the two languages.

    Arguments:
        dict_size: number of words in each dictionary, at least 3: the first ones of the file.
        reverse: True: from numbers to words; False: from words to numbers.

    Returns:
        Two dicts: of the source language and of the target language.

    Raises:
        ArgumentValueError: `dict_size` is below 3.
        DownloadError: the file is neither on this machine nor downloadable.
        FileFormatError: the archive is truncated or has another format.

    Example:
        >>> import paddle_lite as paddle
        >>> source, target = paddle.dataset.wmt14.get_dict(30000)  # doctest: +SKIP
        >>> source[0], target[2]  # doctest: +SKIP
        ('<s>', '<unk>')
    """
    path = download(URL_TRAIN, "wmt14", MD5_TRAIN)
    source, target = (_dictionary(path, suffix, dict_size) for suffix in ("src.dict", "trg.dict"))
    if reverse:
        return {number: word for word, number in source.items()}, {number: word for word, number in target.items()}
    return source, target


def fetch() -> None:
    """Download the file unless it is on this machine already.

    Raises:
        DownloadError: the file is neither on this machine nor downloadable.
    """
    download(URL_TRAIN, "wmt14", MD5_TRAIN)
