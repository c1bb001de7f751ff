"""CoNLL 2005, semantic role labelling: the public test set, sections of the Wall Street Journal.

A sample is one predicate of one sentence, nine lists of ints, one entry a word: the words; the words two and one before
the predicate, the predicate itself, one and two after it (each repeated for the whole sentence; beyond its ends `bos` and
`eos`); the predicate in its own dictionary; 1 within two words of the predicate and 0 elsewhere; the labels (B-A0, I-A0,
..., O). The file is `conll05st-tests.tar.gz` with gzip-compressed texts of words and of bracketed roles, a word a line and
a blank line after each sentence, and `wordDict.txt`, `verbDict.txt`, `targetDict.txt`, `emb`. Source: X. Carreras, L.
Marquez, "Introduction to the CoNLL-2005 Shared Task: Semantic Role Labeling", CoNLL 2005.

Fluid numbers the labels in the order of a Python set, another one in each process; here in that of `targetDict.txt`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from ..core.errors import ArgumentValueError, message
from ..reader.source import Reader
from .archives import foreign, gunzipped, reading, tar_file
from .common import download

__all__ = ["get_dict", "get_embedding", "test"]

DATA_URL = "http://paddlemodels.bj.bcebos.com/conll05st/conll05st-tests.tar.gz"
DATA_MD5 = "387719152ae52d60422c016e92a742fc"
WORDDICT_URL = "http://paddlemodels.bj.bcebos.com/conll05st%2FwordDict.txt"
WORDDICT_MD5 = "ea7fb7d4c75cc6254716f0177a506baa"
VERBDICT_URL = "http://paddlemodels.bj.bcebos.com/conll05st%2FverbDict.txt"
VERBDICT_MD5 = "0d2977293bbb6cbefab5b0f97db1e77c"
TRGDICT_URL = "http://paddlemodels.bj.bcebos.com/conll05st%2FtargetDict.txt"
TRGDICT_MD5 = "d8c7f03ceb5fc2e5a0fa7503a4353751"
EMB_URL = "http://paddlemodels.bj.bcebos.com/conll05st%2Femb"
EMB_MD5 = "bf436eb0faa1f6f9103017f8be57cdb7"

UNK_IDX = 0

Numbers = dict[str, int]
Sentence = tuple[list[str], str, list[str]]

_WORDS = "conll05st-release/test.wsj/words/test.wsj.words.gz"
_PROPS = "conll05st-release/test.wsj/props/test.wsj.props.gz"
_EXPECTED = f"conll05st-tests.tar.gz, a gzip-compressed tar archive with {_WORDS} and {_PROPS}"
_REACH = 2  # words on either side of the predicate that are in its context


def _lines(path: str) -> list[str]:
    """The lines of a dictionary."""
    with reading(path, "a text in UTF-8, an entry a line"), open(path, encoding="utf-8", newline="\n") as file:
        return [line.strip() for line in file]


def _labels(path: str) -> Numbers:
    """B- and I- of each role, in the order of the file, and O."""
    roles = dict.fromkeys(line[2:] for line in _lines(path) if line.startswith(("B-", "I-")))
    if not roles:
        raise foreign(path, "it holds no label", "targetDict.txt, a label such as B-A0 a line")
    names = [f"{place}-{role}" for role in roles for place in "BI"]
    return {name: number for number, name in enumerate([*names, "O"])}


def get_dict() -> tuple[Numbers, Numbers, Numbers]:
    """The dictionaries.

    Returns:
        The numbers of the words, of the predicates, and of the labels.

    Raises:
        DownloadError: a file is neither on this machine nor to be had.
        FileFormatError: a file is something else.

    Example:
        >>> import paddle_lite as paddle
        >>> words, verbs, labels = paddle.dataset.conll05.get_dict()  # doctest: +SKIP
        >>> len(words), len(verbs), len(labels)  # doctest: +SKIP
        (44068, 3162, 59)
    """
    words = _lines(download(WORDDICT_URL, "conll05st", WORDDICT_MD5))
    verbs = _lines(download(VERBDICT_URL, "conll05st", VERBDICT_MD5))
    path = download(WORDDICT_URL, "conll05st", None)
    if not {"bos", "eos"} <= set(words):
        raise foreign(path, "it lacks bos or eos", "wordDict.txt, a word a line")
    labels = _labels(download(TRGDICT_URL, "conll05st", TRGDICT_MD5))
    return {w: n for n, w in enumerate(words)}, {v: n for n, v in enumerate(verbs)}, labels


def get_embedding() -> str:
    """Return the path of the published word vectors.

    Returns:
        The path of a file: a header of 16 bytes, then 32 float32 for each word of the dictionary.

    Raises:
        DownloadError: the file is neither on this machine nor to be had.

    Example:
        >>> import paddle_lite as paddle
        >>> path = paddle.dataset.conll05.get_embedding()  # doctest: +SKIP
    """
    return download(EMB_URL, "conll05st", EMB_MD5)


def corpus_reader(data_path: str, words_name: str, props_name: str) -> Reader:
    """A reader of `(words, predicate, labels)`, texts, for each predicate of each sentence of an archive.

    Arguments:
        data_path: the archive.
        words_name: name in the archive of the gzip-compressed words.
        props_name: name in the archive of the gzip-compressed roles: a column of predicates and one for each of them.
    """

    def corpus() -> Iterator[Sentence]:
        words, props = (_texts(data_path, name) for name in (words_name, props_name))
        if len(words) != len(props):
            raise foreign(data_path, f"{len(words)} lines of words and {len(props)} of roles", _EXPECTED)
        sentence: list[tuple[str, list[str]]] = []
        for word, prop in chain(zip(words, props, strict=True), [("", "")]):
            columns = prop.split()
            if columns:
                sentence.append((word, columns))
                continue
            yield from _predicates(data_path, sentence)
            sentence = []

    return corpus


def _texts(path: str, name: str) -> list[str]:
    """The lines of a compressed file of the archive."""
    with reading(path, _EXPECTED):
        text = gunzipped(tar_file(path, name, _EXPECTED), path, _EXPECTED).decode()
    return [line.strip() for line in text.removesuffix("\n").split("\n")]


def _predicates(path: str, sentence: list[tuple[str, list[str]]]) -> Iterator[Sentence]:
    """Each predicate of a sentence with its labels."""
    words = [word for word, _ in sentence]
    if len({len(columns) for _, columns in sentence}) > 1:
        raise foreign(path, f"the roles of {' '.join(words)!r} are not columns of one length", _EXPECTED)
    verb_column, *columns = zip(*(columns for _, columns in sentence), strict=True) if sentence else [()]
    verbs = [verb for verb in verb_column if verb != "-"]
    if len(verbs) != len(columns):
        raise foreign(path, f"{len(verbs)} predicates in {' '.join(words)!r}, {len(columns)} columns", _EXPECTED)
    for verb, column in zip(verbs, columns, strict=True):
        labels = _iob(path, column)
        if "B-V" not in labels:
            raise foreign(path, f"the predicate {verb} of {' '.join(words)!r} has no place (V*)", _EXPECTED)
        yield words, verb, labels


def _iob(path: str, column: tuple[str, ...]) -> list[str]:
    """Brackets as labels: `(A0*`, `*`, `*)`, `*` are B-A0, I-A0, I-A0, O."""
    labels, role = [], ""
    for mark in column:
        begins, star, ends = mark.partition("*")
        if not star or ends not in ("", ")") or (begins and not begins.startswith("(")):
            raise foreign(path, f"a role is written {mark!r}, needs such as (A0*, * or *)", _EXPECTED)
        if begins:
            role = begins[1:]
            labels.append(f"B-{role}")
        else:
            labels.append(f"I-{role}" if role else "O")
        if ends:
            role = ""
    return labels


def reader_creator(corpus: Reader, word_dict: Numbers, predicate_dict: Numbers, label_dict: Numbers) -> Reader:
    """A reader of the nine lists of numbers for each `(words, predicate, labels)` of a corpus.

    Arguments:
        corpus: what `corpus_reader` returns.
        word_dict: numbers of the words; any other is 0. `bos` and `eos` stand beyond the ends of a sentence.
        predicate_dict: numbers of the predicates.
        label_dict: numbers of the labels.
    """

    def conll05_reader() -> Iterator[tuple[list[int], ...]]:
        for words, predicate, labels in corpus():
            length, place = len(words), labels.index("B-V")
            padded = ["bos"] * _REACH + words + ["eos"] * _REACH
            context = [word_dict.get(word, UNK_IDX) for word in padded[place : place + 2 * _REACH + 1]]
            yield (
                [word_dict.get(word, UNK_IDX) for word in words],
                *([number] * length for number in context),
                [_number(predicate_dict, "predicate_dict", predicate)] * length,
                [int(abs(other - place) <= _REACH) for other in range(length)],
                [_number(label_dict, "label_dict", label) for label in labels],
            )

    return conll05_reader


def _number(numbers: Numbers, argument: str, name: str) -> int:
    """The number of a predicate or a label, which must have one."""
    if name not in numbers:
        got = f"{len(numbers)} entries without {name!r}"
        raise ArgumentValueError(message("paddle.dataset.conll05", argument, got, "an entry for each in the corpus"))
    return numbers[name]


def test() -> Reader:
    """The predicates of the public test set.

    Returns:
        A reader of nine lists of ints: words; the words at -2, -1, 0, 1, 2 from the predicate; predicate; mark; labels.

    Raises:
        DownloadError: a file is neither on this machine nor to be had.
        FileFormatError: a file is truncated or something else; of the archive, while reading.

    Example:
        >>> import paddle_lite as paddle
        >>> sample = next(iter(paddle.dataset.conll05.test()()))  # doctest: +SKIP
        >>> len(sample)  # doctest: +SKIP
        9
    """
    return reader_creator(corpus_reader(download(DATA_URL, "conll05st", DATA_MD5), _WORDS, _PROPS), *get_dict())


def fetch() -> None:
    """Download the files, as far as they are not on this machine.

    Raises:
        DownloadError: a file is neither on this machine nor to be had.
    """
    get_dict()
    get_embedding()
    download(DATA_URL, "conll05st", DATA_MD5)
